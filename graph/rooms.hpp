// SPDX-License-Identifier: MIT
// Which tiles change places with each other in a memory that does not hold all of them: out-of-core
// computing, with main memory behind a GPU's.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/step_order.hpp"

namespace tessera {

/// One tile leaves the memory, and another comes into the room that it had.
struct Swap {
  Visit leaves;  ///< after its last step
  Visit comes;   ///< before its first step
};

/// The swaps of a sweep by the wave after which they begin, in memories that hold `rooms` tiles
/// each: the visit after next but `rooms` takes the room of a visit. So exactly as many tiles are
/// there at any time, in use or in transfer; and the tiles of the last visits stay for the next
/// sweep, which begins with them. 0 rooms: no swaps.
///
/// Tiles of different domains do not swap. There is no swap either for a visit that begins before
/// the other has ended, as there is no room.
std::vector<std::vector<Swap>> swaps_of(Sweep const& sweep, std::int32_t rooms,
                                        std::vector<std::int32_t> const& domain_of_tile);

/// Whether a tile is among the first `rooms` of its domain in a sweep: by tile.
std::vector<bool> first_in(Sweep const& sweep, std::int32_t rooms,
                           std::vector<std::int32_t> const& domain_of_tile);

}  // namespace tessera
