// SPDX-License-Identifier: MIT
#include "codelets/lattice/boundary_plan.hpp"

#include <algorithm>
#include <optional>

#include "codelets/lattice/block_rows.hpp"

namespace tessera {
namespace {

constexpr std::size_t links_in_group = 64;

Int3 vector_of(std::array<int, 3> const& c) { return {c[0], c[1], c[2]}; }

class Planner {
 public:
  Planner(Tiling const& tiling, Tile const& tile, Boundaries const& boundaries)
      : tiling_(tiling),
        tile_(tile),
        boundaries_(boundaries),
        velocities_(velocities_of(tiling.lattice)),
        view_(view_of(tile)) {}

  BoundaryPlan plan() {
    BoundaryPlan plan;
    for (std::uint32_t b = 0; b < view_.counts.blocks; ++b) {
      plan.first_link.push_back(static_cast<std::uint32_t>(links_.size()));
      plan_block(b);
    }
    auto const links = static_cast<std::uint32_t>(links_.size());
    plan.first_link.push_back(links);
    bool const remember = std::ranges::any_of(
        links_, [](BoundaryLink const& l) { return traits_of(l.kind).remembers; });
    plan.counts = {.links = links,
                   .remembered = remember ? links : 0,
                   .nodes = static_cast<std::uint32_t>(nodes_.size()),
                   .groups = static_cast<std::uint32_t>(groups_.size())};
    append(plan.buffer, links_);
    append(plan.buffer, nodes_);
    append(plan.buffer, groups_);
    return plan;
  }

 private:
  /// Where a voxel of the block that is being planned stands.
  struct At {
    Int3 in_block;
    Int3 voxel;
    std::uint32_t node = 0;
    std::uint32_t stride = 0;
  };

  template <class T>
  static void append(std::vector<std::byte>& buffer, std::vector<T> const& values) {
    auto const* const bytes = reinterpret_cast<std::byte const*>(values.data());
    buffer.insert(buffer.end(), bytes, bytes + values.size() * sizeof(T));
  }

  void plan_block(std::uint32_t b) {
    TileBlock const& block = view_.blocks[b];
    Int3 const origin = origin_of(tiling_, tile_, b);
    for_each_staged_row(view_, b, 0, 1, [&](int i, StagedRow const& row) { rows_[i] = row; });
    width_ = block.extent[0];
    std::size_t const first = links_.size();
    for_each_node(view_, b, [&](Int3 in_block, std::uint32_t node) {
      plan_node({in_block, origin + in_block, population_at(block, 0, node), block.stride});
    });
    group(first);
  }

  /// Sorts the links of a block by condition, and notes which of them the force is asked of: in
  /// groups, each of which a thread of a GPU sums up.
  void group(std::size_t first) {
    std::stable_sort(links_.begin() + static_cast<std::ptrdiff_t>(first), links_.end(),
                     [](auto const& l, auto const& r) { return l.condition < r.condition; });
    while (first < links_.size()) {
      std::uint8_t const condition = links_[first].condition;
      std::size_t end = first;
      while (end < links_.size() && links_[end].condition == condition) ++end;
      if (boundaries_.conditions[condition].measure_force) {
        for (std::size_t at = first; at < end; at += links_in_group) {
          std::size_t const count = std::min(links_in_group, end - at);
          groups_.push_back(
              {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(count), condition});
        }
      }
      first = end;
    }
  }

  std::array<int, 3> const& c(int q) const { return velocities_.c[static_cast<std::size_t>(q)]; }

  /// Where population q of the node at `at` + d stands, or no_node.
  std::uint32_t population(At const& at, Int3 d, int q) const {
    StagedRow const& row = rows_[staged_index(static_cast<int>(at.in_block.y + d.y),
                                              static_cast<int>(at.in_block.z + d.z))];
    return population_in_row(row, static_cast<int>(at.in_block.x), static_cast<int>(d.x), width_,
                             static_cast<std::uint32_t>(q));
  }
  std::uint32_t source(At const& at, int q) const {
    return population(at, Int3{} - vector_of(c(q)), q);
  }
  static std::uint32_t own(At const& at, int q) {
    return at.node + static_cast<std::uint32_t>(q) * at.stride;
  }
  /// What must be added to population q from the node at `at` + d: its density is another if that
  /// lies across a periodic face.
  double offset(At const& at, Int3 d, int q) const {
    return velocities_.weight[static_cast<std::size_t>(q)] * boundaries_.drop_beyond(at.voxel, d);
  }

  void plan_node(At const& at) {
    BoundaryNode node{};
    for (int q = 1; q < velocities_.size; ++q) {
      node.sources[q] = source(at, q);
      if (node.sources[q] != no_node) {
        plan_link_between_nodes(at, q, node.sources[q]);
        continue;
      }
      node.sources[q] = own(at, Velocities::opposite(q));
      std::uint8_t const number = boundaries_.condition_at(at.voxel, Int3{} - vector_of(c(q)));
      BoundaryCondition const& condition = boundaries_.conditions[number];
      if (traits_of(condition.kind).acts_on_nodes) {
        // Where two of them meet, the first rules the node.
        if (node.unknown == 0) node.condition = number;
        if (node.condition == number) node.unknown |= 1U << q;
      } else if (condition.kind != BoundaryKind::wall || condition.measure_force) {
        links_.push_back(link(at, q, number));
      }
    }
    if (node.unknown == 0) return;
    node.sources[0] = at.node;
    complete(node, at);
    nodes_.push_back(node);
  }

  void plan_link_between_nodes(At const& at, int q, std::uint32_t source) {
    Int3 const back = Int3{} - vector_of(c(q));
    double const drop = offset(at, back, q);
    double const share =
        boundaries_.between_nodes == 0
            ? 1
            : boundaries_.conditions[boundaries_.between_nodes].passing(at.voxel, back);
    if (share < 1) {
      links_.push_back(grey(at, q, source, share));
      links_.back().offset = share * drop;
    } else if (drop != 0) {
      links_.push_back(across_periodic_face(at, q, source, drop));
    }
  }

  void complete(BoundaryNode& node, At const& at) const {
    BoundaryCondition const& condition = boundaries_.conditions[node.condition];
    node.kind = condition.kind;
    std::size_t face = 0;
    for (Axis a : all_axes) {
      bool const low = at.voxel[a] == 0, high = at.voxel[a] == boundaries_.shape[a] - 1;
      if (low && boundaries_.of_face[2 * index_of(a)] == node.condition) face = 2 * index_of(a);
      if (high && boundaries_.of_face[2 * index_of(a) + 1] == node.condition)
        face = 2 * index_of(a) + 1;
    }
    node.axis = static_cast<std::uint8_t>(face / 2);
    node.inward = face % 2 == 0 ? 1 : -1;
    if (condition.velocity) std::ranges::copy(condition.velocity(at.voxel), node.velocity);
    node.density_shift = condition.density ? condition.density(at.voxel) - 1 : 0;
  }

  /// A link that changes nothing.
  BoundaryLink identity(At const& at, int q, std::uint32_t target, std::uint8_t number,
                        BoundaryKind kind) const {
    BoundaryLink link{.weight_a = 1,
                      .weight_b = 0,
                      .constant = 0,
                      .offset = 0,
                      .target = target,
                      .a = target,
                      .b = target,
                      .node = at.node,
                      .stride = at.stride,
                      .point = {},
                      .q = static_cast<std::uint8_t>(q),
                      .out = {},
                      .condition = number,
                      .kind = kind};
    for (Axis a : all_axes) {
      if (!leaves(at, q, a)) continue;
      link.out[index_of(a)] = static_cast<std::int8_t>(-c(q)[index_of(a)]);
    }
    return link;
  }

  BoundaryLink across_periodic_face(At const& at, int q, std::uint32_t source, double drop) const {
    BoundaryLink link = identity(at, q, source, 0, BoundaryKind::density_drop);
    link.offset = drop;
    return link;
  }

  BoundaryLink grey(At const& at, int q, std::uint32_t source, double share) const {
    BoundaryLink link = identity(at, q, source, boundaries_.between_nodes, BoundaryKind::grey);
    link.weight_a = share;
    link.weight_b = 1 - share;
    link.b = own(at, Velocities::opposite(q));
    for (std::size_t a = 0; a < 3; ++a) {
      double const own_place = static_cast<double>(at.voxel[all_axes[a]]) + 0.5;
      link.point[a] = static_cast<float>(own_place - 0.5 * c(q)[a]);
    }
    return link;
  }

  /// Whether what enters along q comes from outside the box along an axis.
  bool leaves(At const& at, int q, Axis a) const {
    std::int64_t const from = at.voxel[a] - c(q)[index_of(a)];
    return !boundaries_.periodic[index_of(a)] && (from < 0 || from >= boundaries_.shape[a]);
  }

  BoundaryLink link(At const& at, int q, std::uint8_t number) const {
    BoundaryCondition const& condition = boundaries_.conditions[number];
    std::uint32_t const target = own(at, Velocities::opposite(q));
    BoundaryLink link = identity(at, q, target, number, condition.kind);
    double const weight = velocities_.weight[static_cast<std::size_t>(q)];
    double fraction = 0.5;
    switch (condition.kind) {
      case BoundaryKind::interpolated_wall:
      case BoundaryKind::full_way_wall:
      case BoundaryKind::moving_wall:
        fraction = bounce(link, at, condition);
        break;
      case BoundaryKind::on_node_wall:
        fraction = 0;
        bounce_what_streams_in(link, at);
        link.constant = wall_link(condition, velocities_, at.voxel, q, false).carried;
        break;
      case BoundaryKind::anti_bounce_back:
        link.weight_a = -1;
        if (condition.density) link.constant = 2 * weight * (condition.density(at.voxel) - 1);
        break;
      case BoundaryKind::slip:
        mirror(link, at, true);
        break;
      case BoundaryKind::outflow:
      case BoundaryKind::convective_outflow:
        mirror(link, at, false);
        break;
      default:
        break;
    }
    for (std::size_t a = 0; a < 3; ++a)
      link.point[a] =
          static_cast<float>(static_cast<double>(at.voxel[all_axes[a]]) + 0.5 - fraction * c(q)[a]);
    return link;
  }

  /// Linear, with the populations that leave along the link (target), leave the next node behind in
  /// the same direction, or leave the node itself in the other. Returns where the wall stands.
  double bounce(BoundaryLink& link, At const& at, BoundaryCondition const& condition) const {
    int const opposite = Velocities::opposite(link.q);
    std::uint32_t const behind = source(at, opposite);
    WallLink const wall = wall_link(condition, velocities_, at.voxel, link.q, behind == no_node);
    link.weight_a = wall.leaving;
    link.constant = wall.carried;
    if (wall.behind != 0) {
      link.weight_b = wall.behind;
      link.b = behind;
      link.offset = wall.behind * offset(at, vector_of(c(link.q)), opposite);
    } else if (wall.entering != 0) {
      link.weight_b = wall.entering;
      link.b = own(at, link.q);
    }
    return wall.fraction;
  }

  /// Where that comes from a wall as well, half-way.
  void bounce_what_streams_in(BoundaryLink& link, At const& at) const {
    int const opposite = Velocities::opposite(link.q);
    std::uint32_t const streams_in = source(at, opposite);
    if (streams_in == no_node) return;
    link.a = streams_in;
    link.offset = offset(at, vector_of(c(link.q)), opposite);
  }

  /// What would come from behind a face if the flow went on there as in its mirror image
  /// (reflect), or as on this side: a population of the node beside this one in the plane of the
  /// face. Where that is no node, half-way bounce-back.
  void mirror(BoundaryLink& link, At const& at, bool reflect) const {
    std::array<int, 3> velocity = c(link.q);
    Int3 beside;
    for (Axis a : all_axes) {
      if (!leaves(at, link.q, a)) {
        beside[a] = -velocity[index_of(a)];
      } else if (reflect) {
        velocity[index_of(a)] *= -1;
      }
    }
    for (int k = 1; k < velocities_.size; ++k) {
      if (c(k) != velocity) continue;
      std::uint32_t const found = population(at, beside, k);
      if (found == no_node) return;
      link.a = found;
      link.offset = offset(at, beside, k);
      return;
    }
  }

  Tiling const& tiling_;
  Tile const& tile_;
  Boundaries const& boundaries_;
  Velocities velocities_;
  TileView view_;
  StagedRow rows_[staged_rows] = {};
  int width_ = 0;
  std::vector<BoundaryLink> links_;
  std::vector<BoundaryNode> nodes_;
  std::vector<LinkGroup> groups_;
};

}  // namespace

BoundaryView view_boundaries(BoundaryCounts const& counts, std::byte const* buffer) {
  BoundaryView view{counts};
  view.links = reinterpret_cast<BoundaryLink const*>(buffer);
  buffer += counts.links * sizeof(BoundaryLink);
  view.nodes = reinterpret_cast<BoundaryNode const*>(buffer);
  buffer += counts.nodes * sizeof(BoundaryNode);
  view.groups = reinterpret_cast<LinkGroup const*>(buffer);
  return view;
}

BoundaryPlan plan_boundaries(Tiling const& tiling, Tile const& tile, Boundaries const& boundaries) {
  return Planner(tiling, tile, boundaries).plan();
}

}  // namespace tessera
