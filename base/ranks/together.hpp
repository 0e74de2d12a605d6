// SPDX-License-Identifier: MIT
// Work whose input may be bad for one rank alone.
#pragma once

#include <string>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

/// Bad input that all ranks know of: none needs to end the job for the others.
class BadInputOfAll : public BadInput {
 public:
  using BadInput::BadInput;
};

/// All: what `work` gives. Where it throws BadInput on one of them, all throw BadInputOfAll: one by
/// itself would leave the others waiting, in StarPU's end too.
template <class Work>
auto together(Work&& work) -> decltype(work()) {
  decltype(work()) done{};
  std::string bad;
  try {
    done = work();
  } catch (BadInput const& error) {
    bad = error.what();
  }
  Ranks::said_by_first(0);  // who has often most to do: the others sleep meanwhile
  int rank = 0;
  for (std::string const& of_rank : Ranks::all_texts(bad)) {
    std::string const who = rank == 0 ? "" : "rank " + std::to_string(rank) + ": ";
    if (!of_rank.empty()) throw BadInputOfAll(who + of_rank);
    ++rank;
  }
  return done;
}

}  // namespace tessera
