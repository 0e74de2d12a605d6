// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tessera {

/// All: throws BadInputOfAll unless all ranks have been started with the same words, but for what
/// counts for each by itself, and are the same program. Whatever they do together depends on that.
void expect_same_command(std::span<char* const> words);

}  // namespace tessera
