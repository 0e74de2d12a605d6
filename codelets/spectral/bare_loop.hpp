// SPDX-License-Identifier: MIT
// A gas on one tile, stage after stage in a plain loop, without the task graph: what tests and
// benchmarks compare with.
#pragma once

#include <functional>
#include <vector>

#include "codelets/spectral/core_kernels.hpp"

namespace tessera::spectral {

/// A vector on cache lines.
template <class N>
class AlignedVector {
 public:
  explicit AlignedVector(std::int64_t numbers)
      : lines_((static_cast<std::size_t>(numbers) * sizeof(N) + 63) / 64) {}
  N* data() { return reinterpret_cast<N*>(lines_.data()); }
  N const* data() const { return reinterpret_cast<N const*>(lines_.data()); }

 private:
  std::vector<CacheLine> lines_;
};

template <class N>
class BareLoop {
 public:
  /// `initial`: the initial state, at the solution points. Keeps a reference to the mesh.
  BareLoop(MeshOfGas const& of, GasParameters const& parameters,
           std::function<Primitive<double>(Point const&)> const& initial,
           CoreKernels const& kernels = best_core_kernels());

  /// Takes a step of this length.
  void step(double dt);
  /// The longest stable step of the current state, times sigma.
  double stable_step(double sigma) const;
  /// The rate of change of the current state, which is not changed.
  std::vector<State<double>> rate(std::int32_t element);
  /// The state of an element at its solution points.
  std::vector<State<double>> state(std::int32_t element) const;
  /// A pack's state, as packs.hpp has it.
  N const* state_of_pack(std::int32_t pack) const {
    return state_.data() + place_[static_cast<std::size_t>(pack)].state;
  }
  std::int64_t points() const { return tile_.counts.points; }

 private:
  void run(PackTask task, Stage const& stage, double dt, bool with_speeds);
  std::vector<State<double>> values_of(std::int32_t element, N const* states) const;

  MeshOfGas const& of_;
  GasParameters parameters_;
  CoreKernels const& kernels_;
  ElementTile tile_;
  std::vector<TilePack> place_;  ///< by the pack's number in the mesh
  AlignedVector<N> state_, kept_, traces_[2];
  std::vector<double> speeds_;
  int now_ = 0;  ///< which traces are those of the state
};

extern template class BareLoop<double>;
extern template class BareLoop<float>;

}  // namespace tessera::spectral
