// SPDX-License-Identifier: MIT
// Work whose input may be bad on one rank only.
#pragma once

#include <string>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

/// Bad input that all ranks know of, so all can end in the same way.
class BadInputOfAll : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Collective: the result of `work`. If it throws BadInput on one rank, all throw BadInputOfAll: a
/// rank that ended alone would leave the others blocked.
template <class Work>
auto together(Work&& work) -> decltype(work()) {
  decltype(work()) done{};
  std::string bad;
  try {
    done = work();
  } catch (BadInput const& error) {
    bad = error.what();
  }
  // Rank 0 often takes longest; the others wait for it without spinning.
  Ranks::broadcast_number(0);
  int rank = 0;
  for (std::string const& of_rank : Ranks::all_gather(bad)) {
    std::string const who = rank == 0 ? "" : "rank " + std::to_string(rank) + ": ";
    if (!of_rank.empty()) throw BadInputOfAll(who + of_rank);
    ++rank;
  }
  return done;
}

}  // namespace tessera
