// SPDX-License-Identifier: MIT
// How fast a run was, and on what: `performance` and `software` of results.json, and the same for
// people.
#pragma once

#include <cstdint>
#include <string>

#include "io/results/results.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "run/flow_loop.hpp"
#include "run/plan/flow_tiles.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

/// The sums over the flows of a job.
class Performance {
 public:
  /// All ranks: adds a flow that has ended, and whose Runtime is still there.
  void add(FlowGraph const& graph, FlowTiles const& tiles, TilesAsked const& asked,
           RunOutcome const& outcome);
  /// All ranks: adds what workers did for a flow on tiles that has ended, and whose Runtime is
  /// still there.
  struct TiledFlow {
    std::int64_t tiles = 0;              ///< of this rank
    std::vector<WorkClock::Use> uses{};  ///< of each worker; their work in nodes, or 0
    BalanceReport const& report;
  };
  void add_tiles(TiledFlow const& flow);
  /// Adds a flow that was solved for: its work as updates of nodes by steps that move as much, each
  /// worker's share of them by its `share`.
  struct SolvedBy {
    WorkerResult worker;
    double share = 0;
  };
  void add_solved(std::int64_t nodes, double step_equivalents, double seconds,
                  double bytes_per_node, std::vector<SolvedBy> const& by);
  void add_preparation(double seconds) { result_.prepare_seconds += seconds; }
  /// Time of the whole command for something, by its name in results.json.
  void add_part(std::string const& name, double seconds);
  void add_checkpoints(CheckpointsResult const& of_flow);
  /// All ranks: who computes, under which policy of balance.
  void note_workers(WorkerPlan const& plan, Balance policy);
  /// All ranks: compares with what the memory can copy, now that no worker uses it. Measuring it
  /// takes a quarter of a second: after a short run the figure of an earlier one does
  /// (run/plan/speeds.hpp). Warns if it cannot be measured.
  void measure_bandwidth();
  /// As of now.
  PerformanceResult result() const;

 private:
  void add_workers(std::vector<WorkClock::Use> const& uses);
  void add_balance(BalanceReport const& report);

  PerformanceResult result_;
  Workers workers_;
  double updates_ = 0;
};

/// How unequal the domains were over the run, on one line; empty if nobody looked.
std::string imbalance_line(BalanceResult const& balance);

/// Prints how fast it was, and in how much memory.
void print_performance(PerformanceResult const& p);

/// Prints what each worker did with its time, and how unevenly they were busy.
void print_workers(std::vector<WorkerResult> const& workers);

/// Prints what the scripts that looked at the flow cost: one line.
void print_in_situ(InSituResult const& result);

/// Version, commit and the packages that take part.
SoftwareResult software_result();
/// For people: the same and the libraries, a line each.
std::string describe_software();

/// Since this process began.
double seconds_of_process();

/// Most memory that this process has had, in bytes.
std::int64_t peak_memory_bytes();

}  // namespace tessera
