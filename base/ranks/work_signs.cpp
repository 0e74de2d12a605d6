// SPDX-License-Identifier: MIT
#include "base/ranks/work_signs.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace tessera {
namespace {

/// Less of a core is what threads need that wake up, find nothing, and sleep again.
constexpr double least_share = 1e-3;

struct LeftOut {
  std::mutex mutex;
  std::vector<int> waiting;  ///< threads, each as often as it waits
  std::int64_t waits_ended = 0;
  std::vector<std::string> names;
};

LeftOut& left_out() {
  static LeftOut all;
  return all;
}

int this_thread() {
  thread_local int const number = static_cast<int>(syscall(SYS_gettid));
  return number;
}

bool begins_with_any(std::string const& name, std::vector<std::string> const& beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](auto const& begin) { return name.starts_with(begin); });
}

}  // namespace

WorkSigns::Waiting::Waiting() {
  std::lock_guard const lock(left_out().mutex);
  left_out().waiting.push_back(this_thread());
}

WorkSigns::Waiting::~Waiting() {
  std::lock_guard const lock(left_out().mutex);
  auto& waiting = left_out().waiting;
  waiting.erase(std::ranges::find(waiting, this_thread()));
  ++left_out().waits_ended;
}

bool WorkSigns::anybody_waits() {
  std::lock_guard const lock(left_out().mutex);
  return !left_out().waiting.empty();
}

void WorkSigns::leave_out(std::string const& name) {
  std::lock_guard const lock(left_out().mutex);
  auto& names = left_out().names;
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// As proc(5) has it.
bool WorkSigns::read(std::string const& task, Counters& counters) {
  std::ifstream times(task + "/schedstat");
  std::ifstream moved(task + "/io");
  if (!(times >> counters.nanoseconds)) return false;
  std::string what;
  for (std::int64_t number = 0; moved >> what >> number;) {
    if (what == "rchar:" || what == "wchar:" || what == "read_bytes:" || what == "write_bytes:")
      counters.bytes += number;
  }
  return !what.empty();
}

bool WorkSigns::since_last() {
  std::vector<int> waiting;
  std::vector<std::string> names;
  std::int64_t waits_ended = 0;
  {
    std::lock_guard const lock(left_out().mutex);
    waiting = left_out().waiting;
    names = left_out().names;
    waits_ended = left_out().waits_ended;
  }
  bool work = std::exchange(waits_ended_, waits_ended) != waits_ended;
  std::int64_t computed = 0;
  std::map<int, Counters> threads;
  std::error_code error;
  for (auto const& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string const number = entry.path().filename().string();
    int thread = 0;
    std::from_chars(number.data(), number.data() + number.size(), thread);
    Counters now;
    if (!read(entry.path().string(), now)) continue;
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    Counters const before = threads_[thread];
    threads[thread] = now;
    if (thread == this_thread() || std::ranges::find(waiting, thread) != waiting.end() ||
        begins_with_any(name, names))
      continue;
    computed += now.nanoseconds - before.nanoseconds;
    work = work || now.bytes != before.bytes;
  }
  threads_ = std::move(threads);
  auto const now = std::chrono::steady_clock::now();
  std::chrono::duration<double, std::nano> const passed = now - std::exchange(asked_, now);
  return work || threads_.empty() || static_cast<double>(computed) > least_share * passed.count();
}

}  // namespace tessera
