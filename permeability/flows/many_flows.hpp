// SPDX-License-Identifier: MIT
// Many flows through images or parts of them, found on all cores and GPUs at once by the Krylov
// solvers: each is a chain of tasks (graph/chains.hpp) that StarPU's scheduler places.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geometry/geometry.hpp"
#include "io/json_fwd.hpp"
#include "io/results/results.hpp"
#include "permeability/flows/image_answer.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

struct WantedFlow {
  /// Makes the image that it leads through, or returns it; called once, on any thread.
  std::function<Geometry()> image;
  Axis axis = Axis::x;
  /// What the solver solves for, without fields; one precision for all flows.
  PermeabilityCase asked{};
  std::int64_t voxels = 0;  ///< of its box
  std::int64_t nodes = 0;   ///< of its box, about
  /// What it is asked for, and by which equation; on any thread, too.
  std::unique_ptr<FlowToAnswer> (*flow)(Axis, PermeabilityCase const&) = flow_for_k;
};

/// Finds the answers of flows, as ManyFlows::answers() does; nothing where it was stopped before.
using AnswerFlows =
    std::function<std::vector<std::optional<ImageAnswer>>(std::span<WantedFlow const> wanted)>;

/// Who computes, and how many flows at once.
struct FlowWorkers {
  unsigned cores = 1;          ///< workers, each with a flow of its own
  unsigned threads = 1;        ///< of each of these
  bool cores_compute = true;   ///< else they only prepare what GPUs compute
  unsigned gpus = 0;           ///< that have flows of their own
  unsigned flows_per_gpu = 1;  ///< at once
  unsigned gpus_per_flow = 1;  ///< several: the largest does not fit one, or keeps several busy
};

/// Room for flows on this machine.
struct FlowRoom {
  unsigned cores = 1;
  bool cores_may_compute = true;  ///< beside GPUs
  unsigned gpus = 0;
  std::int64_t gpu_bytes = 0;  ///< of each
  std::int64_t main_bytes = 0;
};

/// Chooses for so many flows, of which the largest has about so many nodes.
FlowWorkers choose_flow_workers(std::size_t flows, std::int64_t largest, Precision precision,
                                FlowRoom const& room);

class ManyFlows {
 public:
  /// Workers and scheduling policy have been checked.
  ManyFlows(WorkersAsked const& workers, std::string scheduler)
      : asked_(workers), scheduler_(std::move(scheduler)) {}

  /// Collective: finds the answers, of the largest flows first; `note` gets each, with its number
  /// in `wanted`, as it comes, in the thread that called. Each rank takes the next flow when it has
  /// room for one, and gets the answers of the others in the end. Ends early, without the rest,
  /// once `stop` is set. No answer depends on what is beside it or on who computes it. Starts a
  /// Runtime. Throws EnvironmentError where memory does not suffice.
  void answer(std::span<WantedFlow const> wanted, std::atomic<bool> const& stop,
              std::function<void(std::size_t, ImageAnswer const&)> const& note);

  /// Collective: answer() for those who want all at once; nothing where it was stopped before.
  std::vector<std::optional<ImageAnswer>> answers(std::span<WantedFlow const> wanted,
                                                  std::atomic<bool> const& stop);

  /// Collective: answer() for those whose answers say more: fills in an ImageAnswer in each of
  /// `all`, one for each wanted flow, and returns those that were found, in their order.
  template <class Answer>
  std::vector<Answer> fill_in(std::vector<Answer> all, std::span<WantedFlow const> wanted,
                              std::atomic<bool> const& stop,
                              std::function<void(Answer const&)> const& note) {
    std::vector<bool> is_found(all.size());
    answer(wanted, stop, [&](std::size_t i, ImageAnswer const& answer) {
      static_cast<ImageAnswer&>(all[i]) = answer;
      is_found[i] = true;
      note(all[i]);
    });
    std::vector<Answer> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_found[i]) found.push_back(std::move(all[i]));
    }
    return found;
  }

  double seconds() const { return seconds_; }
  std::vector<WorkerResult> const& workers() const { return workers_; }
  /// What results.json says of who computed: seconds, scheduling policy, workers.
  Json performance() const;

 private:
  WorkersAsked asked_;
  std::string scheduler_;  ///< that was asked for, then that was used
  double seconds_ = 0;
  std::vector<WorkerResult> workers_;
};

}  // namespace tessera
