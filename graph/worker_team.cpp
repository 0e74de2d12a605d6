// SPDX-License-Identifier: MIT
#include "graph/worker_team.hpp"

#include <starpu.h>

#include <exception>
#include <map>
#include <string>
#include <utility>

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

/// The codelet of the tasks of a name, which traces show.
starpu_codelet& codelet_called(char const* name, starpu_cpu_func_t function) {
  static std::map<std::string, starpu_codelet> all;
  auto const [found, is_new] = all.try_emplace(name);
  if (is_new) {
    found->second = {.cpu_funcs = {function},
                     .cuda_funcs = {TESSERA_ON_GPU(function)},
                     .nbuffers = 1,
                     .modes = {STARPU_RW},
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

/// Waits for the tasks that update a datum, and moves nothing.
void wait_for(DataHandle const& data) {
  starpu_data_acquire_on_node(data.get(), STARPU_ACQUIRE_NO_NODE, STARPU_RW);
  starpu_data_release_on_node(data.get(), STARPU_ACQUIRE_NO_NODE);
}

}  // namespace

WorkerTeam::WorkerTeam()
    : on_gpu_(!Runtime::domains(false).empty()), homes_(homes_of_team()), orders_(homes_.size()) {
  for (DataHandle& order : orders_) order = DataHandle::without_content();
}

void WorkerTeam::run(char const* name, std::function<void()> const& work) {
  std::exception_ptr failure;
  rounds_.emplace(members());
  std::vector<Part> parts;
  parts.reserve(homes_.size());
  for (int member = 0; member < members(); ++member)
    parts.push_back({member, &*rounds_, &work, &failure});
  for (Part& part : parts) {
    auto const member = static_cast<std::size_t>(part.member);
    submit(codelet_called(name, take_part), Accesses().updates(orders_[member]), &part,
           {.home = &homes_[member]});
  }
  for (DataHandle const& order : orders_) wait_for(order);
  rounds_.reset();
  if (failure) std::rethrow_exception(failure);
}

void WorkerTeam::share(std::function<void(int)> const& part) {
  if (rounds_) return rounds_->run(part);
  for (int member = 0; member < members(); ++member) part(member);
}

WorkBeside::WorkBeside(char const* name, std::function<void()> work)
    : work_(std::move(work)), done_(DataHandle::without_content()) {
  submit(codelet_called(name, do_work), Accesses().updates(done_), this, {.kinds = STARPU_CPU});
}

void WorkBeside::do_work(void** /*buffers*/, void* argument) noexcept {
  auto& beside = *static_cast<WorkBeside*>(argument);
  try {
    beside.work_();
  } catch (...) {
    beside.failure_ = std::current_exception();
  }
}

void WorkBeside::finish() {
  done_ = {};
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace tessera
