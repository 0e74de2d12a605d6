// SPDX-License-Identifier: MIT
#include "run/worker_results.hpp"

#include <fmt/format.h>

#include <string>

#include "base/ranks/ranks.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

Json packed(WorkerResult const& w) {
  return {{"name", w.name},     {"kind", w.kind},           {"tasks", w.tasks},
          {"busy_s", w.busy_s}, {"waiting_s", w.waiting_s}, {"transferring_s", w.transferring_s},
          {"nodes", w.nodes},   {"passes", w.passes}};
}

WorkerResult unpacked(Json const& w, int rank) {
  return {.name = fmt::format("rank {} {}", rank, w.at("name").get<std::string>()),
          .kind = w.at("kind"),
          .tasks = w.at("tasks"),
          .busy_s = w.at("busy_s"),
          .waiting_s = w.at("waiting_s"),
          .transferring_s = w.at("transferring_s"),
          .nodes = w.at("nodes"),
          .passes = w.at("passes")};
}

}  // namespace

std::vector<WorkerResult> workers_of_runtime() {
  std::vector<WorkerResult> workers;
  for (WorkerReport const& report : Runtime::workers()) {
    workers.push_back({.name = report.name,
                       .kind = report.kind,
                       .tasks = report.tasks,
                       .busy_s = report.busy_s,
                       .waiting_s = report.waiting_s});
  }
  return workers;
}

std::vector<WorkerResult> workers_of_all_ranks(std::vector<WorkerResult> own) {
  if (Ranks::alone()) return own;
  Json list = Json::array();
  for (WorkerResult const& worker : own) list.push_back(packed(worker));
  std::vector<WorkerResult> all;
  int rank = 0;
  for (std::string const& of_rank : Ranks::all_gather(list.dump())) {
    for (Json const& worker : Json::parse(of_rank)) all.push_back(unpacked(worker, rank));
    ++rank;
  }
  return all;
}

}  // namespace tessera
