// SPDX-License-Identifier: MIT
#include "geometry/finer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "base/machine/thread_team.hpp"

namespace tessera {
namespace {

Geometry finer_box(Geometry const& image, int factor) {
  Geometry box{.shape = {image.shape.x * factor, image.shape.y * factor, image.shape.z * factor},
               .periodic = image.periodic,
               .outside = image.outside * factor * factor * factor,
               .of_grey = image.of_grey};
  box.pore.resize(static_cast<std::size_t>(volume(box.shape)));
  return box;
}

/// The place of a voxel that may lie beyond an end.
std::int64_t inside(std::int64_t at, std::int64_t length, bool periodic) {
  if (periodic) return (at % length + length) % length;
  return std::clamp<std::int64_t>(at, 0, length - 1);
}

/// Weights of a Gaussian at distances 0, 1, ..., which sum to 1 over both sides.
std::vector<float> gaussian(double width) {
  std::vector<float> weights(static_cast<std::size_t>(std::ceil(4 * width)) + 1);
  double sum = 0;
  for (std::size_t d = 0; d < weights.size(); ++d) {
    auto const distance = static_cast<double>(d) / width;
    weights[d] = static_cast<float>(std::exp(-0.5 * distance * distance));
    sum += (d == 0 ? 1 : 2) * double{weights[d]};
  }
  for (float& weight : weights) weight = static_cast<float>(double{weight} / sum);
  return weights;
}

/// One factor of the smoothing, which is separable.
std::vector<float> smoothed_along(Axis axis, Geometry const& image, std::vector<float> const& from,
                                  std::vector<float> const& weights) {
  Int3 const shape = image.shape;
  std::int64_t const length = shape[axis];
  bool const periodic = image.periodic[index_of(axis)];
  std::vector<float> to(from.size());
  in_parallel(shape.z, [&](std::int64_t z) {
    for (Int3 at{0, 0, z}; at.y < shape.y; ++at.y) {
      for (at.x = 0; at.x < shape.x; ++at.x) {
        float sum = weights[0] * from[linear_index(shape, at)];
        for (std::size_t d = 1; d < weights.size(); ++d) {
          for (int const side : {-1, 1}) {
            Int3 there = at;
            there[axis] = inside(at[axis] + side * static_cast<std::int64_t>(d), length, periodic);
            sum += weights[d] * from[linear_index(shape, there)];
          }
        }
        to[linear_index(shape, at)] = sum;
      }
    }
  });
  return to;
}

/// Linear between the centres of the voxels.
class Interpolated {
 public:
  Interpolated(Geometry const& image, std::vector<float> const& values, int factor)
      : image_(image), values_(values), factor_(factor) {}

  /// At the centre of a fine voxel.
  float operator()(Int3 fine) const {
    std::array<std::array<std::int64_t, 2>, 3> at{};
    std::array<float, 3> beyond{};
    for (Axis a : all_axes) {
      std::size_t const i = index_of(a);
      double const place = (static_cast<double>(fine[a]) + 0.5) / factor_ - 0.5;
      auto const below = static_cast<std::int64_t>(std::floor(place));
      beyond[i] = static_cast<float>(place - static_cast<double>(below));
      for (std::int64_t side = 0; side < 2; ++side)
        at[i][static_cast<std::size_t>(side)] =
            inside(below + side, image_.shape[a], image_.periodic[i]);
    }
    float sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      float weight = 1;
      Int3 voxel;
      for (Axis a : all_axes) {
        std::size_t const side = corner >> index_of(a) & 1;
        weight *= side == 1 ? beyond[index_of(a)] : 1 - beyond[index_of(a)];
        voxel[a] = at[index_of(a)][side];
      }
      sum += weight * values_[linear_index(image_.shape, voxel)];
    }
    return sum;
  }

 private:
  Geometry const& image_;
  std::vector<float> const& values_;
  int factor_;
};

/// Visits all voxels of a layer: visit(index, voxel).
template <class Visit>
void for_each_in_layer(Int3 shape, std::int64_t z, Visit&& visit) {
  auto i = static_cast<std::size_t>(z * shape.x * shape.y);
  for (Int3 at{0, 0, z}; at.y < shape.y; ++at.y) {
    for (at.x = 0; at.x < shape.x; ++at.x) visit(i++, at);
  }
}

constexpr std::size_t levels = 1 << 17;

std::size_t level_of(float value) {
  return std::min(static_cast<std::size_t>(std::max(value, 0.0F) * static_cast<float>(levels)),
                  levels - 1);
}

/// The level above which so many of the values lie.
std::size_t level_of_share(Int3 shape, Interpolated const& field, double share) {
  std::vector<std::int64_t> count(levels);
  std::mutex mutex;
  in_parallel_ranges(shape.z, 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> own(levels);
    for (std::int64_t z = begin; z < end; ++z)
      for_each_in_layer(shape, z, [&](std::size_t, Int3 at) { ++own[level_of(field(at))]; });
    std::lock_guard const lock(mutex);
    std::ranges::transform(own, count, count.begin(), std::plus());
  });
  auto const wanted = static_cast<double>(volume(shape)) * share;
  double above = 0;
  for (std::size_t level = levels; level-- > 0;) {
    auto const here = static_cast<double>(count[level]);
    // The nearer of the two sides.
    if (above + here > wanted) return wanted - above > above + here - wanted ? level : level + 1;
    above += here;
  }
  return 0;
}

}  // namespace

Geometry repeated(Geometry const& image, int factor) {
  Geometry box = finer_box(image, factor);
  in_parallel(box.shape.z, [&](std::int64_t z) {
    for_each_in_layer(box.shape, z, [&](std::size_t i, Int3 at) {
      box.pore[i] =
          image.pore[linear_index(image.shape, {at.x / factor, at.y / factor, at.z / factor})];
    });
  });
  return box;
}

Geometry smoothed(Geometry const& image, int factor, double width) {
  std::vector<float> const weights = gaussian(width);
  std::vector<float> values(image.pore.begin(), image.pore.end());
  for (Axis const axis : all_axes) values = smoothed_along(axis, image, values, weights);
  Geometry box = finer_box(image, factor);
  Interpolated const field(image, values, factor);
  double const share_of_pores =
      static_cast<double>(image.pore_voxels()) / static_cast<double>(volume(image.shape));
  std::size_t const level = level_of_share(box.shape, field, share_of_pores);
  in_parallel(box.shape.z, [&](std::int64_t z) {
    for_each_in_layer(box.shape, z, [&](std::size_t i, Int3 at) {
      box.pore[i] = level_of(field(at)) >= level ? 1 : 0;
    });
  });
  return box;
}

}  // namespace tessera
