// SPDX-License-Identifier: MIT
// What all ranks are given alike: options, files. Where one is given something else, the ranks
// would compute a mixture, or wait for each other for ever.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// All: whose text is not that of the first rank, by rank and host: "rank 1 (node7) and rank 3
/// (node9)"; empty if all have the same.
std::string ranks_unlike_first(std::span<std::string const> of_ranks);

/// All: throws BadInputOfAll "WHAT: another one is there for rank 1 (node7) than for rank 0: ..."
/// unless all have the same text for it. An empty text: there is none.
void expect_same_for_all(std::string_view what, std::string const& own);

}  // namespace tessera
