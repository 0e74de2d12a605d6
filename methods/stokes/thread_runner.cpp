// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <span>

#include "base/machine/standing_team.hpp"
#include "methods/stokes/cores.hpp"

namespace tessera::stokes {
namespace {

using Part = std::function<void(std::int64_t, std::int64_t)>;

/// Ranges of a pass, each on a thread that counts what it does.
class Threads {
 public:
  explicit Threads(std::span<StokesUse> uses) : uses_(uses), team_(static_cast<int>(uses.size())) {}

  void run(std::int64_t count, Part const& part) {
    if (team_.threads() == 1) return run_counted(uses_.front(), part, 0, count);
    team_.run([&](int thread) {
      std::int64_t const begin = count * thread / team_.threads();
      std::int64_t const end = count * (thread + 1) / team_.threads();
      if (begin < end) run_counted(uses_[static_cast<std::size_t>(thread)], part, begin, end);
    });
  }

 private:
  std::span<StokesUse> uses_;
  StandingTeam team_;
};

}  // namespace

RangeRunner make_thread_runner(std::span<StokesUse> uses) {
  auto team = std::make_shared<Threads>(uses);
  return [team](std::int64_t count, Part const& part) { team->run(count, part); };
}

}  // namespace tessera::stokes
