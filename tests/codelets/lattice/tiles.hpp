// SPDX-License-Identifier: MIT
// Random boxes cut into tiles, which kernels take a step further without a runtime.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "codelets/lattice/block_sums.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/halo.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "models/lattice/models.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera::test {

inline constexpr std::array<bool, 3> wrapped{true, true, true};

inline Geometry random_box(Int3 shape, double porosity, std::array<bool, 3> periodic) {
  Geometry box{shape, {}, periodic};
  std::mt19937 random(5);
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    box.pore.push_back(static_cast<double>(random() % 1000) < 1000 * porosity ? 1 : 0);
  }
  return box;
}

using Lattice = std::vector<std::array<double, 19>>;  // by voxel

inline Lattice random_state(Geometry const& box) {
  Lattice f(static_cast<std::size_t>(volume(box.shape)));
  std::mt19937 random(9);
  for (auto& node : f) {
    for (double& value : node) value = 1e-3 * (static_cast<double>(random() % 2001) / 1000 - 1);
  }
  return f;
}

/// Neighbouring voxel, or none where there is a wall.
inline std::optional<Int3> neighbour(Geometry const& box, Int3 at, Int3 d) {
  Int3 to = at + d;
  for (Axis a : all_axes) {
    if (to[a] >= 0 && to[a] < box.shape[a]) continue;
    if (!box.periodic[index_of(a)]) return std::nullopt;
    to[a] = (to[a] + box.shape[a]) % box.shape[a];
  }
  if (!box.is_pore(to)) return std::nullopt;
  return to;
}

template <class Visit>
void for_each_pore(Geometry const& box, Visit&& visit) {
  for (Int3 at; at.z < box.shape.z; ++at.z) {
    for (at.y = 0; at.y < box.shape.y; ++at.y) {
      for (at.x = 0; at.x < box.shape.x; ++at.x) {
        if (box.is_pore(at)) visit(at);
      }
    }
  }
}

/// The tiles of a geometry with their populations, run without a runtime.
template <class Storage>
class Tiles {
 public:
  Tiles(Geometry const& box, std::int32_t count, Layout layout = Layout::apart)
      : box_(box),
        grid_(box),
        tiling_(build_tiling(grid_, cut_with_metis(block_graph(grid_), count), layout)) {
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t)
      plans_.push_back(plan_pull(LatticeKind::d3q19, view(t)));
    for (auto& lattice : lattices_) {
      for (Tile const& tile : tiling_.tiles) {
        std::size_t const values = tile.population_values;
        std::size_t const bytes = (values * sizeof(Storage) + 63) / 64 * 64;
        lattice.emplace_back(static_cast<Storage*>(std::aligned_alloc(64, bytes)), std::free);
        std::fill_n(lattice.back().get(), values, Storage{});
      }
    }
  }

  TileView view(std::size_t t) const { return view_of(tiling_.tiles[t]); }
  Tiling const& tiling() const { return tiling_; }

  /// Visits each node with the values of its populations.
  template <class Visit>
  void visit(Visit&& visit) {
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t) {
      TileView const tile = view(t);
      for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
        Int3 const origin = origin_of(tiling_, tiling_.tiles[t], b);
        for (std::uint32_t r = 0; r < 64; ++r) {
          Row const& row = tile.rows[b * 64 + r];
          std::uint32_t node = row.first;
          for (std::uint32_t left = row.mask; left != 0; left &= left - 1, ++node) {
            visit(linear_index(box_.shape, origin + Int3{lowest_bit(left), r % 8, r / 8}),
                  lattices_[0][t].get() + population_at(tile.blocks[b], 0, node),
                  tile.blocks[b].stride);
          }
        }
      }
    }
  }

  void set(Lattice const& f) {
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q) {
        node[q * stride] = to_storage<Storage>(static_cast<Arithmetic<Storage>>(f[voxel][q]));
      }
    });
  }
  /// As numbers; zero in the solid.
  Lattice get() {
    Lattice f(static_cast<std::size_t>(volume(box_.shape)));
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q)
        f[voxel][q] = static_cast<double>(from_storage(node[q * stride]));
    });
    return f;
  }
  double largest_difference(Lattice const& f) {
    double largest = 0;
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q) {
        auto const value = static_cast<double>(from_storage(node[q * stride]));
        largest = std::max(largest, std::abs(f[voxel][q] - value));
      }
    });
    return largest;
  }

  void step(CollideStreamKernel kernel, FlowParameters const& p) {
    std::vector<std::vector<Storage>> outbox(tiling_.tiles.size());
    for (std::size_t t = 0; t < outbox.size(); ++t) {
      outbox[t].resize(tiling_.tiles[t].counts.outbox_values);
      Storage* const own = outbox[t].data();
      pack(view(t), lattices_[0][t].get(), &own);
    }
    for (std::size_t t = 0; t < outbox.size(); ++t) {
      std::vector<Storage const*> inbox;
      for (std::int32_t n : tiling_.tiles[t].neighbours)
        inbox.push_back(outbox[static_cast<std::size_t>(n)].data());
      unpack(view(t), inbox.data(), lattices_[0][t].get());
      kernel(view(t), plans_[t], lattices_[0][t].get(), lattices_[1][t].get(), p);
    }
    std::swap(lattices_[0], lattices_[1]);
  }

  BlockSums sums() {
    BlockSums total;
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t) {
      for (std::uint32_t b = 0; b < view(t).counts.blocks; ++b) {
        BlockSums const sums =
            sum_block<D3Q19>(view(t), b, {{0, 0, 0}, {32, 8, 8}}, lattices_[0][t].get());
        total.density_shift += sums.density_shift;
        for (int a = 0; a < 3; ++a)
          total.momentum[a] += sums.momentum[a], total.drag[a] += sums.drag[a];
      }
    }
    return total;
  }

 private:
  Geometry const& box_;
  BlockGrid grid_;
  Tiling tiling_;
  std::vector<PullPlan> plans_;
  std::vector<std::unique_ptr<Storage, void (*)(void*)>> lattices_[2];
};

/// The force of the flows of these tests, askew to all axes.
inline FlowParameters skew_parameters() {
  double const force[3] = {1e-4, 2e-4, -1e-4};
  return flow_parameters({.collision = CollisionOperator::trt}, 0.7, 0.1875, force);
}

}  // namespace tessera::test
