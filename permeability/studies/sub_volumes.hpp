// SPDX-License-Identifier: MIT
// Cubes out of an image: how large must one be to stand for the rock?
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/geometry.hpp"
#include "permeability/flows/image_answer.hpp"

namespace tessera {

struct SubVolume {
  Int3 lower;
  std::int64_t edge = 0;  ///< voxels
};

/// `count` cubes of an edge: cells of a grid in the middle of the image, chosen by `seed`, which do
/// not overlap; where the grid has fewer, all of them, and others anywhere. Only cubes that are in
/// the sample: all of them, if nothing says which. The same on any machine; fewer than `count`
/// where few can be found. Throws BadInput for cubes that do not fit.
std::vector<SubVolume> choose_sub_volumes(
    Int3 shape, std::int64_t edge, std::int64_t count, std::uint64_t seed,
    std::function<bool(SubVolume const&)> const& in_sample = [](SubVolume const&) { return true; });

/// A cube that lies in the image; it does not wrap around.
Geometry cut_out(Geometry const& image, SubVolume const& where);

struct SubVolumeAnswer : ImageAnswer {
  SubVolume where;
  Axis axis = Axis::x;
};

}  // namespace tessera
