// SPDX-License-Identifier: MIT
// Sub-commands of `tessera bench` that measure flows: their balance and what disturbs it, cuts,
// processes, models.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "run/plan/worker_plan.hpp"

namespace tessera {

/// Options that all of them have.
struct MeasuringOptions {
  std::string precision = "single";
  WorkersAsked workers;  ///< checked, as the mode wants them
  int repeats = 3;
  double seconds = 1;  ///< of a repeat
  std::string json;
};

struct HybridOptions : MeasuringOptions {
  std::int64_t size = 0;
  double porosity = 0.3;
  int tiles = 0;     ///< of all GPUs, or of all cores; 0: chosen
  std::string halo;  ///< bench_halo(): in halo_exchange_names, or nothing: all of them
};

struct CavityOptions : MeasuringOptions {
  std::vector<std::int64_t> sizes{8, 16, 32, 64, 128, 132};  ///< edges of the boxes in voxels
};

/// GPUs alone, cores alone, both; and every share of the cores from none to all, beside the model
/// of Riesinger et al., Computation 5 (2017) 48: a step takes as long as the slower of the two.
int bench_hybrid(HybridOptions const& options);

/// Several GPUs, or cores alone (`workers.gpus` 0), of which one has to share its time from half of
/// the run on: what fixed and shared tiles make of the rest.
int bench_drift(HybridOptions const& options);

/// Cores alone, and the same number of tiles cut in four ways from three kinds of rock.
int bench_cuts(HybridOptions const& options);

/// Closed boxes of 3 x 3 x 3 sub-domains, the centre of any size on a GPU, or on a core that stands
/// in for one, the others on cores; beside the model of a master's thesis (Geneva, 2018) that a
/// step takes as long as the slower of the two, to the one of which transfers are added.
int bench_cavity(CavityOptions const& options);

struct RanksOptions : MeasuringOptions {
  std::int64_t size = 96;
  double porosity = 0.3;
  int tiles = 0;       ///< of all processes; 0: chosen
  bool strong = true;  ///< one cube for all
  bool weak = true;    ///< a cube for each GPU; without GPUs for each core that computes
  std::string cores;   ///< of each process: a number, "auto", or nothing, which is the same
};

/// All ranks: a step of several processes and its parts, with messages, without them, and messages
/// alone; beside a model of it.
int bench_ranks(RanksOptions const& options);

/// A box of another program's lattice, its envelopes sent and received in every step; `sizes`
/// without the margin.
int bench_coprocessor(CavityOptions const& options);

/// Halos that the tasks of steps fill, and halos that have tasks of their own, by turns on the same
/// tiles.
int bench_halo(HybridOptions const& options);

/// One rock and one cut under each balance and scheduling policy.
int bench_policies(HybridOptions const& options);

/// Every velocity set, collision operator and equilibrium that there is a kernel for.
int bench_models(HybridOptions const& options);

/// What looking at the flow every 100 steps costs it, with a stand-in for the analysis that reads
/// every byte of the snapshots.
int bench_insitu(HybridOptions const& options);

/// Radius of the spheres in a cube of edge `size`, in voxels: 14, or less where too few would fit.
inline double bench_radius(std::int64_t size) {
  return std::min(14.0, static_cast<double>(size) / 8);
}

}  // namespace tessera
