// SPDX-License-Identifier: MIT
// What keeps a crash in ParaView's code, or in a library that a script loads, from ending the run.
//
// It happens on the one thread that runs scripts, which only reads copies of the flow. So that
// thread is stopped where it is, for good, and the others go on. What it held is lost: its memory,
// Python's lock; what it has overwritten by mistake cannot be known.
#pragma once

namespace tessera {

/// From now on, if the calling thread crashes (a segmentation fault, an abort ...) or calls exit(),
/// it stops, and the process goes on. One thread of a process.
void guard_this_thread();
/// What the guarded thread was stopped for: "segmentation fault"; null as long as it runs.
char const* crash();
/// Ends the process. After a crash without the destructors of libraries that are in disorder.
[[noreturn]] void leave(int status);

}  // namespace tessera
