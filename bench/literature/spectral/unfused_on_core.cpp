// SPDX-License-Identifier: MIT
#include <array>
#include <memory>
#include <span>

#include "bench/literature/spectral/unfused.hpp"
#include "bench/literature/spectral/unfused_parts.hpp"

namespace tessera {

std::span<UnfusedPart const> parts_of(int version) {
  using enum UnfusedPart;
  static constexpr std::array first{extrapolate, riemann, gather, divergence_of_states, update};
  static constexpr std::array second{intern_flux, scatter, riemann, gather, divergence, update};
  if (version == 1) return first;
  return second;
}

std::unique_ptr<UnfusedOnCore> unfused_on_core(UnfusedCase const& of) {
  return of.dimension == 2 ? unfused_on_core_of<2>(of) : unfused_on_core_of<3>(of);
}

}  // namespace tessera
