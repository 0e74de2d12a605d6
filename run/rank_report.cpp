// SPDX-License-Identifier: MIT
#include "run/rank_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ranks/ranks.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/runtime/host_share.hpp"
#include "run/console/log.hpp"
#include "run/console/streams.hpp"

namespace tessera {

namespace {

/// How many ranks leave all to rank 0, itself included; 0: they compute together.
int left_to_first = 0;

}  // namespace

void note_ranks_left_to_first(int ranks) { left_to_first = ranks; }

void warn_of_ranks_left_to_first() {
  if (left_to_first == 0) return;
  log_warning(
      "rank 0 computes alone, with all cores and GPUs of its host, which takes less time than {} "
      "processes: expected one process for each host, or --cores or --gpus for each process",
      left_to_first);
}

std::vector<std::string> ranks_result() {
  if (left_to_first > 0) {
    std::vector<std::string> all{describe_rank()};
    for (int rank = 1; rank < left_to_first; ++rank)
      all.push_back(fmt::format("rank {}: leaves its cores and GPUs to rank 0", rank));
    return all;
  }
  if (Ranks::alone()) return {};
  HostShare const& ours = host_share();
  std::string line = describe_rank();
  if (ours.gpu_is_shared) line += ", shares its GPU";
  if (ours.bound && cores_present() == 1) line += ", bound to one core";
  return Ranks::all_gather(line);
}

void print_ranks(std::vector<std::string> const& ranks) {
  if (ranks.empty()) return;
  print_all([&] {
    for (std::string const& rank : ranks) fmt::print("{}\n", rank);
    fmt::print("{} processes, {}\n", ranks.size(), Ranks::mpi_version());
  });
  warn_of_ranks_left_to_first();
  auto const any = [&](std::string_view what) {
    return std::ranges::any_of(
        ranks, [&](std::string const& rank) { return rank.find(what) != std::string::npos; });
  };
  if (any("shares its GPU"))
    log_warning("processes share a GPU: expected one process for each, or for several");
  if (any("bound to one core")) {
    log_warning(
        "processes are bound to one core each, where tasks and messages take turns: expected "
        "mpirun --bind-to none, or more cores for each (--map-by slot:PE=N)");
  }
}

}  // namespace tessera
