// SPDX-License-Identifier: MIT
#include "graph/worker_team.hpp"

#include <starpu.h>

#include <exception>
#include <map>
#include <string>

#include "graph/runtime/runtime.hpp"
#include "graph/tasks/on_gpu.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera {
namespace {

/// The argument of a member's task.
struct Part {
  int member = 0;
  Rounds* rounds = nullptr;
  std::function<void()> const* work = nullptr;
  std::exception_ptr* failure = nullptr;
};

void take_part(void** /*buffers*/, void* argument) noexcept {
  Part const& part = *static_cast<Part const*>(argument);
  if (part.member > 0) return part.rounds->take_part(part.member);
  try {
    (*part.work)();
  } catch (...) {
    *part.failure = std::current_exception();
  }
  part.rounds->dismiss();
}

/// The codelet of the tasks of a name: traces show it.
starpu_codelet& codelet_called(char const* name) {
  static std::map<std::string, starpu_codelet> all;
  auto const [found, is_new] = all.try_emplace(name);
  if (is_new) {
    found->second = {.cpu_funcs = {take_part},
                     .cuda_funcs = {TESSERA_ON_GPU(take_part)},
                     .nbuffers = STARPU_VARIABLE_NBUFFERS,
                     .name = name};
  }
  return found->second;
}

std::vector<Home> homes_of(Domain const& domain, std::size_t members) {
  std::vector<Home> homes(members);
  for (std::size_t m = 0; m < members; ++m)
    homes[m].move_to({.kinds = domain.kind, .worker = domain.workers[m]});
  return homes;
}

std::vector<Home> homes_of_team() {
  std::vector<Domain> const gpus = Runtime::domains(false);
  if (!gpus.empty()) return homes_of(gpus.front(), 1);
  Domain const cores = Runtime::cores();
  return homes_of(cores, cores.workers.size());
}

}  // namespace

WorkerTeam::WorkerTeam()
    : on_gpu_(!Runtime::domains(false).empty()),
      homes_(homes_of_team()),
      order_(DataHandle::without_content()) {}

void WorkerTeam::run(char const* name, std::function<void()> const& work) {
  std::exception_ptr failure;
  rounds_.emplace(members());
  std::vector<Part> parts;
  parts.reserve(homes_.size());
  for (int member = 0; member < members(); ++member)
    parts.push_back({member, &*rounds_, &work, &failure});
  for (Part& part : parts) {
    Accesses accesses;
    if (part.member == 0) accesses.updates(order_);
    submit(codelet_called(name), accesses, &part,
           {.home = &homes_[static_cast<std::size_t>(part.member)]});
  }
  starpu_task_wait_for_all();
  rounds_.reset();
  if (failure) std::rethrow_exception(failure);
}

void WorkerTeam::share(std::function<void(int)> const& part) {
  if (rounds_) return rounds_->run(part);
  for (int member = 0; member < members(); ++member) part(member);
}

}  // namespace tessera
