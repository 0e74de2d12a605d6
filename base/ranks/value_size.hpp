// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tessera {

/// Calls use.template operator()<bytes>() for 4, 8, 16 or 32 bytes, known when compiled.
template <class Use>
void with_value_size(std::size_t bytes, Use const& use) {
  switch (bytes) {
    case 4:
      return use.template operator()<4>();
    case 8:
      return use.template operator()<8>();
    case 16:
      return use.template operator()<16>();
    default:
      return use.template operator()<32>();
  }
}

}  // namespace tessera
