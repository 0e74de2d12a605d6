// SPDX-License-Identifier: MIT
// Which flow a case is.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/file/case.hpp"
#include "case/formula_text.hpp"
#include "case/lattice/case_setup.hpp"
#include "io/sha256.hpp"
#include "models/lattice/flow_model.hpp"
#include "run/checkpoint/flow_identity.hpp"

namespace tessera {
namespace {

class Described {
 public:
  explicit Described(Case const& c) : case_(c) {}

  /// Where it is a formula, also what it gives in the middle of the box: pressures and densities
  /// may look alike.
  Json of(SpaceFormula const& f) const {
    Int3 const& n = case_.geometry.shape;
    double const middle = f.at(0.5 * static_cast<double>(n.x), 0.5 * static_cast<double>(n.y),
                               0.5 * static_cast<double>(n.z));
    if (!f.varies()) return middle;
    return fmt::format("{}: {:.6g} in the middle", formula_text(f.text(), case_.constants), middle);
  }
  Json of(TimeFormula const& f) const {
    if (!f.varies()) return f.at(0);
    return formula_text(f.text(), case_.constants);
  }
  Json of(Case::Velocity const& u) const { return {of(u[0]), of(u[1]), of(u[2])}; }

  /// The surface itself, not only the voxels in it.
  static Json of(Case::Solid const& s) {
    Json solid{static_cast<int>(s.shape), s.outside};
    switch (s.shape) {
      case Case::SolidShape::sphere:
        solid.insert(solid.end(), {s.center, s.radius});
        break;
      case Case::SolidShape::cylinder:
        solid.insert(solid.end(),
                     {s.center, s.radius, std::string(1, name_of(s.axis)), or_null(s.length)});
        break;
      case Case::SolidShape::box:
        solid.insert(solid.end(), {s.lower, s.upper});
        break;
      case Case::SolidShape::stl:
        solid.insert(solid.end(), {sha256_of_files({s.stl}), s.scale, s.translate});
        break;
    }
    return solid;
  }

  /// Which condition stands in which solid voxel, however the conditions are ordered; those that
  /// are there for their force only are plain walls.
  std::string walls(VoxelNumbers const& of_voxel) const {
    std::map<std::string, std::uint8_t> ranks;
    for (Case::Boundary const& b : case_.boundaries) ranks[b.place.text] = 0;
    std::uint8_t rank = 0;
    for (auto& [place, number] : ranks) number = ++rank;
    std::array<std::uint8_t, 256> rank_of{};
    for (std::size_t i = 0; i < case_.boundaries.size(); ++i)
      rank_of[i + 1] = ranks[case_.boundaries[i].place.text];
    Sha256 hash;
    Int3 const shape = case_.geometry.shape;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(shape.x));
    for (Int3 at; at.z < shape.z; ++at.z) {
      for (at.y = 0; at.y < shape.y; ++at.y) {
        for (at.x = 0; at.x < shape.x; ++at.x)
          row[static_cast<std::size_t>(at.x)] = rank_of[of_voxel.at(at)];
        hash.add(std::as_bytes(std::span(row)));
      }
    }
    return hash.in_hexadecimal();
  }

 private:
  Case const& case_;
};

Json flow_of(Case const& c, CaseSetup const& setup, Described const& described) {
  Int3 const& shape = c.geometry.shape;
  Json flow{{"shape", {shape.x, shape.y, shape.z}},
            {"lattice", name_of(c.model.lattice)},
            {"precision", name_of(c.model.precision)},
            {"periodic axes", c.geometry.periodic}};
  for (Case::Boundary const& b : c.boundaries) {
    bool const plain = b.scheme == Case::Scheme::none;
    flow["boundary " + b.place.text] =
        fmt::format("{}{}{}", name_of(b.type), plain ? "" : " ", plain ? "" : name_of(b.scheme));
    if (b.type != Case::BoundaryType::interpolated_wall) continue;
    for (std::size_t i = 0; i < c.geometry.solids.size(); ++i) {
      if (c.geometry.solids[i].label == b.place.text)
        flow[fmt::format("solid {} of {}", i + 1, b.place.text)] =
            Described::of(c.geometry.solids[i]);
    }
  }
  if (auto const& of_voxel = setup.box.boundaries->of_voxel;
      !of_voxel.empty() && !c.boundaries.empty())
    flow["walls"] = described.walls(of_voxel);
  return flow;
}

Json parameters_of(Case const& c, Described const& described) {
  Json parameters{
      {"relaxation time", c.fluid.relaxation_time},
      {"collision", name_of(c.model.collision)},
      {"equilibrium", name_of(c.model.equilibrium)},
      {"smagorinsky", or_null(c.model.smagorinsky)},
      {"body force", c.force.body},
      {"factor of the force", described.of(c.force.factor)},
      {"initial density", described.of(c.initial.density)},
      {"initial velocity", described.of(c.initial.velocity)},
      {"voxel, step and density in SI", {c.units.voxel_m, c.units.step_s, c.units.density_kg_m3}},
      {"density drops", c.density_drop}};
  bool const by_magic = traits_of(c.model.collision).unset == UnsetRates::magic;
  if (by_magic && !c.model.rates.contains("odd")) parameters["magic"] = c.model.magic;
  for (RelaxationRate const& rate : relaxation_rates) {
    auto const said = c.model.rates.find(rate.name);
    if (said != c.model.rates.end()) parameters[fmt::format("rate {}", rate.name)] = said->second;
  }
  for (Case::Boundary const& b : c.boundaries) {
    auto const add = [&](char const* what, Json value) {
      parameters[fmt::format("{} on {}", what, b.place.text)] = std::move(value);
    };
    add("velocity", described.of(b.velocity));
    add("density", described.of(b.density));
    add("factor", described.of(b.factor));
  }
  return parameters;
}

}  // namespace

FlowIdentity identity_of(Case const& c, CaseSetup const& setup) {
  Described const described(c);
  return {.command = "run",
          .precision = c.model.precision,
          .flow = flow_of(c, setup, described),
          .parameters = parameters_of(c, described)};
}

}  // namespace tessera
