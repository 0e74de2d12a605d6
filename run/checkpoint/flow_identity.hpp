// SPDX-License-Identifier: MIT
// The flow that a checkpoint belongs to: what must be the same for a run to resume from it, and
// what may change but makes another flow from there on. What is not here (outputs, tolerances,
// tiles, workers) changes nothing in the flow.
#pragma once

#include <string>
#include <vector>

#include "base/storage.hpp"
#include "io/json.hpp"

namespace tessera {

/// Values by names as they stand in messages: "relaxation time", "boundary x-".
struct FlowIdentity {
  std::string command;  ///< of tessera: a permeability is judged otherwise than a case
  Precision precision = Precision::single_precision;
  Json flow;        ///< with another one the state means nothing
  Json parameters;  ///< with other ones the state is an initial state, no longer the flow's own
};

/// A value that has changed; null where there was or is none.
struct Difference {
  std::string name;
  Json was;
  Json is;
};

/// Differences between two sets of values. Numbers that differ by rounding only, as on other
/// machines, are equal.
std::vector<Difference> differences(Json const& was, Json const& is);

/// A difference in words: "relaxation time 0.6 -> 2".
std::string describe(Difference const& difference);

}  // namespace tessera
