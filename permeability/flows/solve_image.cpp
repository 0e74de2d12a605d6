// SPDX-License-Identifier: MIT
#include "permeability/flows/solve_image.hpp"

#include "base/errors.hpp"
#include "geometry/connectivity.hpp"
#include "permeability/flows/solved_flow.hpp"

namespace tessera {

char const* ImageAnswer::state() const {
  if (!answered()) return "no answer";
  return leads_through ? "converged" : "closed";
}

ImageAnswer solve_image(Geometry const& image, Axis axis, PermeabilityCase const& asked,
                        Workers const& workers, std::atomic<bool> const& stop) {
  ImageAnswer found{.porosity = image.porosity()};
  found.percolating_porosity =
      PoreComponents(image, links_of(asked.model.lattice)).percolating_porosity(axis);
  found.leads_through = found.percolating_porosity > 0;
  if (!found.leads_through) return found;
  try {
    PreparedBox box = prepare_box(image, axis, asked);
    StokesSpaces spaces;
    SolvedFlow flow(box, asked, workers, spaces, false);
    PermeabilityOutcome const outcome = flow.run({}, {.stop = &stop});
    found.k_lattice = outcome.last.k_lattice;
    found.error_estimate = outcome.error();
    found.iterations = outcome.last.step;
    if (outcome.end == RunEnd::interrupted) {
      found.failure = "it was interrupted";
    } else if (outcome.end != RunEnd::settled) {
      found.failure = "it did not settle";
    }
  } catch (BadInput const& error) {  // pores without a wall
    found.failure = error.what();
  }
  return found;
}

}  // namespace tessera
