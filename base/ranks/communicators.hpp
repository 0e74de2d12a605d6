// SPDX-License-Identifier: MIT
// MPI's communicators, for libraries that speak MPI themselves.
#pragma once

#include <mpi.h>

namespace tessera {

/// Of what the processes say to each other themselves, on this thread (Ranks::OfThread). There must
/// be several.
MPI_Comm communicator_of_all();
/// Of who looks at a running flow, on a thread of its own. There must be several processes.
MPI_Comm communicator_of_looks();
/// Of StarPU's messages alone. There must be several processes.
MPI_Comm communicator_of_tasks();

}  // namespace tessera
