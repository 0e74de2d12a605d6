// SPDX-License-Identifier: MIT
// What decides where a tile is computed, and its names for users.
#pragma once

#include <cstdint>

#include "base/name_list.hpp"

namespace tessera {

enum class Balance : std::uint8_t {
  fixed,    ///< the cut: each tile has its worker
  dynamic,  ///< tiles have a domain, whose workers share them; from measured speeds tiles move
  free,     ///< StarPU's scheduler, for each task
};

inline constexpr NameList<Balance, 3> balance_names{
    {{"static", Balance::fixed}, {"dynamic", Balance::dynamic}, {"free", Balance::free}}};

}  // namespace tessera
