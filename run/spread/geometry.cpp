// SPDX-License-Identifier: MIT
#include "run/spread/geometry.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks/gathering.hpp"
#include "base/ranks/ranks.hpp"
#include "io/sha256.hpp"
#include "partition/lattice/block_shape.hpp"

namespace tessera {
namespace {

/// First layer of blocks that a rank has.
std::int64_t first_of(int rank, std::int64_t block_layers) {
  return block_layers * rank / Ranks::count();
}

std::int64_t block_layers_of(std::int64_t layers) {
  return (layers + block_shape.z - 1) / block_shape.z;
}

/// Collective: rank 0 takes the values of all ranks, in the order of ranks.
void gather(std::span<std::uint8_t const> own, Gathering::Take take) {
  constexpr std::size_t much = std::size_t{64} << 20;
  auto left = std::as_bytes(own);
  Gathering gathering((left.size() + much - 1) / much, std::move(take));
  while (!left.empty()) {
    auto const piece = left.first(std::min(much, left.size()));
    gathering.add(piece);
    left = left.subspan(piece.size());
  }
  gathering.finish();
}

/// Collective: the values of all ranks, on each of them.
std::vector<std::uint8_t> all_of(SpreadGeometry const& geometry,
                                 std::span<std::uint8_t const> own) {
  std::vector<std::uint8_t> all(static_cast<std::size_t>(volume(geometry.shape)));
  auto to = std::as_writable_bytes(std::span(all));
  gather(own, [&](std::span<std::byte const> piece) {
    std::ranges::copy(piece, to.begin());
    to = to.subspan(piece.size());
  });
  Ranks::broadcast(std::as_writable_bytes(std::span(all)));
  return all;
}

}  // namespace

LayerRange layers_of_rank(int rank, std::int64_t layers) {
  std::int64_t const blocks = block_layers_of(layers);
  return {std::min(layers, first_of(rank, blocks) * block_shape.z),
          std::min(layers, first_of(rank + 1, blocks) * block_shape.z)};
}

int rank_of_layer(std::int64_t layer, std::int64_t layers) {
  int rank = 0;
  while (layer >= layers_of_rank(rank, layers).upper) ++rank;
  return rank;
}

void SpreadGeometry::set_periodic(std::array<bool, 3> axes) {
  periodic = axes;
  own.periodic = axes;
  own.periodic[2] = axes[2] && everywhere;
}

SpreadGeometry spread_geometry(Geometry whole) {
  SpreadGeometry spread{.own = {},
                        .shape = whole.shape,
                        .periodic = whole.periodic,
                        .layers = {0, whole.shape.z},
                        .everywhere = true,
                        .outside = whole.outside};
  spread.own = std::move(whole);
  return spread;
}

SpreadGeometry open_box(Int3 shape) {
  SpreadGeometry box{.own = {},
                     .shape = shape,
                     .layers = layers_of_rank(Ranks::rank(), shape.z),
                     .everywhere = Ranks::alone()};
  box.own.shape = {shape.x, shape.y, box.layers.count()};
  box.own.pore.assign(static_cast<std::size_t>(volume(box.own.shape)), 1);
  return box;
}

std::int64_t pore_voxels(SpreadGeometry const& geometry) {
  std::int64_t voxels = geometry.own.pore_voxels();
  if (!geometry.everywhere) Ranks::sum(std::span(&voxels, 1));
  return voxels;
}

Geometry whole_geometry(SpreadGeometry const& geometry) {
  if (geometry.everywhere) return geometry.own;
  return {.shape = geometry.shape,
          .pore = all_of(geometry, geometry.own.pore),
          .periodic = geometry.periodic,
          .outside = geometry.outside,
          .of_grey = geometry.own.of_grey};
}

std::string sha256_of(SpreadGeometry const& geometry) {
  if (geometry.everywhere) return sha256_of(std::as_bytes(std::span(geometry.own.pore)));
  Sha256 hash;
  gather(geometry.own.pore, [&](std::span<std::byte const> piece) { hash.add(piece); });
  return Ranks::all_gather(Ranks::is_root() ? hash.in_hexadecimal() : std::string()).front();
}

}  // namespace tessera
