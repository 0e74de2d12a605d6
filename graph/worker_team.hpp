// SPDX-License-Identifier: MIT
// The workers that compute one flow together: each piece of work is a task on one of them, and on
// cores a task on each of the others, in which it helps. And work that goes on beside them.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "base/machine/standing_team.hpp"
#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/home.hpp"

namespace tessera {

class WorkerTeam {
 public:
  /// All cores of the Runtime, which must be there and outlive the team; the worker of its first
  /// GPU instead, if it has GPUs.
  WorkerTeam();

  bool on_gpu() const { return on_gpu_; }
  int members() const { return static_cast<int>(homes_.size()); }

  /// Runs the work as a task of that name, and returns when it has ended. What it throws is thrown
  /// again. The name must live on.
  void run(char const* name, std::function<void()> const& work);
  /// Calls part(member), which must not throw, on each member while run() works, else for one after
  /// the other in this thread, and returns when all are done.
  void share(std::function<void(int)> const& part);

 private:
  bool on_gpu_ = false;
  std::vector<Home> homes_;         ///< of the members
  std::vector<DataHandle> orders_;  ///< of each member: one piece of work after the other
  std::optional<Rounds> rounds_;    ///< while run() works
};

/// A piece of work that goes on beside those of a team: a task on a core, which the Runtime must
/// have.
class WorkBeside {
 public:
  /// Submits it. The name must live on.
  WorkBeside(char const* name, std::function<void()> work);
  /// Waits for it.
  ~WorkBeside() = default;
  WorkBeside(WorkBeside const&) = delete;
  WorkBeside& operator=(WorkBeside const&) = delete;

  /// Waits for it, and throws what it threw.
  void finish();

 private:
  static void do_work(void** buffers, void* argument) noexcept;

  std::function<void()> work_;
  std::exception_ptr failure_;
  DataHandle done_;  ///< the last member: its end waits for the task
};

}  // namespace tessera
