// SPDX-License-Identifier: MIT
#include "case/face_flow.hpp"

#include <algorithm>
#include <optional>

#include "ranks/rank_sums.hpp"

namespace tessera {
namespace {

class Crossings {
 public:
  Crossings(BlockGrid const& grid, Boundaries const& boundaries, Tiling const& tiling,
            Precision precision, std::span<Case::Face const> faces)
      : grid_(grid),
        boundaries_(boundaries),
        tiling_(tiling),
        precision_(precision),
        velocities_(velocities_of(tiling.lattice)),
        faces_(faces),
        sums_(faces.size()) {}

  void add(Tile const& tile, BlockPopulations& populations) {
    with_storage(precision_, [&]<class Storage>() {
      TileView const view = view_of(tile);
      for (std::size_t b = 0; b < tile.blocks.size(); ++b)
        add_block<Storage>(view, b, tile.blocks[b], populations);
    });
  }

  /// All ranks.
  std::vector<double> sums() {
    add_up_over_ranks(std::span(sums_));
    std::vector<double> rounded;
    rounded.reserve(sums_.size());
    for (ExactSum const& sum : sums_) rounded.push_back(sum.value());
    return rounded;
  }

 private:
  template <class Storage>
  void add_block(TileView const& view, std::size_t b, std::int32_t number,
                 BlockPopulations& populations) {
    TileBlock const& block = view.blocks[b];
    Int3 const origin = tiling_.block_origins[static_cast<std::size_t>(number)];
    if (!near_a_face(origin, block)) return;
    Storage const* const f = populations.of<Storage>(number);
    for_each_node(view, b, [&](Int3 in_block, std::uint32_t node) {
      Int3 const from = origin + in_block;
      if (!near_a_face(from, from)) return;
      auto const beside = face_of(from);
      for (int q = 1; q < velocities_.size; ++q) {
        auto const to = end_of_link(from, q);
        if (!to) continue;
        auto const other = face_of(*to);
        if (beside.has_value() == other.has_value()) continue;
        std::size_t const at = static_cast<std::size_t>(q) * block.nodes + (node - block.first);
        double const mass = velocities_.weight[static_cast<std::size_t>(q)] +
                            static_cast<double>(from_storage(f[at]));
        sums_[beside ? *beside : *other].add(beside ? mass : -mass);
      }
    });
  }

  bool near_a_face(Int3 origin, TileBlock const& block) const {
    return near_a_face(
        origin, origin + Int3{block.extent[0] - 1, block.extent[1] - 1, block.extent[2] - 1});
  }

  /// Whether a box of voxels reaches into one of the first two layers.
  bool near_a_face(Int3 first, Int3 last) const {
    return std::ranges::any_of(faces_, [&](Case::Face face) {
      Axis const a = axis_of(face);
      return is_upper(face) ? last[a] >= boundaries_.shape[a] - 2 : first[a] <= 1;
    });
  }

  /// The first of the faces that the voxel lies behind.
  std::optional<std::size_t> face_of(Int3 at) const {
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      Axis const a = axis_of(faces_[i]);
      if (at[a] == (is_upper(faces_[i]) ? boundaries_.shape[a] - 1 : 0)) return i;
    }
    return std::nullopt;
  }

  /// The node that pulls population q of a node, if it is another one: walls send it back, and slip
  /// sends it to the mirror image of where it was going.
  std::optional<Int3> end_of_link(Int3 from, int q) const {
    auto const& components = velocities_.c[static_cast<std::size_t>(q)];
    Int3 const c{components[0], components[1], components[2]};
    Int3 to = from + c;
    bool outside = false;
    for (Axis a : all_axes) {
      std::int64_t const n = boundaries_.shape[a];
      if (boundaries_.periodic[index_of(a)]) {
        to[a] = (to[a] + n) % n;
      } else if (to[a] < 0 || to[a] >= n) {
        to[a] = from[a];
        outside = true;
      }
    }
    if (outside &&
        boundaries_.conditions[boundaries_.condition_at(from, c)].kind != BoundaryKind::slip)
      return std::nullopt;
    return grid_.is_fluid(to) ? std::optional(to) : std::nullopt;
  }

  BlockGrid const& grid_;
  Boundaries const& boundaries_;
  Tiling const& tiling_;
  Precision precision_;
  Velocities velocities_;
  std::span<Case::Face const> faces_;
  std::vector<ExactSum> sums_;  ///< by face
};

}  // namespace

std::vector<Case::Face> open_faces(Case const& c) {
  using Type = Case::BoundaryType;
  std::vector<Case::Face> faces;
  for (Case::Boundary const& b : c.boundaries) {
    bool const open =
        b.type == Type::velocity || b.type == Type::pressure || b.type == Type::outflow;
    if (open && b.place.kind == Case::PlaceKind::face) faces.push_back(b.place.face);
  }
  return faces;
}

std::vector<double> mass_rates(FlowGraph& graph, BlockGrid const& grid,
                               Boundaries const& boundaries, Precision precision,
                               std::span<Case::Face const> faces) {
  Crossings crossings(grid, boundaries, graph.tiling(), precision, faces);
  graph.save(
      [&](Tile const& tile, BlockPopulations& populations) { crossings.add(tile, populations); });
  return crossings.sums();
}

}  // namespace tessera
