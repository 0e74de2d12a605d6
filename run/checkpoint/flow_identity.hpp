// SPDX-License-Identifier: MIT
// Which flow a checkpoint is of: what must be the same for a run to go on from it, and what may
// change but makes another flow from there on. What is not here (outputs, tolerances, tiles,
// workers) changes nothing in the flow.
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
  Json parameters;  ///< with others the state is one to begin with, but no longer the flow's own
};

/// A value that is not what it was; null where there was or is none.
struct Difference {
  std::string name;
  Json was;
  Json is;
};

/// Numbers that differ by rounding only, as other machines choose them, are the same.
std::vector<Difference> differences(Json const& was, Json const& is);

/// "relaxation time 0.6 -> 2".
std::string describe(Difference const& difference);

}  // namespace tessera
