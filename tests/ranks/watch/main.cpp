// SPDX-License-Identifier: MIT
// Ranks that take steps together, and are watched (TESSERA_RANK_TIMEOUT):
//
//     mpirun -np 3 rank_watch work SECONDS    until they have done so for so long
//     mpirun -np 3 rank_watch hang RANK       until this one never comes back from its step
//     mpirun -np 3 rank_watch pause SECONDS   and rank 0 writes for so long, while the others wait
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "ranks/rank_watch.hpp"
#include "ranks/ranks.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

void take_steps(int count, int hanging_rank) {
  for (int step = 0; step < count; ++step) {
    RankWatch::Stepping const stepping;
    std::this_thread::sleep_for(50ms);
    while (step == 5 && Ranks::number() == hanging_rank) std::this_thread::sleep_for(1s);
    RankWatch::note_step();
    Ranks::largest(step);
  }
}

void write(int seconds) {
  RankWatch::Stepping const stepping;
  RankWatch::Aside const aside;
  if (Ranks::is_first()) std::this_thread::sleep_for(seconds * 1s);
  Ranks::largest(0);
}

void run(std::string_view what, int number) {
  RankWatch const watch(RankWatch::limit_of_environment(),
                        Ranks::all_texts(fmt::format("rank {}", Ranks::number())),
                        [](std::string const& line) { fmt::print(stderr, "tessera: {}\n", line); });
  take_steps(what == "work" ? 20 * number : 10, what == "hang" ? number : -1);
  if (what == "pause") write(number);
  take_steps(10, -1);
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  std::span const words(argv, static_cast<std::size_t>(argc));
  tessera::Ranks::start();
  if (words.size() == 3) tessera::run(words[1], std::atoi(words[2]));
  tessera::Ranks::end();
}
