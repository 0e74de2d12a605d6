// SPDX-License-Identifier: MIT
#include "geometry/flat_walls.hpp"

#include <cmath>
#include <vector>

#include "base/machine/thread_team.hpp"

namespace tessera {
namespace {

/// The faces in a plane across an axis, behind layer `layer`: 1 where the pore is below, 2 where it
/// is above.
class Plane {
 public:
  Plane(Geometry const& image, Axis normal, std::int64_t layer)
      : along_(all_axes[(index_of(normal) + 1) % 3]),
        across_(all_axes[(index_of(normal) + 2) % 3]),
        length_(image.shape[along_]),
        width_(image.shape[across_]),
        faces_(static_cast<std::size_t>(length_ * width_)) {
    Int3 below;
    below[normal] = layer;
    for (below[across_] = 0; below[across_] < width_; ++below[across_]) {
      for (below[along_] = 0; below[along_] < length_; ++below[along_]) {
        Int3 above = below;
        above[normal] = (layer + 1) % image.shape[normal];
        bool const pore_below = image.pore[linear_index(image.shape, below)] != 0;
        bool const pore_above = image.pore[linear_index(image.shape, above)] != 0;
        if (pore_below != pore_above)
          faces_[at(below[along_], below[across_])] = pore_below ? 1 : 2;
      }
    }
  }

  /// The sum over all pieces of the square of their faces; takes them away.
  double take_squares() {
    double sum = 0;
    for (std::int64_t j = 0; j < width_; ++j) {
      for (std::int64_t i = 0; i < length_; ++i) {
        if (faces_[at(i, j)] == 0) continue;
        auto const faces = static_cast<double>(take_piece(i, j));
        sum += faces * faces;
      }
    }
    return sum;
  }

 private:
  struct Face {
    std::int64_t i, j;
  };
  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(j * length_ + i);
  }
  std::int64_t take_piece(std::int64_t i, std::int64_t j) {
    std::uint8_t const side = faces_[at(i, j)];
    auto const take = [&](Face const& face) {
      if (face.i < 0 || face.j < 0 || face.i >= length_ || face.j >= width_) return;
      std::uint8_t& there = faces_[at(face.i, face.j)];
      if (there != side) return;
      there = 0;
      open_.push_back(face);
    };
    std::int64_t count = 0;
    for (take({i, j}); !open_.empty(); ++count) {
      Face const face = open_.back();
      open_.pop_back();
      take({face.i - 1, face.j});
      take({face.i + 1, face.j});
      take({face.i, face.j - 1});
      take({face.i, face.j + 1});
    }
    return count;
  }

  Axis along_, across_;
  std::int64_t length_, width_;
  std::vector<std::uint8_t> faces_;
  std::vector<Face> open_;
};

}  // namespace

double pore_volume_doubt(Geometry const& image) {
  constexpr double variance = 1.0 / 12;  // of what lies anywhere within half a voxel
  double squares = 0;
  for (Axis const normal : all_axes) {
    std::int64_t const length = image.shape[normal];
    std::int64_t const planes = image.periodic[index_of(normal)] ? length : length - 1;
    std::vector<double> of_plane(static_cast<std::size_t>(planes));
    in_parallel(planes, [&](std::int64_t layer) {
      of_plane[static_cast<std::size_t>(layer)] = Plane(image, normal, layer).take_squares();
    });
    for (double const sum : of_plane) squares += sum;
  }
  auto const pores = static_cast<double>(image.pore_voxels());
  return pores > 0 ? std::sqrt(variance * squares) / pores : 0;
}

}  // namespace tessera
