// SPDX-License-Identifier: MIT
// libcatalyst's module as it is loaded: what it hands over is Conduit's Mesh Blueprint with the
// values of the frame.
#include "insitu/engine.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "insitu/frame_fields.hpp"
#include "stand_in.hpp"

namespace tessera {
namespace {

using test::catalyst_calls;
using test::ConduitTree;

constexpr Int3 shape{4, 3, 2};
constexpr std::size_t voxels = 24;
std::string const fluid = "catalyst/channels/fluid/data/";

std::unique_ptr<Engine> load() {
  void* const module = dlopen(TESSERA_CATALYST_MODULE, RTLD_NOW);
  if (module == nullptr) throw std::runtime_error(dlerror());
  auto const make = reinterpret_cast<EngineFactory>(dlsym(module, engine_factory_name));
  return std::unique_ptr<Engine>(make());
}

/// The names below a path.
std::vector<std::string> names_below(ConduitTree const& tree, std::string const& path) {
  std::vector<std::string> names;
  auto const note = [&](std::string const& leaf) {
    if (!leaf.starts_with(path)) return;
    std::string const name = leaf.substr(path.size(), leaf.find('/', path.size()) - path.size());
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (auto const& [leaf, text] : tree.texts) note(leaf);
  for (auto const& [leaf, numbers] : tree.numbers) note(leaf);
  return names;
}

/// Cells of a mesh, by its topology.
std::size_t cells_of(ConduitTree const& tree, std::string const& mesh) {
  std::string const topology = mesh + "topologies/mesh/";
  EXPECT_EQ(tree.texts.at(topology + "coordset"), "coords") << mesh;
  std::string const coordinates = mesh + "coordsets/coords/";
  std::string const type = tree.texts.at(topology + "type");
  if (type == "uniform") {
    EXPECT_EQ(tree.texts.at(coordinates + "type"), "uniform");
    std::size_t cells = 1;
    for (char const* const axis : {"i", "j", "k"})
      cells *= static_cast<std::size_t>(tree.numbers.at(coordinates + "dims/" + axis)[0]) - 1;
    return cells;
  }
  EXPECT_EQ(tree.texts.at(coordinates + "type"), "explicit");
  std::size_t const points = tree.numbers.at(coordinates + "values/x").size();
  for (char const* const axis : {"y", "z"})
    EXPECT_EQ(tree.numbers.at(coordinates + "values/" + axis).size(), points);
  if (type == "points") return points;
  EXPECT_EQ(type, "unstructured");
  EXPECT_EQ(tree.texts.at(topology + "elements/shape"), "quad");
  auto const& corners = tree.numbers.at(topology + "elements/connectivity");
  for (double const corner : corners) EXPECT_LT(corner, static_cast<double>(points));
  return corners.size() / 4;
}

/// All fields of a mesh name its topology and have a value for each cell.
void expect_blueprint(ConduitTree const& tree, std::string const& mesh) {
  std::size_t const cells = cells_of(tree, mesh);
  auto const names = names_below(tree, mesh + "fields/");
  EXPECT_FALSE(names.empty()) << mesh;
  for (std::string const& name : names) {
    std::string const field = fmt::format("{}fields/{}/", mesh, name);
    EXPECT_EQ(tree.texts.at(field + "association"), "element") << field;
    EXPECT_EQ(tree.texts.at(field + "topology"), "mesh") << field;
    auto const found = tree.numbers.find(field + "values");
    if (found != tree.numbers.end()) {
      EXPECT_EQ(found->second.size(), cells) << field;
      continue;
    }
    for (char const* const component : {"x", "y", "z"})
      EXPECT_EQ(tree.numbers.at(field + "values/" + component).size(), cells) << field;
  }
}

class Catalyst2 : public testing::Test {
 protected:
  Catalyst2() {
    catalyst_calls() = {};
    for (std::size_t v = 0; v < voxels; ++v) {
      auto const value = static_cast<float>(v);
      velocity_[3 * v] = value;
      velocity_[3 * v + 1] = 100 + value;
      velocity_[3 * v + 2] = 200 + value;
      pressure_[v] = 300 + value;
      tile_[v] = static_cast<std::int32_t>(v % 3);
      solid_[v] = v % 5 == 0 ? 1 : 0;
      ghost_[v] = v % 7 == 0 ? hidden_cell : 0;
    }
    walls_.points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    walls_.quads = {0, 1, 2, 3};
    walls_.wall_shear_stress = {1, 2, 3};
    frame_.step = 70;
    frame_.time = 0.5;
    frame_.shape = shape;
    frame_.spacing = 2;
    frame_.blocks = {block({0, 0, 0})};
    frame_.walls = &walls_;
    frame_.tiles = {{{0, 0, 0}, {4, 3, 2}, 0, 1, 2, 0.25, 24}, {{4, 0, 0}, {8, 3, 2}}};
  }

  ImageBlock block(Int3 lower) const {
    return {.lower = lower,
            .shape = shape,
            .velocity = velocity_.data(),
            .pressure = pressure_.data(),
            .density = density_.data(),
            .tile = tile_.data(),
            .solid = solid_.data(),
            .ghost = ghost_.data()};
  }
  ConduitTree execute() {
    engine_->begin({}, "/out");
    EXPECT_TRUE(engine_->execute(frame_).empty());
    return catalyst_calls().executed.back();
  }

  std::vector<float> velocity_ = std::vector<float>(3 * voxels);
  std::vector<float> pressure_ = std::vector<float>(voxels);
  std::vector<float> density_ = std::vector<float>(voxels, 1);
  std::vector<std::int32_t> tile_ = std::vector<std::int32_t>(voxels);
  std::vector<std::uint8_t> solid_ = std::vector<std::uint8_t>(voxels);
  std::vector<std::uint8_t> ghost_ = std::vector<std::uint8_t>(voxels);
  WallSurface walls_;
  Frame frame_;
  std::unique_ptr<Engine> engine_ = load();
};

TEST_F(Catalyst2, IsToldTheScriptsOnceWithTheirArguments) {
  engine_->begin({{.name = "a", .file = "/x/a.py", .arguments = {"-b", "c"}}}, "/out");
  engine_->begin({{.name = "a", .file = "/x/a.py"}}, "/out");  // a second series of frames
  ASSERT_EQ(catalyst_calls().initialised.size(), 1U);
  auto& texts = catalyst_calls().initialised.front().texts;
  EXPECT_EQ(texts["catalyst/scripts/script0/filename"], "/x/a.py");
  EXPECT_EQ(texts["catalyst/scripts/script0/args/0"], "-b");
  EXPECT_EQ(texts["catalyst/scripts/script0/args/1"], "c");
}

TEST_F(Catalyst2, GetsTheStepAndItsTime) {
  auto const tree = execute();
  EXPECT_EQ(tree.numbers.at("catalyst/state/timestep"), std::vector<double>{70});
  EXPECT_EQ(tree.numbers.at("catalyst/state/time"), std::vector<double>{0.5});
}

TEST_F(Catalyst2, GetsMeshesWhoseFieldsFitThem) {
  auto const tree = execute();
  EXPECT_EQ(names_below(tree, "catalyst/channels/"),
            (std::vector<std::string>{"fluid", "monitor", "tiles", "walls"}));
  for (char const* const channel : {"fluid", "monitor", "tiles", "walls"}) {
    EXPECT_EQ(tree.texts.at(std::string("catalyst/channels/") + channel + "/type"), "mesh");
    expect_blueprint(tree, std::string("catalyst/channels/") + channel + "/data/");
  }
  EXPECT_EQ(cells_of(tree, fluid), voxels);
  EXPECT_EQ(tree.numbers.at(fluid + "coordsets/coords/spacing/dy"), std::vector<double>{2});
}

TEST_F(Catalyst2, GetsTheValuesOfTheFrameWithoutACopy) {
  auto const tree = execute();
  for (std::size_t v = 0; v < voxels; ++v) {
    auto const value = static_cast<double>(v);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/velocity/values/x")[v], value);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/velocity/values/y")[v], 100 + value);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/velocity/values/z")[v], 200 + value);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/pressure/values")[v], 300 + value);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/tile/values")[v], tile_[v]);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/solid/values")[v], solid_[v]);
    EXPECT_EQ(tree.numbers.at(fluid + "fields/vtkGhostType/values")[v], ghost_[v]);
  }
  EXPECT_TRUE(tree.borrowed.at(fluid + "fields/velocity/values/x"));
  EXPECT_TRUE(tree.borrowed.at(fluid + "fields/pressure/values"));
  EXPECT_EQ(tree.numbers.at("catalyst/channels/walls/data/fields/wall_shear_stress/values/y"),
            std::vector<double>{2});
}

TEST_F(Catalyst2, GetsSeveralBlocksAsAMultimesh) {
  frame_.blocks.push_back(block({4, 0, 0}));
  auto const tree = execute();
  EXPECT_EQ(tree.texts.at("catalyst/channels/fluid/type"), "multimesh");
  for (char const* const one : {"block0/", "block1/"}) expect_blueprint(tree, fluid + one);
  EXPECT_EQ(tree.numbers.at(fluid + "block1/coordsets/coords/origin/x"), std::vector<double>{8});
}

TEST_F(Catalyst2, IsEndedOnce) {
  execute();
  execute();
  EXPECT_EQ(catalyst_calls().finalised, 0);
  engine_.reset();
  EXPECT_EQ(catalyst_calls().finalised, 1);
}

TEST_F(Catalyst2, ThatFailsAtALookMayTryAgain) {
  execute();
  catalyst_calls().answer = catalyst_status_error_incomplete;
  auto const errors = engine_->execute(frame_);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].step, 70);
  EXPECT_FALSE(errors[0].dropped);
  EXPECT_NE(errors[0].text.find("returned 4"), std::string::npos);
}

TEST_F(Catalyst2, ThatDoesNotStartIsDropped) {
  catalyst_calls().answer = catalyst_status_error_incomplete;
  engine_->begin({}, "/out");
  auto const errors = engine_->execute(frame_);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].dropped);
  EXPECT_TRUE(catalyst_calls().executed.empty());
}

}  // namespace
}  // namespace tessera
