// SPDX-License-Identifier: MIT
// Data that move between a GPU's memory and main memory when the application says so.
#pragma once

#include "graph/tasks/data_handle.hpp"

namespace tessera {

/// Transfers a datum to main memory after the tasks submitted so far; its buffers elsewhere become
/// free.
void submit_departure(DataHandle const& leaves);

/// Transfers `leaves` to main memory as submit_departure() does and then `comes` to `memory`. Tasks
/// on `comes` that are submitted from now on wait for its transfer.
void submit_swap(DataHandle const& leaves, DataHandle const& comes, unsigned memory);

}  // namespace tessera
