// SPDX-License-Identifier: MIT
#include "permeability/flows/flow_for_k.hpp"

#include "base/errors.hpp"
#include "geometry/connectivity.hpp"
#include "permeability/flows/solved_flow.hpp"

namespace tessera {

char const* ImageAnswer::state() const {
  if (!answered()) return "no answer";
  return leads_through ? "converged" : "closed";
}

void FlowForK::prepare(Geometry const& image) {
  answer_.porosity = image.porosity();
  answer_.percolating_porosity =
      PoreComponents(image, links_of(asked_.model.lattice)).percolating_porosity(axis_);
  answer_.leads_through = answer_.percolating_porosity > 0;
  if (answer_.leads_through) box_ = prepare_box(image, axis_, asked_);
}

void FlowForK::solve(Workers const& workers, std::atomic<bool> const& stop) {
  if (!box_) return;
  try {
    StokesSpaces spaces;
    SolvedFlow flow(*box_, asked_, workers, spaces, false);
    PermeabilityOutcome const outcome = flow.run_for_k({.stop = &stop});
    answer_.k_lattice = outcome.last.k_lattice;
    answer_.error_estimate = outcome.error();
    answer_.iterations = outcome.last.step;
    if (outcome.end == RunEnd::interrupted) {
      answer_.failure = "it was interrupted";
    } else if (outcome.end != RunEnd::settled) {
      answer_.failure = "it did not settle";
    }
  } catch (BadInput const& error) {  // pores without a wall
    answer_.failure = error.what();
  }
  box_.reset();
}

}  // namespace tessera
