// SPDX-License-Identifier: MIT
// Whether error estimates hold, over many conductors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "conductors.hpp"

namespace tessera {
namespace {

constexpr std::int64_t size = 36;

/// Normal noise, blurred along each axis with a window of 2 radius + 1 voxels; periodic.
std::vector<double> blurred_noise(std::int64_t radius, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> field(static_cast<std::size_t>(size * size * size));
  for (double& value : field) value = normal(random);
  std::array<std::int64_t, 3> const strides{1, size, size * size};
  for (int pass = 0; pass < 2; ++pass) {
    for (std::int64_t const stride : strides) {
      std::vector<double> const from = field;
      for (std::int64_t i = 0; i < size * size * size; ++i) {
        std::int64_t const at = i / stride % size;
        double sum = 0;
        for (std::int64_t d = -radius; d <= radius; ++d)
          sum += from[static_cast<std::size_t>(i + ((at + d + size) % size - at) * stride)];
        field[static_cast<std::size_t>(i)] = sum;
      }
    }
  }
  return field;
}

/// Voxels up to each of the shares, in the order of the field's values, conduct its value.
struct Phase {
  double up_to;
  double conducts;
};
Conductor conductor_by(std::vector<double> const& field, std::vector<Phase> const& phases,
                       bool periodic) {
  std::vector<double> sorted = field;
  std::ranges::sort(sorted);
  return test::conductor_of({size, size, size}, periodic, [&](Int3 at) {
    double const value = field[linear_index({size, size, size}, at)];
    for (Phase const& phase : phases) {
      auto const rank = static_cast<std::size_t>(phase.up_to * static_cast<double>(sorted.size()));
      if (rank >= sorted.size() || value < sorted[rank]) return phase.conducts;
    }
    return 0.0;
  });
}

TEST(LongDiffusion, EstimatesHoldForFortyConductors) {
  std::vector<std::vector<Phase>> const kinds{{{0.3, 1}},
                                              {{0.5, 1}},
                                              {{0.7, 1}},
                                              {{0.3, 1}, {0.6, 0.05}},
                                              {{0.4, 0.001}, {1, 1}},
                                              {{0.2, 1}, {0.6, 1e-4}, {1, 100}}};
  double worst = 0;
  int beyond = 0;
  int trials = 0;
  unsigned seed = 0;
  for (std::int64_t const radius : {0, 1, 2, 4}) {
    for (std::vector<Phase> const& phases : kinds) {
      for (bool const periodic : {false, true}) {
        if (radius == 0 && phases.front().up_to < 0.5 && phases.size() == 1) continue;
        Conductor const conductor = conductor_by(blurred_noise(radius, ++seed), phases, periodic);
        double const exact = test::solved(conductor, Axis::x, 1e-12).estimate.conductivity;
        for (double const tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
          DiffusionEstimate const found = test::solved(conductor, Axis::x, tolerance).estimate;
          double const error = found.conductivity / exact - 1;
          worst = std::max(worst, error / found.error_estimate);
          beyond += error > tolerance ? 1 : 0;
          ++trials;
          EXPECT_LE(error, 2 * found.error_estimate)
              << "radius " << radius << ", phases " << phases.size() << ", " << tolerance;
        }
      }
    }
  }
  RecordProperty("worst error over estimate", std::to_string(worst));
  std::printf("%d trials, worst error over estimate %.3f, %d beyond the tolerance\n", trials, worst,
              beyond);
  EXPECT_EQ(beyond, 0);
}

}  // namespace
}  // namespace tessera
