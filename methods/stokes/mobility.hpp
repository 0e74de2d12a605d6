// SPDX-License-Identifier: MIT
// How easily a fluid moves at a node: c with -lap c = 1 and c = 0 at the walls half-way. A parabola
// between plates, (R^2 - r^2) / 4 in a tube, and something like it anywhere: the mobility of the
// Darcy flow whose pressure preconditions the density. Computed by few iterations of conjugate
// gradients: only the solver's number of iterations depends on it. In grey voxels -lap c + c / k =
// 1, so deep in them c = k.
#pragma once

#include <cstdint>

#include "methods/steady/node_set.hpp"
#include "methods/stokes/medium.hpp"
#include "methods/stokes/modes.hpp"

namespace tessera::steady::stokes {

/// The mobility of a link is the lesser one of its two nodes. The mean of a chamber's and a
/// throat's mobility would make short throats conduct several times too well.
template <class T>
TESSERA_HOST_DEVICE T mobility_between(T a, T b) {
  return a < b ? a : b;
}

struct MobilityScalars {
  double product;   ///< p . A p
  double residual;  ///< r . r
  double before;    ///< r . r of the iteration before
};

struct StartMobility {
  std::int32_t const* parent = nullptr;
  float* residual = nullptr;
  float* direction = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    residual[i] = direction[i] = parent[i] < 0 ? 0.0F : 1.0F;
  }
};
/// t = A p; p . t
template <class Medium>
struct ApplyMobility {
  Medium medium;
  float const* direction = nullptr;
  float* applied = nullptr;
  static constexpr bool in_groups = true;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    using Value = ValueAt<float, At>;
    Value const own = load(direction, at);
    Value sum = medium.inverse_permeability(at) * own;
    TESSERA_UNROLL_ON_GPU
    for (int q = 1; q < D3Q19::size; ++q) {
      LinkEnds<At> const ends = medium.links.ends(q, at);
      sum += laplace_weight((q - 1) / 2) * (own - negative_if(ends.wall, ends.of(direction)));
    }
    store(applied, at, sum);
    return {{in_double(sum) * in_double(own)}};
  }
};
struct TakeProduct {
  MobilityScalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->product = sums.of[0];
    scalars->before = scalars->residual;
  }
};
struct MoveMobility {
  MobilityScalars const* scalars = nullptr;
  float const* direction = nullptr;
  float const* applied = nullptr;
  float* mobility = nullptr;
  float* residual = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const {
    auto const step = static_cast<float>(scalars->before / scalars->product);
    mobility[i] += step * direction[i];
    float const rest = residual[i] - step * applied[i];
    residual[i] = rest;
    return {{double{rest} * rest}};
  }
};
struct TakeResidual {
  MobilityScalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->residual = sums.of[0];
  }
};
struct TurnMobility {
  MobilityScalars const* scalars = nullptr;
  float const* residual = nullptr;
  float* direction = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    direction[i] =
        residual[i] + static_cast<float>(scalars->residual / scalars->before) * direction[i];
  }
};
/// A lower bound of the solution: the diagonal is at most 4 + 1 / k, and all other coefficients are
/// negative.
template <class Medium>
struct BoundMobility {
  Medium medium;
  std::int32_t const* parent = nullptr;
  float* mobility = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    float const least = 1 / (4 + medium.inverse_permeability(i));
    if (parent[i] >= 0 && !(mobility[i] > least)) mobility[i] = least;
  }
};

template <class Machine, class Medium>
typename Machine::template Array<float> make_mobility(Machine& machine,
                                                      NodeSet<Machine, Links::size> const& set,
                                                      Medium const& medium, double* partial) {
  auto mobility = machine.template array_of<float>(set.slots, 0, {&set.near});
  auto residual = machine.template array_of<float>(set.slots);
  auto direction = machine.template array_of<float>(set.slots, 0, {&set.near});
  auto applied = machine.template array_of<float>(set.slots);
  auto scalars = machine.template array<MobilityScalars>(1);
  machine.for_each(set.slots, StartMobility{set.parent.get(), residual.get(), direction.get()});
  MobilityScalars host{0, static_cast<double>(set.nodes), 0};
  machine.upload(scalars.get(), &host, 1);
  for (int k = 0; k < 200 && host.residual > 1e-4 * static_cast<double>(set.nodes); ++k) {
    machine.refresh(set.near, direction.get());
    machine.template sum_chunks<1>(
        set.chunks, ApplyMobility<Medium>{medium, direction.get(), applied.get()}, partial);
    machine.template add_chunks<1>(1, nullptr, set.chunks.count, partial,
                                   TakeProduct{scalars.get()});
    machine.template sum_chunks<1>(
        set.chunks,
        MoveMobility{scalars.get(), direction.get(), applied.get(), mobility.get(), residual.get()},
        partial);
    machine.template add_chunks<1>(1, nullptr, set.chunks.count, partial,
                                   TakeResidual{scalars.get()});
    machine.for_each(set.slots, TurnMobility{scalars.get(), residual.get(), direction.get()});
    // A download waits for the GPU; cores check as often, for the same bits.
    if (k % 5 == 4) machine.download(&host, scalars.get(), 1);
  }
  machine.for_each(set.slots, BoundMobility<Medium>{medium, set.parent.get(), mobility.get()});
  machine.refresh(set.near, mobility.get());
  return mobility;
}

}  // namespace tessera::steady::stokes
