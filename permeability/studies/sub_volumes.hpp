// SPDX-License-Identifier: MIT
// Permeabilities of many cubes out of an image: how large must one be to stand for the rock?
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/geometry.hpp"
#include "permeability/flows/solve_image.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

struct SubVolume {
  Int3 lower;
  std::int64_t edge = 0;  ///< voxels
};

/// `count` cubes of an edge: cells of a grid in the middle of the image, chosen by `seed`, which do
/// not overlap; where the grid has fewer, all of them, and others anywhere. The same on any
/// machine. Throws BadInput for cubes that do not fit.
std::vector<SubVolume> choose_sub_volumes(Int3 shape, std::int64_t edge, std::int64_t count,
                                          std::uint64_t seed);

/// A cube that lies in the image; it does not wrap around.
Geometry cut_out(Geometry const& image, SubVolume const& where);

struct SubVolumeAnswer : ImageAnswer {
  SubVolume where;
  Axis axis = Axis::x;
};

/// Finds the permeability of each, along each of the axes, by the Krylov solver: as many side by
/// side as cores or GPU and memory allow, the largest first. `asked` must be what the solver solves
/// for. Returns them by edge, in the order of `parts`; `note` sees each as it comes, one at a time.
/// Ends early, without the rest, once `stop` is set. No answer depends on what is beside it.
std::vector<SubVolumeAnswer> answer_sub_volumes(
    Geometry const& image, std::span<SubVolume const> parts, std::vector<Axis> const& axes,
    PermeabilityCase const& asked, Workers const& workers, std::atomic<bool> const& stop,
    std::function<void(SubVolumeAnswer const&)> const& note);

}  // namespace tessera
