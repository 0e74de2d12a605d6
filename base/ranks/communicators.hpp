// SPDX-License-Identifier: MIT
// MPI's communicators, for libraries that use MPI themselves.
#pragma once

#include <mpi.h>

namespace tessera {

/// All three need several processes. This one is for collectives and halo exchanges of this thread
/// (Ranks::OfThread).
MPI_Comm communicator_of_all();
/// The communicator for the thread that runs scripts.
MPI_Comm communicator_of_looks();
/// The communicator for StarPU's messages.
MPI_Comm communicator_of_tasks();

}  // namespace tessera
