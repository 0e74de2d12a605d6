// SPDX-License-Identifier: MIT
// Data that travel between the processes of a run: in order with the tasks that use them, which
// StarPU sees to.
#pragma once

#include <cstdint>

#include "graph/tasks/data_handle.hpp"

namespace tessera {

/// Says of a datum what it will receive, for messages that come early.
void expect_messages(DataHandle const& data, int rank, std::int64_t tag);

/// Sends a datum, as it is after the tasks submitted so far, to another rank, which must receive it
/// by the same tag. Of two with one tag to one rank the first is received first. Returns at once.
void submit_send(DataHandle const& data, int rank, std::int64_t tag);

/// Receives into a datum what a rank sends by this tag, behind the tasks submitted so far.
void submit_receive(DataHandle const& data, int rank, std::int64_t tag);

}  // namespace tessera
