// SPDX-License-Identifier: MIT
// Options and files must be the same on all ranks; otherwise the ranks would compute a mixture, or
// block for ever.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// Collective: the ranks whose text differs from that of rank 0, with their hosts: "rank 1 (node7)
/// and rank 3 (node9)"; empty if none does.
std::string ranks_unlike_first(std::span<std::string const> of_ranks);

/// Collective: throws BadInputOfAll "WHAT: another one is there for rank 1 (node7) than for rank 0:
/// ..." unless all have the same text. An empty text means that there is no such thing.
void expect_same_for_all(std::string_view what, std::string const& own);

}  // namespace tessera
