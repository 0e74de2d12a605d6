// SPDX-License-Identifier: MIT
// Which tiles change places with each other in a memory that does not hold all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/step_order.hpp"

namespace tessera {

/// One tile leaves the memory, and another comes into the room that it had.
struct Exchange {
  Visit leaves;  ///< after its last step
  Visit comes;   ///< before its first step
};

/// The exchanges of a sweep by the wave after which they begin, in memories that hold `rooms` tiles
/// each: the visit after next but `rooms` takes the room of a visit. So exactly as many tiles are
/// there at any time, in use or on their way; and those of the last visits are left when the next
/// sweep begins with them. 0 rooms: no exchanges.
///
/// Tiles of different domains do not exchange. A visit that begins before the other has ended finds
/// no room, and there is no exchange either.
std::vector<std::vector<Exchange>> exchanges_of(Sweep const& sweep, std::int32_t rooms,
                                                std::vector<std::int32_t> const& domain_of_tile);

/// Whether a tile is among the first `rooms` of its domain in a sweep: by tile.
std::vector<bool> first_in(Sweep const& sweep, std::int32_t rooms,
                           std::vector<std::int32_t> const& domain_of_tile);

}  // namespace tessera
