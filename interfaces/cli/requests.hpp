// SPDX-License-Identifier: MIT
// From the options of the library, which are those of the commands, to what the rooms below are
// asked for: names become values, and each value is checked. All throw BadInput, one line.
#pragma once

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

/// Starts the first GPU on a thread, if the request may have work for one and no other process may
/// be the one that computes on it.
std::jthread start_gpu_for(PermeabilityRequest const& request);

}  // namespace tessera
