// SPDX-License-Identifier: MIT
#include "permeability/flows/image_answer.hpp"

namespace tessera {

char const* ImageAnswer::state() const {
  if (!answered()) return "no answer";
  return leads_through ? "converged" : "closed";
}

}  // namespace tessera
