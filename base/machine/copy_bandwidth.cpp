// SPDX-License-Identifier: MIT
#include "base/machine/copy_bandwidth.hpp"

#include <algorithm>

#include "base/machine/lattice_copy.hpp"

namespace tessera {

double copy_on_cores(unsigned threads) {
  constexpr std::size_t nodes = 1 << 20;
  LatticeCopy copy(nodes, threads);
  return std::max({copy.run(), copy.run(), copy.run()});
}

}  // namespace tessera
