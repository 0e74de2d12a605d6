// SPDX-License-Identifier: MIT
#include "insitu/blueprint.hpp"

#include <gtest/gtest.h>

#include <map>

#include "insitu/frame_fields.hpp"

namespace tessera {
namespace {

/// A tree that can be looked at.
class Tree : public NodeWriter {
 public:
  void text(std::string const& path, std::string const& value) override { texts[path] = value; }
  void integer(std::string const& path, std::int64_t value) override {
    numbers[path] = static_cast<double>(value);
  }
  void real(std::string const& path, double value) override { numbers[path] = value; }
  void append_text(std::string const& path, std::string const& value) override {
    texts[path] += value + ";";
  }
  void reals(std::string const& path, std::span<double const> values) override {
    copied[path].assign(values.begin(), values.end());
  }
  void borrow(std::string const& path, std::span<float const> values) override {
    borrowed[path] = {values.data(), values.size()};
  }
  void borrow_component(std::string const& path, std::span<float const> values,
                        std::size_t component) override {
    borrowed[path] = {values.data() + component, values.size() / 3};
  }
  void borrow(std::string const& path, std::span<std::int64_t const> values) override {
    borrowed[path] = {values.data(), values.size()};
  }
  void borrow(std::string const& path, std::span<std::int32_t const> values) override {
    borrowed[path] = {values.data(), values.size()};
  }
  void borrow(std::string const& path, std::span<std::uint8_t const> values) override {
    borrowed[path] = {values.data(), values.size()};
  }

  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;
  std::map<std::string, std::vector<double>> copied;
  std::map<std::string, std::pair<void const*, std::size_t>> borrowed;
};

class Blueprint : public testing::Test {
 protected:
  Blueprint() {
    frame_.step = 70;
    frame_.time = 0.5;
    frame_.spacing = 2;
    frame_.blocks = {fields_.block()};
    frame_.tiles = {{{0, 0, 0}, {4, 3, 2}, 0, 1, 2, 0.25, 24}};
  }

  FrameFields fields_{{4, 3, 2}};
  Frame frame_;
  Tree tree_;
};

TEST_F(Blueprint, AnImageHasOnePointMoreThanVoxelsAlongEachAxis) {
  describe_frame(frame_, tree_);
  std::string const coordinates = "catalyst/channels/fluid/data/coordsets/coords/";
  EXPECT_EQ(tree_.texts[coordinates + "type"], "uniform");
  EXPECT_EQ(tree_.numbers[coordinates + "dims/i"], 5);
  EXPECT_EQ(tree_.numbers[coordinates + "dims/k"], 3);
  EXPECT_EQ(tree_.numbers[coordinates + "spacing/dz"], 2);
  EXPECT_EQ(tree_.numbers["catalyst/state/timestep"], 70);
  EXPECT_EQ(tree_.numbers["catalyst/state/time"], 0.5);
}

TEST_F(Blueprint, FieldsAreNotCopied) {
  describe_frame(frame_, tree_);
  std::string const fields = "catalyst/channels/fluid/data/fields/";
  ImageBlock const block = fields_.block();
  EXPECT_EQ(tree_.texts[fields + "velocity/association"], "element");
  EXPECT_EQ(tree_.borrowed[fields + "velocity/values/y"],
            (std::pair<void const*, std::size_t>{block.velocity + 1, 24}));
  EXPECT_EQ(tree_.borrowed[fields + "vtkGhostType/values"].first, block.ghost);
}

TEST_F(Blueprint, SeveralBlocksMakeAMultimesh) {
  frame_.blocks.push_back(fields_.block());
  frame_.blocks[1].lower = {4, 0, 0};
  describe_frame(frame_, tree_);
  EXPECT_EQ(tree_.texts["catalyst/channels/fluid/type"], "multimesh");
  EXPECT_EQ(tree_.numbers["catalyst/channels/fluid/data/block1/coordsets/coords/origin/x"], 8);
}

TEST_F(Blueprint, TilesAndMonitorArePoints) {
  describe_frame(frame_, tree_);
  EXPECT_EQ(tree_.copied["catalyst/channels/tiles/data/coordsets/coords/values/x"],
            std::vector<double>{4});
  EXPECT_EQ(tree_.copied["catalyst/channels/tiles/data/fields/seconds/values"],
            std::vector<double>{0.25});
  EXPECT_EQ(tree_.copied["catalyst/channels/monitor/data/fields/step/values"],
            std::vector<double>{70});
}

TEST_F(Blueprint, AChannelThatNobodyAsksForIsNotThere) {
  frame_.blocks.clear();
  describe_frame(frame_, tree_);
  EXPECT_FALSE(tree_.texts.contains("catalyst/channels/fluid/type"));
  EXPECT_FALSE(tree_.texts.contains("catalyst/channels/walls/type"));
}

TEST_F(Blueprint, ScriptsComeWithTheirArguments) {
  describe_scripts({{.name = "a", .file = "/x/a.py", .arguments = {"-b", "c"}}}, "/out", tree_);
  EXPECT_EQ(tree_.texts["catalyst/scripts/script0/filename"], "/x/a.py");
  EXPECT_EQ(tree_.texts["catalyst/scripts/script0/args"], "-b;c;");
}

}  // namespace
}  // namespace tessera
