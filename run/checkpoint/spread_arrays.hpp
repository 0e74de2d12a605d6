// SPDX-License-Identifier: MIT
// Arrays of which each process has a part, in checkpoints: there the parts stand one behind the
// other, as one process would have them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"

namespace tessera {

struct SpreadArray {
  std::string name;
  std::variant<std::span<float const>, std::span<double const>> own;
};

/// All ranks, of the same names. `writer`: the first one's; null: nothing is written. Throws on the
/// first rank, when all are through.
void save_spread_arrays(CheckpointWriter* writer, std::vector<SpreadArray> const& arrays);

/// All ranks: fills the own part from an array that must be as long as those of all; whether it is.
template <class Value>
bool restore_spread_array(CheckpointReader const& checkpoint, std::string const& name,
                          std::span<Value> own);

}  // namespace tessera
