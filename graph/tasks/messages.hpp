// SPDX-License-Identifier: MIT
// Data that travel between the processes of a run, in order with the tasks that use them: StarPU
// keeps the order. Only several processes call these; a build without MPI has nothing behind them.
#pragma once

#include <starpu.h>

#include <cstdint>

#include "graph/tasks/data_handle.hpp"

namespace tessera {

/// starpu_init() and starpu_shutdown(), with the thread of StarPU that speaks MPI.
void start_starpu_with_messages(starpu_conf& conf);
void end_starpu_with_messages();

/// Announces the messages that a datum will receive, for those that arrive early.
void expect_messages(DataHandle const& data, int rank, std::int64_t tag);

/// Sends a datum, as it is after the tasks submitted so far, to another rank, which must receive it
/// by the same tag. Two data with one tag to one rank are received in the order of sending. Returns
/// at once.
void submit_send(DataHandle const& data, int rank, std::int64_t tag);

/// Receives into a datum what a rank sends by this tag, after the tasks submitted so far.
void submit_receive(DataHandle const& data, int rank, std::int64_t tag);

}  // namespace tessera
