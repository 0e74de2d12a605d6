// SPDX-License-Identifier: MIT
// Tasks are computed where the home of their tile is when they are ready, whichever policy of
// StarPU's chooses for all others.
#include <gtest/gtest.h>
#include <starpu.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera {
namespace {

void note_worker(void** /*buffers*/, void* argument) {
  *static_cast<int*>(argument) = starpu_worker_get_id();
}

void wait_for_flag(void** /*buffers*/, void* argument) {
  while (!static_cast<std::atomic<bool> const*>(argument)->load()) std::this_thread::yield();
}

starpu_codelet codelet_of(starpu_cpu_func_t function) {
  return {.cpu_funcs = {function}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = "home test"};
}

class Homes : public testing::TestWithParam<char const*> {
 protected:
  /// The workers of so many tasks of a home.
  std::vector<int> workers_of(Home const& home, std::size_t tasks) {
    std::vector<int> workers(tasks, -1);
    for (int& worker : workers) submit(note_, {}, &worker, {.home = &home});
    starpu_task_wait_for_all();
    return workers;
  }

  Runtime runtime_{GetParam(), 3};
  std::vector<int> cores_ = Runtime::cores().workers;
  starpu_codelet note_ = codelet_of(note_worker);
};

TEST_P(Homes, HaveTheirTasksOnTheirWorker) {
  for (int const core : cores_) {
    Home const home({.kinds = STARPU_CPU, .worker = core});
    EXPECT_EQ(workers_of(home, 20), std::vector<int>(20, core));
  }
}

TEST_P(Homes, TakeTheTasksAlongThatAreNotReady) {
  starpu_codelet wait = codelet_of(wait_for_flag);
  std::atomic<bool> go = false;
  DataHandle const order = DataHandle::without_content();
  Home home({.kinds = STARPU_CPU, .worker = cores_[0]});
  std::vector<int> workers(5, -1);
  submit(wait, Accesses().updates(order), &go, {.home = &home});
  for (int& worker : workers) submit(note_, Accesses().updates(order), &worker, {.home = &home});
  home.move_to({.kinds = STARPU_CPU, .worker = cores_[1]});
  go = true;
  starpu_task_wait_for_all();
  EXPECT_EQ(workers, std::vector<int>(5, cores_[1]));
}

TEST_P(Homes, OfAllCoresLeaveItToThePolicy) {
  Home const home({.kinds = STARPU_CPU});
  for (int const worker : workers_of(home, 20)) EXPECT_GE(worker, 0);
}

TEST_P(Homes, ThatCannotRunATaskLeaveItToOthers) {
  Home const home({.kinds = STARPU_CUDA});
  for (int const worker : workers_of(home, 20)) EXPECT_GE(worker, 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, Homes, testing::Values("lws", "eager", "dmdas", "random"),
                         [](auto const& named) { return std::string(named.param); });

}  // namespace
}  // namespace tessera
