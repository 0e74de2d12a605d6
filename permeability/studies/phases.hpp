// SPDX-License-Identifier: MIT
// Fluids that share the pores of an image and do not move each other: each flows alone, between the
// solid and the others, which stand still and hold it as walls do. Over the permeability of all
// pores together that is its relative permeability, without coupling of the phases and without slip
// at their interface.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/images/labels.hpp"
#include "io/json_fwd.hpp"
#include "permeability/flows/image_answer.hpp"

namespace tessera {

struct Phase {
  std::string name;
  LabelSet labels;
};

/// "water=0", "oil=1,3-4". Throws BadInput for a label that two of them have, or the solid.
std::vector<Phase> parse_phases(std::vector<std::string> const& texts, LabelSet const& solid);

/// What is called `all` in results: every phase, as if they were one.
inline constexpr char const* all_phases = "all";

struct PhasePores {
  std::string name;
  Geometry geometry;
  double saturation = 1;  ///< of the pores
};

/// All phases together first, then each. Throws BadInput for labels that are neither a phase's nor
/// solid, and for a phase that the image does not have.
std::vector<PhasePores> pores_of(Image const& image, std::vector<Phase> const& phases,
                                 PoreRule const& rule, bool periodic);

struct PhaseAnswer : ImageAnswer {
  std::string phase;
  Axis axis = Axis::x;
  double saturation = 1;
  std::optional<double> relative;  ///< k over that of all pores along the axis, if that is not 0
};

/// Fills in relative permeabilities.
void relate(std::vector<PhaseAnswer>& answers);

Json to_json(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m);
/// A line for each phase and axis (docs/formats.md). Throws EnvironmentError.
void write_phases_csv(std::filesystem::path const& path, std::span<PhaseAnswer const> answers,
                      std::optional<double> voxel_size_m);
void print_phases(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m);

}  // namespace tessera
