// SPDX-License-Identifier: MIT
// Data that move between a GPU's memory and main memory when the application says so.
#pragma once

#include "graph/tasks/data_handle.hpp"

namespace tessera {

/// After the tasks submitted so far a datum goes to main memory, and its buffers elsewhere become
/// free.
void submit_departure(DataHandle const& leaves);

/// The same; and as soon as it has gone, another comes to `memory`. Tasks on it that are submitted
/// from now on wait for that.
void submit_swap(DataHandle const& leaves, DataHandle const& comes, unsigned memory);

}  // namespace tessera
