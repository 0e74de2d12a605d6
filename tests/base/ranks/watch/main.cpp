// SPDX-License-Identifier: MIT
// Ranks that take steps together, and are watched (TESSERA_RANK_TIMEOUT):
//
//     mpirun -np 3 rank_watch work SECONDS    until they have done so for so long
//     mpirun -np 3 rank_watch hang RANK       until this one never comes back from its step
//     mpirun -np 3 rank_watch pause SECONDS   and rank 0 writes for so long, while the others wait
//     mpirun -np 3 rank_watch stall RANK      and this one hangs outside steps, while the others
//     wait mpirun -np 3 rank_watch read SECONDS    and rank 0 reads for so long, a byte now and
//     then mpirun -np 3 rank_watch compute SECONDS and rank 0 computes for so long
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "base/ranks/rank_watch.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

void take_steps(int count, int hanging_rank) {
  for (int step = 0; step < count; ++step) {
    RankWatch::Stepping const stepping;
    std::this_thread::sleep_for(50ms);
    while (step == 5 && Ranks::rank() == hanging_rank) std::this_thread::sleep_for(1s);
    RankWatch::note_step();
    Ranks::maximum(step);
  }
}

void write(int seconds) {
  RankWatch::Stepping const stepping;
  RankWatch::Aside const aside;
  if (Ranks::is_root()) std::this_thread::sleep_for(seconds * 1s);
  Ranks::maximum(0);
}

void stall(int hanging_rank) {
  while (Ranks::rank() == hanging_rank) std::this_thread::sleep_for(1s);
  Ranks::maximum(0);
}

void do_long(int seconds, std::chrono::milliseconds rest) {
  auto const end = std::chrono::steady_clock::now() + seconds * 1s;
  std::ifstream zeros;
  zeros.rdbuf()->pubsetbuf(nullptr, 0);  // each byte is read by itself
  zeros.open("/dev/zero", std::ios::binary);
  while (Ranks::is_root() && std::chrono::steady_clock::now() < end) {
    if (rest > 0ms) zeros.get();
    std::this_thread::sleep_for(rest);
  }
  Ranks::maximum(0);
}

void run(std::string_view what, int number) {
  RankWatch const watch(RankWatch::limit_of_environment(),
                        Ranks::all_gather(fmt::format("rank {}", Ranks::rank())),
                        [](std::string const& line) { fmt::print(stderr, "tessera: {}\n", line); });
  take_steps(what == "work" ? 20 * number : 10, what == "hang" ? number : -1);
  if (what == "pause") write(number);
  if (what == "stall") stall(number);
  if (what == "read") do_long(number, 500ms);
  if (what == "compute") do_long(number, 0ms);
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
