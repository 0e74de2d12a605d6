// SPDX-License-Identifier: MIT
// The routines of the published solver, timed one by one.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "bench/literature/spectral/gas_runner.hpp"
#include "bench/literature/spectral/unfused.hpp"

namespace tessera {

enum class UnfusedPart : std::uint8_t {
  intern_flux,
  scatter,
  extrapolate,
  riemann,
  gather,
  divergence,
  divergence_of_states,
  update
};
inline constexpr std::size_t unfused_parts = 8;
inline constexpr std::array<char const*, unfused_parts> unfused_part_names{
    "inner fluxes", "scatter", "extrapolation to faces", "Riemann", "gather", "divergence",
    "divergence",   "update"};

/// The routines of a published version, in the order in which a stage calls them.
std::span<UnfusedPart const> parts_of(int version);

class UnfusedOnCore : public GasRunner {
 public:
  /// Seconds spent in a routine, summed over all calls of run().
  virtual double seconds_of(UnfusedPart part) const = 0;
};

/// The published solver on one core: degrees 1 to 6, double, Roe's solver, four stages a step.
std::unique_ptr<UnfusedOnCore> unfused_on_core(UnfusedCase const& of);
/// For meshes of this dimension; each takes seconds to compile and has a source of its own.
template <int dimension>
std::unique_ptr<UnfusedOnCore> unfused_on_core_of(UnfusedCase const& of);

}  // namespace tessera
