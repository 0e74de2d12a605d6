// SPDX-License-Identifier: MIT
#include "base/ranks/ranks.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "base/errors.hpp"
#include "base/ranks/processes.hpp"

namespace tessera {
namespace {

/// Whether what all say on this thread goes apart.
thread_local bool apart = false;
/// How many ByItself there are on this thread.
thread_local int by_itself = 0;
/// Whether this is rank 0, and works alone: Ranks::first_alone().
std::atomic<bool> is_first_alone = false;

/// What launchers say to each process: its number, and how many there are, if they say that.
struct Launcher {
  char const* number;
  char const* count;
};
constexpr std::array launchers{Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                               Launcher{"PMI_RANK", "PMI_SIZE"},  // MPICH, Slurm
                               Launcher{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

Processes& processes() {
  static Processes all;
  return all;
}

bool speaks_apart() { return apart; }

/// In a shell that a launcher has started by itself there is nobody to speak to, and perhaps no
/// MPI.
std::optional<int> Ranks::rank_of_launcher() {
  for (Launcher const& launcher : launchers) {
    char const* const number = std::getenv(launcher.number);
    char const* const count = std::getenv(launcher.count);
    bool const of_one = count != nullptr && std::string_view(count) == "1";
    if (number != nullptr && !of_one) return std::atoi(number);
  }
  return std::nullopt;
}

void Ranks::expect_alone(std::string_view for_what) {
  if (alone()) return;
  throw BadInput(fmt::format("{}: expected a single process, not {} of MPI", for_what, count()));
}

int Ranks::count() { return by_itself > 0 || is_first_alone ? 1 : processes().count; }
int Ranks::rank() { return processes().number; }
int Ranks::count_on_host() { return is_first_alone ? 1 : processes().count_on_host; }
int Ranks::rank_on_host() { return processes().rank_on_host; }

Ranks::OfThread::OfThread(bool alone) {
  apart = true;
  by_itself = alone ? 1 : 0;
}
Ranks::OfThread::~OfThread() {
  apart = false;
  by_itself = 0;
}

Ranks::ByItself::ByItself() { ++by_itself; }
Ranks::ByItself::~ByItself() { --by_itself; }

int Ranks::first_alone(std::function<int()> const& work) {
  int status = 0;
  if (is_root()) {
    struct Alone {
      Alone() { is_first_alone = true; }
      ~Alone() { is_first_alone = false; }
      Alone(Alone const&) = delete;
      Alone& operator=(Alone const&) = delete;
    } const alone;
    status = work();
  }
  return static_cast<int>(broadcast_number(status));
}

}  // namespace tessera
