// SPDX-License-Identifier: MIT
// The published solver's routines do what the fused stage does.
#include <gtest/gtest.h>

#include "bench/literature/spectral/spectral_mesh.hpp"
#include "bench/literature/spectral/unfused_parts.hpp"

namespace tessera {
namespace {

TEST(Unfused, DoesWhatTheFusedStageDoesInBothVersionsAndLayouts) {
  for (int const dimension : {2, 3}) {
    for (int p = 1; p <= 6; ++p) {
      UnfusedCase with{dimension, p, {3, 4, dimension == 3 ? 2 : 1}};
      spectral::MeshOfGas const of = box_of_gas(dimension, with.cells, uniform_degree(p));
      auto const fused =
          fused_on_core({.of = &of, .parameters = {.integrator = spectral::Integrator::jameson}});
      fused->run(8);
      std::vector<double> const expected = fused->first_state();
      for (int const version : {1, 2}) {
        for (auto const layout : {UnfusedLayout::variables_first, UnfusedLayout::points_first}) {
          with.version = version;
          with.layout = layout;
          auto const plain = unfused_on_core(with);
          plain->run(8);
          std::vector<double> const found = plain->first_state();
          for (std::size_t v = 0; v < 5; ++v) {
            EXPECT_NEAR(found[v], expected[v], 1e-13)
                << dimension << "-D, degree " << p << ", version " << version;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
