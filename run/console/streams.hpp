// SPDX-License-Identifier: MIT
// Standard output and standard error, which may be closed, full, or a pipe that nobody reads.
#pragma once

#include <functional>
#include <string_view>

namespace tessera {

/// To be called first: else the first files that are opened would get the numbers of streams that
/// are closed, and what is printed. What is written to standard output then fails, as before.
void occupy_closed_streams();

/// Of a run of hours: a pipe that nobody reads any more does not kill it.
void survive_broken_pipes();

/// Calls, on the first rank, what prints to standard output and sees that it arrives; if not,
/// forgets it, and says so in a warning.
void print_all(std::function<void()> const& print);

/// Writes to standard error; that it does not arrive is no reason to end.
void say(std::string_view text) noexcept;

}  // namespace tessera
