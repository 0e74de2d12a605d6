// SPDX-License-Identifier: MIT
// Somebody else who computes where a worker of ours does, as another job on the machine would.
#pragma once

#include <memory>

namespace tessera {

/// Competes from start() until it is destroyed.
class Competitor {
 public:
  Competitor() = default;
  virtual ~Competitor() = default;
  Competitor(Competitor const&) = delete;
  Competitor& operator=(Competitor const&) = delete;

  virtual void start() = 0;
};

/// A thread that computes on one CPU (the operating system's count). To the operating system it
/// competes like a process.
std::unique_ptr<Competitor> competitor_on_core(int cpu);

/// A process that copies the memory of one GPU (CUDA's count) from one half to the other; the GPU
/// gives it and us time by turns. Takes 2 GiB of that memory. Throws EnvironmentError.
std::unique_ptr<Competitor> competitor_on_gpu(int device);

/// The command that such a process runs, on the one GPU that it sees; `tessera bench` hides it.
inline constexpr char const* competitor_command = "compete";
/// The life of such a process: says that it is ready, waits for a line, and competes until its
/// input ends. Throws EnvironmentError.
int compete_on_gpu();

}  // namespace tessera
