// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <vector>

namespace tessera::fuzz {

/// One of the inputs with a few random changes: bits, bytes, numbers, pieces left out, doubled or
/// taken from another input. At most `most_bytes` long.
std::string mutated(std::vector<std::string> const& inputs, std::size_t most_bytes,
                    std::mt19937_64& random);

}  // namespace tessera::fuzz
