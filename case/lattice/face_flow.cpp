// SPDX-License-Identifier: MIT
#include "case/lattice/face_flow.hpp"

#include <algorithm>
#include <optional>

#include "base/ranks/rank_sums.hpp"
#include "base/storage.hpp"
#include "models/lattice/lattice_kind.hpp"

namespace tessera {
namespace {

class Crossings {
 public:
  Crossings(BlockGrid const& grid, Boundaries const& boundaries,
            std::array<double, most_conditions> const& of_conditions, FlowGraph const& graph,
            std::span<Case::Face const> faces)
      : grid_(grid),
        boundaries_(boundaries),
        factors_(of_conditions),
        tiling_(graph.tiling()),
        precision_(graph.precision()),
        velocities_(velocities_of(tiling_.lattice)),
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
      auto const population = [&](int q) {
        std::size_t const at = static_cast<std::size_t>(q) * block.nodes + (node - block.first);
        return static_cast<double>(from_storage(f[at]));
      };
      for (int q = 1; q < velocities_.size; ++q) {
        add_crossing(from, q, weight(q) + population(q));
        add_from_wall(from, q, population);
      }
    });
  }

  double weight(int q) const { return velocities_.weight[static_cast<std::size_t>(q)]; }
  Int3 velocity(int q) const {
    auto const& c = velocities_.c[static_cast<std::size_t>(q)];
    return {c[0], c[1], c[2]};
  }

  /// Adds what goes along a link between two nodes.
  void add_crossing(Int3 from, int q, double mass) {
    auto const to = end_of_link(from, velocity(q));
    if (!to) return;
    auto const beside = face_of(from);
    auto const other = face_of(*to);
    if (beside.has_value() == other.has_value()) return;
    double const inside = share_inside(from, *to) * mass;
    sums_[beside ? *beside : *other].add(beside ? inside : -inside);
  }

  /// What population q of a node, and the one that is opposite, add to what walls within the first
  /// layer take along.
  template <class Population>
  void add_from_wall(Int3 from, int q, Population const& population) {
    auto const along = [&] { return population(q) - population(Velocities::opposite(q)); };
    if (auto const wall = wall_ahead(from, q)) {
      WallLink const& link = wall->link;
      sums_[wall->face].add(-(link.entering + link.behind / 2) * along());
      sums_[wall->face].add(factors_[wall->condition] * link.carried);
    } else if (auto const next = beside(from, velocity(q))) {
      if (auto const beyond = wall_ahead(*next, q))
        sums_[beyond->face].add(beyond->link.behind / 2 * along());
    }
  }

  struct WallAhead {
    std::size_t face;
    std::uint8_t condition;
    WallLink link;
  };
  /// The wall to which velocity q leads from a node, if the node lies behind no face and the wall
  /// stands in the first layer behind one.
  std::optional<WallAhead> wall_ahead(Int3 node, int q) const {
    Int3 const c = velocity(q);
    auto const face = face_of(node + c);
    if (!face || face_of(node) || beside(node, c)) return std::nullopt;
    std::uint8_t const number = boundaries_.condition_at(node, c);
    BoundaryCondition const& wall = boundaries_.conditions[number];
    bool const on_nodes = wall.kind == BoundaryKind::on_node_wall;
    if (on_nodes || !traits_of(wall.kind).may_move) return std::nullopt;
    int const enters = Velocities::opposite(q);
    bool const in_gap = !beside(node, velocity(enters));
    return WallAhead{*face, number, wall_link(wall, velocities_, node, enters, in_gap)};
  }

  /// The share of a link that counts: less than 1 within walls through the centres of nodes.
  double share_inside(Int3 from, Int3 to) const {
    double share = 1;
    for (Axis a : all_axes) {
      if (boundaries_.periodic[index_of(a)] || from[a] != to[a]) continue;
      for (bool const upper : {false, true}) {
        std::uint8_t const number = boundaries_.of_face[2 * index_of(a) + (upper ? 1 : 0)];
        if (from[a] == (upper ? boundaries_.shape[a] - 1 : 0) &&
            boundaries_.conditions[number].kind == BoundaryKind::on_node_wall)
          share /= 2;
      }
    }
    return share;
  }

  bool near_a_face(Int3 origin, TileBlock const& block) const {
    return near_a_face(
        origin, origin + Int3{block.extent[0] - 1, block.extent[1] - 1, block.extent[2] - 1});
  }

  /// Whether a box of voxels reaches into one of the first three layers: what comes back from walls
  /// to the second one may depend on the third.
  bool near_a_face(Int3 first, Int3 last) const {
    return std::ranges::any_of(faces_, [&](Case::Face face) {
      Axis const a = axis_of(face);
      return is_upper(face) ? last[a] >= boundaries_.shape[a] - 3 : first[a] <= 2;
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

  /// The node that pulls what leaves a node with a velocity, if it is another one: walls send it
  /// back, and slip sends it to the mirror image of where it was going.
  std::optional<Int3> end_of_link(Int3 from, Int3 c) const {
    Int3 to = from + c;
    bool outside = false;
    for (Axis a : all_axes) {
      if (boundaries_.periodic[index_of(a)] || (to[a] >= 0 && to[a] < boundaries_.shape[a]))
        continue;
      to[a] = from[a];
      outside = true;
    }
    if (outside &&
        boundaries_.conditions[boundaries_.condition_at(from, c)].kind != BoundaryKind::slip)
      return std::nullopt;
    return beside(to, {});
  }

  /// A node.
  std::optional<Int3> beside(Int3 from, Int3 c) const {
    Int3 to = from + c;
    for (Axis a : all_axes) {
      std::int64_t const n = boundaries_.shape[a];
      if (boundaries_.periodic[index_of(a)]) to[a] = (to[a] + n) % n;
      if (to[a] < 0 || to[a] >= n) return std::nullopt;
    }
    return grid_.is_fluid(to) ? std::optional(to) : std::nullopt;
  }

  BlockGrid const& grid_;
  Boundaries const& boundaries_;
  std::array<double, most_conditions> const& factors_;
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
                               Boundaries const& boundaries,
                               std::array<double, most_conditions> const& factors,
                               std::span<Case::Face const> faces) {
  Crossings crossings(grid, boundaries, factors, graph, faces);
  graph.save(
      [&](Tile const& tile, BlockPopulations& populations) { crossings.add(tile, populations); });
  return crossings.sums();
}

}  // namespace tessera
