// SPDX-License-Identifier: MIT
#include "run/spread_fields.hpp"

#include <algorithm>
#include <memory>

#include "ranks/exchange.hpp"
#include "ranks/lending.hpp"
#include "ranks/ranks.hpp"
#include "run/layers_of_ranks.hpp"

namespace tessera {
namespace {

/// In the layers of this rank.
std::size_t own_voxels(Int3 shape) {
  std::int64_t const rank = Ranks::number();
  std::int64_t const layers =
      shape.z * (rank + 1) / Ranks::count() - shape.z * rank / Ranks::count();
  return static_cast<std::size_t>(shape.x * shape.y * layers);
}

}  // namespace

SpreadFields::SpreadFields(Int3 shape, Int3 lower, FieldUnits const& units)
    : ranks_(Ranks::count()),
      shape_(shape),
      lower_(lower),
      units_(units),
      velocity_(3 * own_voxels(shape)),
      pressure_(own_voxels(shape)),
      density_(own_voxels(shape)),
      tile_(own_voxels(shape), -1),
      solid_(own_voxels(shape), 1),
      fields_{{"velocity", 3, std::span<float const>(velocity_)},
              {"pressure", 1, std::span<float const>(pressure_)},
              {"density", 1, std::span<float const>(density_)},
              {"tile", 1, std::span<std::int32_t const>(tile_)},
              {"solid", 1, std::span<std::uint8_t const>(solid_)}} {}

void SpreadFields::put(std::size_t voxel, std::int32_t tile, NodeState const& state) {
  auto const node = node_fields(state, units_);
  std::ranges::copy(node.velocity, velocity_.begin() + static_cast<std::ptrdiff_t>(3 * voxel));
  pressure_[voxel] = node.pressure;
  density_[voxel] = node.density;
  tile_[voxel] = tile;
  solid_[voxel] = 0;
}

SpreadFields::Range SpreadFields::layers_of(int rank) const {
  LayerRange const layers = even_layers(rank, ranks_, shape_.z);
  return {layers.lower, layers.upper};
}

void SpreadFields::take(std::function<void(Visit const&)> const& visit_own_nodes) {
  struct Node {
    std::size_t voxel;  ///< in the layers of the rank that it goes to
    std::int32_t tile;
    NodeState state;
  };
  std::vector<std::int32_t> rank_of_layer(static_cast<std::size_t>(shape_.z));
  for (int rank = 0; rank < ranks_; ++rank) {
    auto const [first, end] = layers_of(rank);
    std::fill(rank_of_layer.begin() + first, rank_of_layer.begin() + end, rank);
  }
  Exchange exchange([this](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const node = piece.take<Node>();
      put(node.voxel, node.tile, node.state);
    }
  });
  visit_own_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    Int3 at = voxel - lower_;
    for (Axis const a : all_axes) {
      if (at[a] < 0 || at[a] >= shape_[a]) return;
    }
    int const rank = rank_of_layer[static_cast<std::size_t>(at.z)];
    at.z -= layers_of(rank).first;
    exchange.add(rank, Node{linear_index(shape_, at), tile, state});
  });
  exchange.finish();
}

std::size_t SpreadFields::layer_bytes(std::size_t field) const {
  std::size_t const value =
      std::visit([](auto values) { return sizeof(values[0]); }, fields_[field].values);
  return static_cast<std::size_t>(shape_.x * shape_.y * fields_[field].components) * value;
}

std::span<std::byte const> SpreadFields::own(std::size_t field, Range layers) const {
  auto const all =
      std::visit([](auto values) { return std::as_bytes(values); }, fields_[field].values);
  std::int64_t const before = layers.first - layers_of(Ranks::number()).first;
  return all.subspan(static_cast<std::size_t>(before) * layer_bytes(field),
                     static_cast<std::size_t>(layers.second - layers.first) * layer_bytes(field));
}

void SpreadFields::gather(std::size_t field, Range layers, std::span<std::byte> to) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    auto const [first, end] = layers_of(rank);
    Range const part{std::max(first, layers.first), std::min(end, layers.second)};
    if (part.first >= part.second) continue;
    auto const there =
        to.subspan(static_cast<std::size_t>(part.first - layers.first) * layer_bytes(field),
                   static_cast<std::size_t>(part.second - part.first) * layer_bytes(field));
    if (rank == Ranks::number()) {
      std::ranges::copy(own(field, part), there.begin());
    } else {
      borrow({static_cast<std::int64_t>(field), part.first, part.second}, rank, there);
    }
  }
}

std::vector<FieldLayers> SpreadFields::of_all_ranks() const {
  std::vector<FieldLayers> all;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    FieldLayers lazy{.name = fields_[f].name, .components = fields_[f].components, .layers = {}};
    std::visit(
        [&]<class T>(std::span<T const>) {
          auto const buffer = std::make_shared<std::vector<T>>();
          lazy.layers = Layers<T>([this, f, buffer](std::int64_t first, std::int64_t end) {
            buffer->resize(static_cast<std::size_t>(end - first) * layer_bytes(f) / sizeof(T));
            gather(f, {first, end}, std::as_writable_bytes(std::span(*buffer)));
            return std::span<T const>(*buffer);
          });
        },
        fields_[f].values);
    all.push_back(std::move(lazy));
  }
  return all;
}

void SpreadFields::show(std::function<void(std::span<FieldLayers const>)> const& use) const {
  if (!Ranks::is_first()) {
    return lend_to_first([this](Wanted wanted) {
      return own(static_cast<std::size_t>(wanted.what), {wanted.first, wanted.end});
    });
  }
  try {
    use(of_all_ranks());
  } catch (...) {
    dismiss_lenders();
    throw;
  }
  dismiss_lenders();
}

}  // namespace tessera
