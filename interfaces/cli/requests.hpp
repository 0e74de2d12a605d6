// SPDX-License-Identifier: MIT
// From the options of the library, which are those of the commands, to what the rooms below are
// asked for: names become values, and each value is checked. All throw BadInput, one line.
#pragma once

#include <cstddef>
#include <thread>

#include "interfaces/api/tessera.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/studies/diffusion_study.hpp"
#include "permeability/studies/forchheimer_study.hpp"
#include "permeability/studies/phase_study.hpp"
#include "permeability/studies/rev.hpp"

namespace tessera {

PermeabilityRequest request_of(PermeabilityOptions const& options);
RevRequest request_of(RevOptions const& options);
ForchheimerRequest request_of(ForchheimerOptions const& options);
PhasesRequest request_of(PhasesOptions const& options);
DiffusionRequest request_of(DiffusionOptions const& options);

/// Starts GPUs on a thread, one for each of so many flows, if the request may have work for them
/// and no other process may be the one that computes on them.
std::jthread start_gpus_for(PermeabilityRequest const& request, std::size_t flows = 1);
/// One for each cube of a study and axis, likewise.
std::jthread start_gpus_for(RevRequest const& request);

}  // namespace tessera
