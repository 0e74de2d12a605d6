// SPDX-License-Identifier: MIT
#include "permeability/voxel_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "geometry/finer.hpp"
#include "geometry/flat_walls.hpp"
#include "graph/runtime/main_memory.hpp"
#include "graph/runtime/runtime.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

/// The upper end lies above the larger of k and the smooth surface's k by this share of what the
/// staircase takes off k: the smooth surface is on voxels, too. Straight tubes need up to 0.48
/// (docs/method.md).
constexpr double margin = 0.5;

/// Exponent by which k grows with the volume of the pores: 2 in a tube, 3 between plates. A
/// conductivity grows by less, 1 in a tube and 1.5 to 2 in rock: there it is three deviations.
constexpr double sensitivity = 3;

/// The upper end of a conductivity over its lower end is that of the staircase to this power: the
/// least whole number that holds the truth wherever pores are resolved (docs/method.md).
constexpr double power_of_staircase = 4;
/// The staircase over the voxels, beyond which pores are not resolved.
constexpr double most_of_staircase = 1.3;

/// A flow through a finer image, whose voxels are 1/factor as wide.
WantedFlow through_finer(Geometry const& image, std::function<Geometry()> finer, Axis axis,
                         PermeabilityCase asked, int factor) {
  std::int64_t const voxels = std::int64_t{factor} * factor * factor;
  asked.buffer_layers *= factor;
  asked.for_fields = false;
  return {.image = std::move(finer),
          .axis = axis,
          .asked = asked,
          .voxels = voxels * volume(image.shape),
          .nodes = voxels * image.pore_voxels()};
}

/// The flows through the staircase of voxels with each voxel as 2^3, ... factor^3.
std::vector<WantedFlow> through_staircases(Geometry const& image, Axis axis,
                                           PermeabilityCase const& asked, int factor) {
  std::vector<WantedFlow> wanted;
  for (int finer = 2; finer <= factor; ++finer) {
    wanted.push_back(through_finer(
        image, [&image, finer] { return repeated(image, finer); }, axis, asked, finer));
  }
  return wanted;
}

/// The answers of all flows; nothing if one was stopped.
std::optional<std::vector<ImageAnswer>> all_of(std::vector<std::optional<ImageAnswer>> found) {
  std::vector<ImageAnswer> all;
  for (auto& one : found) {
    if (!one) return std::nullopt;
    all.push_back(std::move(*one));
  }
  return all;
}

double value_of_finer(ImageAnswer const& found, int factor) {
  if (!found.answered())
    throw EnvironmentError(
        fmt::format("the flow through the image refined {} times: {}", factor, found.failure));
  return found.value;
}

/// k in squared voxels of the original image; 0 if no pore leads through.
double k_of_finer(ImageAnswer const& found, int factor) {
  return value_of_finer(found, factor) / (factor * factor);
}

}  // namespace

void check_refinement(PermeabilityCase const& asked, Workers const& workers, std::int64_t nodes,
                      int factor) {
  if (auto const why = why_not_solved_for(asked))
    throw BadInput(fmt::format("{} {}: the finer images are solved for, and {}",
                               setting_name("refine"), factor, *why));
  std::int64_t const bytes = bytes_to_solve(nodes * factor * factor * factor, asked.precision);
  auto const left = static_cast<std::int64_t>(
      std::max(workers.gpus * Runtime::gpu_bytes(), main_memory_available()));
  if (bytes <= left) return;
  throw BadInput(fmt::format(
      "{} {}: the finer image takes about {:.2g} GB, and {:.2g} GB are left: expected a smaller "
      "factor or a part of the image ({})",
      setting_name("refine"), factor, static_cast<double>(bytes) * 1e-9,
      static_cast<double>(left) * 1e-9, setting_name("crop")));
}

double staircase_limit(std::vector<double> const& k) {
  constexpr double usual = 1.2;
  auto const limit = [&](double order) { return k[1] + (k[1] - k[0]) / (std::pow(2, order) - 1); };
  if (k.size() < 3) return limit(usual);
  // (k1 - k2)/(k2 - k3) grows with the order; no order fits values without a trend.
  double low = 0.6, high = 3;
  auto const excess = [&](double order) {
    double const shape = (1 - std::pow(2, -order)) / (std::pow(2, -order) - std::pow(3, -order));
    return (k[0] - k[1]) / (k[1] - k[2]) - shape;
  };
  if (!(excess(low) * excess(high) < 0)) return limit(usual);
  for (int i = 0; i < 60; ++i) {
    double const middle = 0.5 * (low + high);
    (excess(low) * excess(middle) <= 0 ? high : low) = middle;
  }
  return limit(low);
}

std::optional<VoxelInterval> voxel_interval(Geometry const& image, Axis axis, double k,
                                            PermeabilityCase const& asked, int factor,
                                            AnswerFlows const& answer) {
  std::vector<WantedFlow> wanted = through_staircases(image, axis, asked, factor);
  wanted.push_back(through_finer(
      image, [&image, factor] { return smoothed(image, factor); }, axis, asked, factor));
  auto const found = all_of(answer(wanted));
  if (!found) return std::nullopt;
  VoxelInterval interval{.factor = factor};
  std::vector<double> staircase{k};
  for (int finer = 2; finer <= factor; ++finer) {
    staircase.push_back(k_of_finer((*found)[staircase.size() - 1], finer));
    log_info("{}: voxels as {}^3: k = {:.6g} voxels^2", axis_name(axis), finer, staircase.back());
  }
  interval.smooth = k_of_finer(found->back(), factor);
  log_info("{}: a smooth surface: k = {:.6g} voxels^2", axis_name(axis), interval.smooth);
  interval.staircase.assign(staircase.begin() + 1, staircase.end());
  double const limit = std::max(staircase_limit(staircase), 0.0);
  interval.lower = std::min({k, limit, interval.smooth});
  interval.upper = std::max({k, limit, interval.smooth}) + margin * (k - interval.lower);
  interval.pore_volume_doubt = pore_volume_doubt(image);
  double const doubt = sensitivity * interval.pore_volume_doubt;
  interval.lower *= std::max(1 - doubt, 0.0);
  interval.upper *= 1 + doubt;
  return interval;
}

std::optional<VoxelInterval> conductivity_interval(Geometry const& image, Axis axis,
                                                   double effective, PermeabilityCase const& asked,
                                                   int factor, AnswerFlows const& answer) {
  std::vector<WantedFlow> wanted = through_staircases(image, axis, asked, factor);
  for (WantedFlow& flow : wanted) flow.flow = flow_for_conductivity;
  auto const found = all_of(answer(wanted));
  if (!found) return std::nullopt;
  VoxelInterval interval{.factor = factor};
  std::vector<double> staircase{effective};
  for (int finer = 2; finer <= factor; ++finer)
    staircase.push_back(value_of_finer((*found)[staircase.size() - 1], finer));
  interval.staircase.assign(staircase.begin() + 1, staircase.end());
  double const more = std::max(staircase_limit(staircase) / effective, 1.0);
  if (more > most_of_staircase) {
    log_warning(
        "along {}: the staircase of voxels itself conducts {:.0f} % more than the voxels: pores "
        "are a voxel or two wide, and the conductivity may lie above what is said",
        axis_name(axis), 100 * (more - 1));
  }
  interval.pore_volume_doubt = pore_volume_doubt(image);
  double const doubt = sensitivity * interval.pore_volume_doubt;
  interval.lower = effective * std::max(1 - doubt, 0.0);
  interval.upper = effective * std::pow(more, power_of_staircase) * (1 + doubt);
  return interval;
}

}  // namespace tessera
