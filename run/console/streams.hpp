// SPDX-License-Identifier: MIT
// Standard output and standard error, which may be closed, full, or a pipe that nobody reads.
#pragma once

#include <functional>
#include <string_view>

namespace tessera {

/// Opens streams that are closed, so that no file gets the number of one and what is printed to it.
/// Writing to standard output still fails. To be called first.
void occupy_closed_streams();

/// Ignores SIGPIPE: a pipe that nobody reads any more must not end a run of hours.
void survive_broken_pipes();

/// Calls `print` on rank 0, which prints to standard output. Warns, and drops the output, if it
/// does not arrive.
void print_all(std::function<void()> const& print);

/// Writes to standard error; failure is ignored.
void say(std::string_view text) noexcept;

}  // namespace tessera
