// SPDX-License-Identifier: MIT
// The nodes of a pore space on a machine: slots, links, aggregates, connected components.
//
// Slots are in chunks of 256 (methods/steady/sums.hpp). A chunk holds whole aggregates and nodes of
// one pore space only, so a few slots are holes: nodes without links whose values are 0.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/errors.hpp"
#include "geometry/geometry.hpp"
#include "methods/steady/indices.hpp"
#include "methods/steady/links.hpp"
#include "methods/steady/places.hpp"
#include "methods/steady/receive_lists.hpp"
#include "methods/steady/sums.hpp"
#include "methods/steady/union_find.hpp"

namespace tessera::steady {

template <class Division>
struct MakeMasks {
  Grid grid{};
  Division divided;
  std::uint8_t const* pore = nullptr;
  std::uint8_t* masks = nullptr;
  std::int32_t* parts = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t place) const {
    Voxel const corner = grid.corner(static_cast<std::int32_t>(place));
    unsigned mask = 0;
    for (int e = 0; e < 8; ++e) {
      Voxel const at{corner.x + (e & 1), corner.y + (e >> 1 & 1), corner.z + (e >> 2)};
      if (grid.inside(at) && pore[grid.linear(at)] != 0) mask |= 1U << e;
    }
    masks[place] = static_cast<std::uint8_t>(mask);
    std::int32_t count = 0;
    divided(static_cast<std::int32_t>(place), mask, [&count](unsigned) { ++count; });
    parts[place] = count;
  }
};

template <class Division>
struct ListAggregates {
  Division divided;
  std::uint8_t const* masks = nullptr;
  std::int32_t const* first = nullptr;
  std::int32_t* place_of = nullptr;
  std::uint8_t* part_of = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t place) const {
    std::int32_t a = first[place];
    divided(static_cast<std::int32_t>(place), masks[place], [&](unsigned part) {
      place_of[a] = static_cast<std::int32_t>(place);
      part_of[a++] = static_cast<std::uint8_t>(part);
    });
  }
};

/// Calls visit(voxel, rank) for the nodes of an aggregate, in the order of their slots.
template <class Visit>
TESSERA_HOST_DEVICE void for_each_node(Grid const& grid, std::int32_t place, unsigned part,
                                       Visit const& visit) {
  Voxel const corner = grid.corner(place);
  int rank = 0;
  for (int e = 0; e < 8; ++e) {
    if ((part >> e & 1U) == 0) continue;
    visit(Voxel{corner.x + (e & 1), corner.y + (e >> 1 & 1), corner.z + (e >> 2)}, rank++);
  }
}

template <int links>
struct UniteAggregates {
  static constexpr bool by_one_gpu = true;
  NodeFinder finder;
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t* parent = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    Voxel const corner = finder.grid.corner(place_of[a]);
    for (int e = 0; e < 8; ++e) {
      if ((part_of[a] >> e & 1U) == 0) continue;
      for (int q = 1; q <= links; q += 2) {
        Voxel at{corner.x + (e & 1), corner.y + (e >> 1 & 1), corner.z + (e >> 2)};
        unsigned part = 0;
        if (!finder.grid.follow(at, q)) continue;
        std::int32_t const other = finder.found(at, part);
        if (other >= 0 && other != a) unite(parent, static_cast<std::int32_t>(a), other);
      }
    }
  }
};

struct Renumber {
  std::int32_t const* renumbered = nullptr;
  std::int32_t const* place_from = nullptr;
  std::uint8_t const* part_from = nullptr;
  std::int32_t* place_to = nullptr;
  std::uint8_t* part_to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t found) const {
    place_to[renumbered[found]] = place_from[found];
    part_to[renumbered[found]] = part_from[found];
  }
};

struct Fill {
  std::int32_t* values = nullptr;
  std::int32_t value = 0;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = value; }
};

/// Links of all nodes of an aggregate.
template <int links>
struct MakeLinks {
  NodeFinder finder;
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t* table = nullptr;
  std::int32_t* parent = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    Voxel const corner = finder.grid.corner(place_of[a]);
    std::int64_t slot = finder.first_slot[a];
    for (int e = 0; e < 8; ++e) {
      if ((part_of[a] >> e & 1U) == 0) continue;
      for (int q = 1; q <= links; ++q) {
        Voxel at{corner.x + (e & 1), corner.y + (e >> 1 & 1), corner.z + (e >> 2)};
        bool const there = finder.grid.follow(at, q);
        table[LinkTable<links>::index(q, slot)] = there ? finder.slot(at) : LinkTable<links>::wall;
      }
      parent[slot++] = static_cast<std::int32_t>(a);
    }
  }
};

template <class Machine, int links_of_node>
struct NodeSet {
  template <class T>
  using Array = typename Machine::template Array<T>;
  using Halo = typename Machine::Halo;
  using Links = LinkTable<links_of_node>;

  Grid grid{};
  std::int64_t nodes = 0;
  Indices slots;
  Indices chunks;
  Indices aggregates;                   ///< own: aggregates of the own chunks
  std::int64_t parts = 0;               ///< connected components
  Array<std::int32_t> table;            ///< links x slots
  Array<std::int32_t> parent;           ///< slots: aggregate or -1
  Array<std::int32_t> place_of;         ///< aggregates
  Array<std::uint8_t> part_of;          ///< aggregates: which voxels of the box
  Array<std::int32_t> first_slot;       ///< aggregates, and one more
  Array<std::int32_t> chunk_aggregate;  ///< chunks, and one more: the first aggregate
  Array<std::int32_t> chunk_part;       ///< chunks: the pore space
  Array<ChunkRange> part_chunks;        ///< parts
  std::vector<std::int64_t> part_nodes;
  std::vector<std::int64_t> chunk_bounds, slot_bounds, aggregate_bounds;  ///< of processes
  Halo near;  ///< slots of other processes at the ends of the own links

  Links links() const { return Links{table.get()}; }
};

/// Slots for aggregates in their order; on the host.
struct Packing {
  std::vector<std::int32_t> first_slot;
  std::vector<std::int32_t> chunk_aggregate;
  std::vector<std::int32_t> chunk_part;
  std::vector<ChunkRange> part_chunks;
  std::vector<std::int64_t> part_nodes;
};
/// Packs aggregates into slots. `masks`: of the aggregates, which stand part after part;
/// `part_begin`: the first aggregate of each part.
Packing pack(std::vector<std::uint8_t> const& masks, std::vector<std::int64_t> const& part_begin);

/// Aggregates as found -> sorted by the set they belong to; `begin`: where each set begins.
std::vector<std::int32_t> sort_by_set(std::vector<std::int32_t> const& set, std::int64_t sets,
                                      std::vector<std::int64_t>& begin);

Grid make_grid(Geometry const& geometry);

/// Divides the chunks among the processes, and finds what each reads of others.
template <class Machine, int links>
void divide(Machine& machine, NodeSet<Machine, links>& set, std::int64_t chunks,
            std::vector<std::int32_t> const& chunk_aggregate) {
  set.chunk_bounds = machine.even_bounds(chunks);
  for (std::int64_t const chunk : set.chunk_bounds) {
    set.slot_bounds.push_back(chunk * chunk_size);
    set.aggregate_bounds.push_back(chunk_aggregate[static_cast<std::size_t>(chunk)]);
  }
  set.chunks = machine.own(chunks, set.chunk_bounds);
  set.slots = machine.own(chunks * chunk_size, set.slot_bounds);
  set.aggregates = machine.own(set.aggregates.count, set.aggregate_bounds);
}
/// Receive list of a pass over nodes: the nodes at the other ends of the links of node i.
template <int count>
struct WishEnds {
  LinkTable<count> links;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int q = 1; q <= count; ++q) {
      if (std::int64_t const j = links(q, i); j >= 0) want(j, j);
    }
  }
};
/// The steps by which a NodeSet is made, in their order.
template <class Machine, int links>
class NodeSetUp {
 public:
  template <class Division>
  NodeSetUp(Machine& machine, Geometry const& geometry, Division const& divided)
      : machine_(machine) {
    set_.grid = make_grid(geometry);
    find_aggregates(geometry, divided);
    find_components();
    pack_nodes();
    link_nodes();
  }
  NodeSet<Machine, links> take() { return std::move(set_); }

 private:
  template <class T>
  using Array = typename Machine::template Array<T>;

  /// The aggregates, as found: in the order of their places. All of them are on each process.
  template <class Division>
  void find_aggregates(Geometry const& geometry, Division const& divided) {
    std::int64_t const places = set_.grid.places();
    masks_ = machine_.template array<std::uint8_t>(static_cast<std::size_t>(places));
    first_ = machine_.template array<std::int32_t>(static_cast<std::size_t>(places) + 1);
    typename Machine::template Input<std::uint8_t> const pore(machine_, geometry.pore.data(),
                                                              geometry.pore.size());
    machine_.for_each(
        places, MakeMasks<Division>{set_.grid, divided, pore.get(), masks_.get(), first_.get()});
    set_.aggregates = machine_.scan(first_.get(), places);
    if (set_.aggregates.count == 0) throw BadInput("expected pore voxels, found none");
    set_.place_of = machine_.template array<std::int32_t>(count());
    set_.part_of = machine_.template array<std::uint8_t>(count());
    machine_.for_each(places, ListAggregates<Division>{divided, masks_.get(), first_.get(),
                                                       set_.place_of.get(), set_.part_of.get()});
    finder_ = {set_.grid, masks_.get(), first_.get(), set_.part_of.get(), nullptr, nullptr};
  }

  /// The connected components. Where there are several, the aggregates of each become neighbours in
  /// the numbering.
  void find_components() {
    auto parent = machine_.template array<std::int32_t>(count());
    auto number = machine_.template array<std::int32_t>(count() + 1);
    machine_.for_each(set_.aggregates, EachAlone{parent.get()});
    machine_.for_each(set_.aggregates, UniteAggregates<links>{finder_, set_.place_of.get(),
                                                              set_.part_of.get(), parent.get()});
    machine_.for_each(set_.aggregates, CountRoots{parent.get(), number.get()});
    set_.parts = machine_.scan(number.get(), set_.aggregates.count);
    if (set_.parts <= 1) return;
    auto component_of = machine_.template array<std::int32_t>(count());
    machine_.for_each(set_.aggregates, NumberSets{parent.get(), number.get(), component_of.get()});
    renumber(component_of);
  }

  void renumber(Array<std::int32_t>& component_of) {
    std::vector<std::int32_t> host(count());
    machine_.download(host.data(), component_of.get(), count());
    std::vector<std::int32_t> const to = sort_by_set(host, set_.parts, begins_);
    renumbered_ = machine_.template array<std::int32_t>(count());
    machine_.upload(renumbered_.get(), to.data(), count());
    auto place_from = std::move(set_.place_of);
    part_as_found_ = std::move(set_.part_of);
    set_.place_of = machine_.template array<std::int32_t>(count());
    set_.part_of = machine_.template array<std::uint8_t>(count());
    machine_.for_each(set_.aggregates,
                      Renumber{renumbered_.get(), place_from.get(), part_as_found_.get(),
                               set_.place_of.get(), set_.part_of.get()});
    finder_.renumbered = renumbered_.get();
  }

  /// The slots of nodes: those of a component in chunks, which are divided among the processes.
  void pack_nodes() {
    std::vector<std::uint8_t> host_masks(count());
    machine_.download(host_masks.data(), set_.part_of.get(), count());
    Packing const packing = pack(host_masks, begins_);
    divide(machine_, set_, static_cast<std::int64_t>(packing.chunk_part.size()),
           packing.chunk_aggregate);
    if (set_.slots.count > std::numeric_limits<std::int32_t>::max())
      throw BadInput("the box has more nodes than 2^31");
    set_.part_nodes = packing.part_nodes;
    set_.nodes = std::accumulate(set_.part_nodes.begin(), set_.part_nodes.end(), std::int64_t{0});
    upload(set_.first_slot, packing.first_slot);
    upload(set_.chunk_aggregate, packing.chunk_aggregate);
    upload(set_.chunk_part, packing.chunk_part);
    upload(set_.part_chunks, packing.part_chunks);
    finder_.first_slot = set_.first_slot.get();
  }

  /// The links of each slot to its neighbours, and its aggregate.
  void link_nodes() {
    auto const slots = static_cast<std::size_t>(set_.slots.count);
    set_.table = machine_.template array_of<std::int32_t>(set_.slots.times(links), slots);
    set_.parent = machine_.template array<std::int32_t>(slots);
    machine_.for_each(set_.slots.times(links), Fill{set_.table.get(), LinkTable<links>::wall});
    machine_.for_each(set_.slots, Fill{set_.parent.get(), -1});
    machine_.for_each(set_.aggregates,
                      MakeLinks<links>{finder_, set_.place_of.get(), set_.part_of.get(),
                                       set_.table.get(), set_.parent.get()});
    set_.near = find_halo(machine_, set_.slots, set_.slots, WishEnds<links>{set_.links()});
    machine_.refresh(set_.near, set_.parent.get());
  }

  std::size_t count() const { return static_cast<std::size_t>(set_.aggregates.count); }

  template <class T>
  void upload(Array<T>& to, std::vector<T> const& from) {
    to = machine_.template array<T>(from.size());
    machine_.upload(to.get(), from.data(), from.size());
  }

  Machine& machine_;
  Array<std::uint8_t> masks_;
  Array<std::int32_t> first_;
  Array<std::int32_t> renumbered_;
  Array<std::uint8_t> part_as_found_;    ///< where the aggregates have been renumbered
  std::vector<std::int64_t> begins_{0};  ///< first aggregate of each component, and the end
  NodeFinder finder_{};
  NodeSet<Machine, links> set_;
};

/// All pore voxels of the geometry, joined by the first `links` links of D3Q19; `divided` divides
/// boxes of 2 x 2 x 2 into aggregates. Throws BadInput where there are none.
template <int links, class Machine, class Division = ConnectedParts<links>>
NodeSet<Machine, links> make_nodes(Machine& machine, Geometry const& geometry,
                                   Division const& divided = {}) {
  return NodeSetUp<Machine, links>(machine, geometry, divided).take();
}

}  // namespace tessera::steady
