// SPDX-License-Identifier: MIT
// Arrays distributed over the processes, in checkpoints: there the parts follow each other, as a
// single process would have them.
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

/// All ranks: writes arrays of the same names. `writer`: rank 0's; null: nothing is written. Throws
/// on rank 0, when all are done.
void save_spread_arrays(CheckpointWriter* writer, std::vector<SpreadArray> const& arrays);

/// All ranks: fills the own part from a saved array, which must be as long as all parts together;
/// returns whether it is.
template <class Value>
bool restore_spread_array(CheckpointReader const& checkpoint, std::string const& name,
                          std::span<Value> own);

}  // namespace tessera
