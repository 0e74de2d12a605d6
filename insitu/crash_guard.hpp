// SPDX-License-Identifier: MIT
// Keeps a crash in ParaView's code, or in a library that a script loads, from ending the run.
//
// Such a crash happens on the one thread that runs scripts, which only reads copies of the flow. So
// that thread is stopped for good where it is, and the others continue. What it held is lost: its
// memory, Python's lock; memory that it may have overwritten is not detected.
#pragma once

namespace tessera {

/// If the calling thread crashes from now on (a segmentation fault, an abort ...) or calls exit(),
/// it stops, and the process continues; where the program exports _exit() and _Exit(), which stand
/// in crash_guard.cpp, also if a library calls these. One thread of a process can be guarded.
void guard_this_thread();
/// Why the guarded thread was stopped: "segmentation fault"; null as long as it runs.
char const* crash();
/// Ends the process; after a crash, without the destructors of libraries, whose state may be
/// corrupt.
[[noreturn]] void leave(int status);

}  // namespace tessera
