// SPDX-License-Identifier: MIT
// What a flow through an image will take, before it is computed: what `permeability --check` says.
#pragma once

#include <cstdint>
#include <string>

#include "io/results/results.hpp"
#include "permeability/permeability_case.hpp"

namespace tessera {

/// Bytes of populations, tables and halos while the flow runs, on cores and GPUs together: near
/// what performance.bytes_per_fluid_node says afterwards.
std::int64_t lattice_bytes(PreparedFlow const& prepared, PermeabilityCase const& asked);

/// Steps until the permeability is good to the tolerance, by an order of magnitude: the velocity in
/// a pore and the pressure along the sample must settle (see choose_relaxation_time()), and real
/// pores are slower than their mean.
double expected_steps(PreparedBox const& prepared, PermeabilityCase const& asked);

/// Fluid nodes a second.
struct ExpectedSpeed {
  double value = 0;
  bool measured = false;  ///< earlier, in a rock; else what the memory allows at best
};

/// The speed that is kept of this machine (run/plan/speeds.hpp), else what its memory, measured
/// now, allows.
ExpectedSpeed expected_speed(Workers const& workers, TilesAsked const& asked);

/// What flows through what, and who computes it: some lines for people.
std::string describe_flow(ImageResult const& image, FlowResult const& flow, Workers const& workers);

/// What solving for the flow along an axis takes (permeability/flows/stokes_run.hpp), likewise.
std::string describe_solving(PreparedBox const& box, PermeabilityCase const& asked,
                             ExpectedSpeed speed);

/// What solving for a permeability takes along each axis, before the flow is set up; by an order of
/// magnitude.
struct ExpectedCost {
  std::int64_t bytes = 0;  ///< beside what the process has
  double seconds = 0;
};
ExpectedCost expected_cost(std::int64_t fluid_nodes, PermeabilityCase const& asked,
                           ExpectedSpeed speed);
/// Half a line; of what the process will have in all.
std::string describe_cost(ExpectedCost const& cost);

/// What the flow along an axis takes, likewise.
std::string describe_plan(PreparedFlow const& prepared, PermeabilityCase const& asked,
                          ExpectedSpeed speed);

constexpr double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) * 1e-9; }

}  // namespace tessera
