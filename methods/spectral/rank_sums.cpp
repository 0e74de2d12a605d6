// SPDX-License-Identifier: MIT
#include "methods/spectral/rank_sums.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "base/ranks/rank_sums.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera::spectral {

void add_up_over_ranks(GasSums& measured) {
  if (Ranks::alone()) return;
  std::vector<ExactSum*> sums;
  for (ExactSum& sum : measured.sums.all()) sums.push_back(&sum);
  tessera::add_up_over_ranks(sums);

  GasExtremes& extremes = measured.extremes;
  std::vector<double> largest{-extremes.least_density, -extremes.least_pressure,
                              extremes.largest_speed, extremes.largest_mach};
  std::ranges::copy(extremes.largest_errors, std::back_inserter(largest));
  Ranks::maximum(largest);
  extremes.least_density = -largest[0];
  extremes.least_pressure = -largest[1];
  extremes.largest_speed = largest[2];
  extremes.largest_mach = largest[3];
  std::copy_n(largest.begin() + 4, variables, extremes.largest_errors);

  // The first of the broken ones: as the negative of its number, the largest.
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  std::int64_t const first =
      Ranks::maximum(measured.broken_pack < 0 ? none : -std::int64_t{measured.broken_pack});
  measured.broken_pack = first == none ? -1 : static_cast<std::int32_t>(-first);
}

}  // namespace tessera::spectral
