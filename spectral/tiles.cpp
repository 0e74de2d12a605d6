// SPDX-License-Identifier: MIT
#include "spectral/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "lattice/errors.hpp"
#include "spectral/geometry.hpp"
#include "spectral/outbox_places.hpp"

namespace tessera::spectral {
namespace {

std::size_t index(std::integral auto i) { return static_cast<std::size_t>(i); }

/// Geometry of elements, with the matrices it takes for each degree.
class Geometries {
 public:
  explicit Geometries(Mesh const& mesh) : mesh_(mesh) {}

  ElementMaps const& maps(int degree) {
    auto& made = of_degree_[index(degree)];
    if (!made) made = std::make_unique<ElementMaps>(mesh_.dimension, mesh_.map_degree, degree);
    return *made;
  }
  ElementGeometry of(std::int32_t element) {
    auto const e = index(element);
    return maps(mesh_.degree[e]).geometry(mesh_.nodes_of(e), e);
  }

 private:
  Mesh const& mesh_;
  std::array<std::unique_ptr<ElementMaps>, most_degree + 1> of_degree_;
};

/// Metrics of an element as a curved one has them.
double metric(ElementGeometry const& g, PackShape shape, int d, int f, int c, int line) {
  auto const& m = g.metrics[index(d)];
  if (g.affine) return m[index(c)];
  return m[index((f * shape.dimension + c) * shape.side_points() + line)];
}

/// S_d of a side of an element at one of its points.
double side_area(ElementGeometry const& g, PackShape shape, int side, int c, int point) {
  return metric(g, shape, side / 2, side % 2 == 0 ? 0 : shape.degree + 1, c, point);
}

template <class N>
class TileMaker {
 public:
  TileMaker(MeshOfGas const& of, PacksOfTile const& packs_of_tile, OutboxPlaces const& outboxes)
      : of_(of), mesh_(of.mesh), geometries_(of.mesh), outboxes_(outboxes) {
    place_packs(packs_of_tile);
    for (std::size_t t = 0; t < packs_of_tile.size(); ++t) {
      auto const number = static_cast<std::int32_t>(t);
      if (!outboxes.is_own(number)) continue;
      if (all_.tiles.empty()) all_.first_tile = number;
      all_.tiles.push_back(make(number, packs_of_tile[t]));
    }
  }
  ElementTiles take() { return std::move(all_); }

 private:
  ElementTile make(std::int32_t number, std::vector<std::int32_t> const& packs) {
    tile_ = {};
    packs_.clear();
    parts_.clear();
    mortars_.clear();
    links_.clear();
    leaving_.clear();
    geometry_.clear();
    tile_.packs = packs;
    tile_.counts.dimension = mesh_.dimension;
    tile_.counts.packs = static_cast<std::int32_t>(packs.size());
    find_neighbours(number);
    for (std::int32_t const pack : packs) add_pack(number, pack);
    add_groups();
    write_tables();
    return std::move(tile_);
  }

  Pack const& pack(std::int32_t number) const { return of_.packs.packs[index(number)]; }
  PackShape shape(int degree) const { return {mesh_.dimension, degree}; }
  std::int32_t tile_of(std::int32_t element) const { return outboxes_.tile_of(element); }

  /// Where each pack's traces begin in its tile.
  void place_packs(PacksOfTile const& packs_of_tile) {
    traces_of_pack_.resize(of_.packs.packs.size());
    for (auto const& packs : packs_of_tile) {
      std::int64_t at = 0;
      for (std::int32_t const p : packs) {
        traces_of_pack_[index(p)] = at;
        at += shape(pack(p).degree).traces_size();
      }
    }
  }

  void find_neighbours(std::int32_t number) {
    std::set<std::int32_t> found;
    for (std::int32_t const p : tile_.packs) {
      for (int lane = 0; lane < pack(p).elements; ++lane) {
        for (std::size_t s = 0; s < mesh_.sides(); ++s) {
          std::int32_t const other = mesh_.face(index(pack(p).element[index(lane)]), s).neighbour;
          if (other >= 0 && tile_of(other) != number) found.insert(tile_of(other));
        }
      }
    }
    senders_.assign(found.begin(), found.end());
    // Tiles are numbered rank by rank, but the own ones stand in front.
    std::ranges::stable_partition(senders_, [&](std::int32_t t) { return outboxes_.is_own(t); });
    for (std::int32_t const sender : senders_) {
      if (outboxes_.is_own(sender)) {
        tile_.neighbours.push_back(sender - all_.first_tile);
      } else {
        tile_.foreign.push_back(foreign_outbox(sender));
      }
    }
    tile_.outboxes = outboxes_.outboxes(number);
    tile_.counts.outboxes = static_cast<std::int32_t>(tile_.outboxes.size());
  }

  /// Its number.
  std::int32_t foreign_outbox(std::int32_t sender) {
    auto const known = std::ranges::find(all_.foreign, sender, &ForeignOutbox::tile);
    auto const number = static_cast<std::int32_t>(known - all_.foreign.begin());
    if (known == all_.foreign.end()) {
      Outbox const& for_us = outboxes_.outboxes(sender).back();
      all_.foreign.push_back({sender, outboxes_.rank_of(sender), for_us.numbers});
    }
    return number;
  }

  void add_pack(std::int32_t number, std::int32_t p) {
    Pack const& from = pack(p);
    PackShape const of = shape(from.degree);
    TilePack& to = packs_.emplace_back();
    to.degree = from.degree;
    to.elements = from.elements;
    to.state = tile_.counts.state_numbers;
    to.traces = tile_.counts.trace_numbers;
    tile_.counts.state_numbers += of.state_size();
    tile_.counts.trace_numbers += of.traces_size();
    tile_.counts.points += std::int64_t{from.elements} * of.points();

    std::vector<ElementGeometry> geometry;
    geometry.reserve(index(from.elements));
    for (int lane = 0; lane < from.elements; ++lane)
      geometry.push_back(geometries_.of(from.element[index(lane)]));
    add_geometry(to, of, geometry);
    to.first_leaving = static_cast<std::int32_t>(leaving_.size());
    for (int side = 0; side < of.sides(); ++side) {
      to.first_part[side] = static_cast<std::int32_t>(parts_.size());
      add_parts(number, from, of, side);
      add_links(number, from, side);
      add_leaving(number, from, of, side, to.traces);
    }
    for (int side = of.sides(); side < 7; ++side)
      to.first_part[side] = static_cast<std::int32_t>(parts_.size());
    to.leaving = static_cast<std::int32_t>(leaving_.size()) - to.first_leaving;
  }

  void add_geometry(TilePack& to, PackShape of, std::vector<ElementGeometry> const& geometry) {
    bool const affine = std::ranges::all_of(geometry, &ElementGeometry::affine);
    to.affine = affine ? 1 : 0;
    // Behind the last element the first one stands again, as padding.
    auto const lane_of = [&](int lane) -> ElementGeometry const& {
      return geometry[index(lane) < geometry.size() ? index(lane) : 0];
    };
    to.metrics = static_cast<std::int64_t>(geometry_.size());
    for (int d = 0; d < of.dimension; ++d) {
      for (int f = 0; f < (affine ? 1 : of.degree + 2); ++f) {
        for (int c = 0; c < of.dimension; ++c) {
          for (int line = 0; line < (affine ? 1 : of.side_points()); ++line) {
            for (int lane = 0; lane < lanes; ++lane)
              geometry_.push_back(static_cast<N>(metric(lane_of(lane), of, d, f, c, line)));
          }
        }
      }
    }
    to.jacobian = static_cast<std::int64_t>(geometry_.size());
    for (int point = 0; point < (affine ? 1 : of.points()); ++point) {
      for (int lane = 0; lane < lanes; ++lane) {
        auto const& jacobian = lane_of(lane).jacobian;
        geometry_.push_back(static_cast<N>(1 / jacobian[jacobian.size() > 1 ? index(point) : 0]));
      }
    }
  }

  /// Lanes of a side with neighbours of one degree, or at one kind of boundary, together. Padding
  /// lanes do as the first lane does.
  void add_parts(std::int32_t number, Pack const& from, PackShape of, int side) {
    std::map<std::pair<int, int>, std::int32_t> masks;  // of degree and kind of boundary
    for (int lane = 0; lane < lanes; ++lane) {
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      int const degree = face.neighbour < 0 ? -1 : mesh_.degree[index(face.neighbour)];
      int const kind = degree < 0 ? static_cast<int>(condition(face).kind) : 0;
      masks[{degree, kind}] |= 1 << lane;
    }
    for (auto const& [what, mask] : masks) {
      auto const [degree, kind] = what;
      SidePart part{mask, degree, kind, 0, static_cast<std::int64_t>(geometry_.size())};
      if (degree < 0) {
        add_given_states(from, of, side, mask);
      } else if (degree > of.degree) {
        add_mortar_areas(from, side, mask, degree);
      }
      if (degree >= 0 && degree != of.degree) {
        add_mortar(of, side, part, found_by_both(number, from, side, mask));
        std::int32_t& highest = tile_.counts.highest_at_mortars;
        highest = std::max({highest, degree, of.degree});
      }
      parts_.push_back(part);
    }
  }

  /// Lanes of a side between unlike degrees whose elements and neighbours are in this tile and have
  /// the same axes: so both would find the same fluxes, bit by bit, and one does for both.
  std::int32_t found_by_both(std::int32_t number, Pack const& from, int side,
                             std::int32_t mask) const {
    std::int32_t found = 0;
    // Nobody would do it for padding.
    for (int lane = 0; lane < from.elements; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      if (tile_of(face.neighbour) == number && face.turn == 0 && face.side % 2 != side % 2)
        found |= 1 << lane;
    }
    return found;
  }

  /// The element of the lower degree finds the fluxes of both.
  void add_mortar(PackShape of, int side, SidePart const& part, std::int32_t for_both) {
    MortarSide made = mortar_side(of, side, part);
    if (part.degree > of.degree) {
      made.for_both = for_both;
    } else {
      made.lanes &= ~for_both;
    }
    if (made.lanes != 0) mortars_.push_back(made);
  }

  /// Of the pack that is being added.
  MortarSide mortar_side(PackShape of, int side, SidePart const& part) const {
    TilePack const& pack = packs_.back();
    MortarSide made{.trace = pack.traces + of.trace_at(side, 0, 0),
                    .links = static_cast<std::int32_t>(links_.size()),
                    .lanes = part.lanes,
                    .degree = of.degree,
                    .other = part.degree,
                    .is_end = side % 2};
    if (part.degree > of.degree) {
      made.areas = part.values;
      made.of_component = shape(part.degree).side_points() * lanes;
      made.of_point = lanes;
    } else {
      MetricStrides const strides = metric_strides(of, pack.affine != 0);
      made.areas = pack.metrics + side / 2 * strides.direction +
                   (side % 2 == 0 ? 0 : (of.degree + 1) * strides.flux_point);
      made.of_component = strides.component;
      made.of_point = strides.line;
    }
    return made;
  }

  BoundaryCondition const& condition(Face const& face) const {
    if (index(face.boundary) >= of_.boundaries.size())
      throw BadInput(fmt::format("mesh: boundary \"{}\" has no condition",
                                 mesh_.boundaries[index(face.boundary)]));
    return of_.boundaries[index(face.boundary)];
  }

  void add_given_states(Pack const& from, PackShape of, int side, std::int32_t mask) {
    std::array<std::vector<State<double>>, lanes> given;
    for (int lane = 0; lane < lanes; ++lane) {
      auto const e = index(from.element[index(lane)]);
      given[index(lane)].assign(index(of.side_points()), State<double>{{1, 0, 0, 0, 1}});
      if ((mask >> lane & 1) == 0) continue;
      BoundaryCondition const& where = condition(mesh_.face(e, index(side)));
      if (where.kind == BoundaryKind::slip_wall) continue;
      std::vector<Point> const places =
          geometries_.maps(of.degree).places_on_side(mesh_.nodes_of(e), side);
      for (std::size_t i = 0; i < places.size(); ++i)
        given[index(lane)][i] = conserved(where.given(places[i]), of_.gas);
    }
    for (int v = 0; v < variables; ++v) {
      for (int i = 0; i < of.side_points(); ++i) {
        for (auto const& of_lane : given) geometry_.push_back(static_cast<N>(of_lane[index(i)][v]));
      }
    }
  }

  /// The neighbours' metrics on the mortar, turned and directed as the own ones.
  void add_mortar_areas(Pack const& from, int side, std::int32_t mask, int degree) {
    PackShape const theirs = shape(degree);
    std::array<std::vector<double>, lanes> areas;  // [component][point]
    for (int lane = 0; lane < lanes; ++lane) {
      auto& area = areas[index(lane)];
      area.assign(index(theirs.dimension * theirs.side_points()), 1.0);
      if ((mask >> lane & 1) == 0) continue;
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      ElementGeometry const g = geometries_.of(face.neighbour);
      double const sign = side % 2 == face.side % 2 ? -1 : 1;
      for (int c = 0; c < theirs.dimension; ++c) {
        for (int i = 0; i < theirs.side_points(); ++i) {
          int const n = degree + 1;
          int const there = turned_point(face.turn, n, i % n, i / n);
          area[index(c * theirs.side_points() + i)] =
              sign * side_area(g, theirs, face.side, c, there);
        }
      }
    }
    for (std::size_t i = 0; i < areas[0].size(); ++i) {
      for (auto const& of_lane : areas) geometry_.push_back(static_cast<N>(of_lane[i]));
    }
  }

  void add_links(std::int32_t number, Pack const& from, int side) {
    for (std::int32_t const e : from.element) {
      Link& link = links_.emplace_back();
      Face const& face = mesh_.face(index(e), index(side));
      if (face.neighbour < 0) continue;
      link.turn = face.turn;
      std::int32_t const tile = tile_of(face.neighbour);
      if (tile == number) {
        Place const there = of_.packs.place_of[index(face.neighbour)];
        link.begin = traces_of_pack_[index(there.pack)] +
                     shape(mesh_.degree[index(face.neighbour)]).trace_at(face.side, 0, 0) +
                     there.lane;
        link.stride = lanes;
      } else {
        auto const inbox = std::ranges::find(senders_, tile);
        link.source = 1 + static_cast<std::int32_t>(inbox - senders_.begin());
        link.begin = outboxes_.of_side(face.neighbour, face.side).at;
        link.stride = 1;
      }
    }
  }

  void add_leaving(std::int32_t number, Pack const& from, PackShape of, int side,
                   std::int64_t traces) {
    for (int lane = 0; lane < from.elements; ++lane) {
      std::int32_t const e = from.element[index(lane)];
      Face const& face = mesh_.face(index(e), index(side));
      if (face.neighbour < 0 || tile_of(face.neighbour) == number) continue;
      OutboxPlaces::Place const to = outboxes_.of_side(e, side);
      leaving_.push_back({traces + of.trace_at(side, 0, 0) + lane, to.at,
                          variables * of.side_points(), to.outbox});
    }
  }

  void add_groups() {
    TileCounts& counts = tile_.counts;
    for (std::size_t i = 0; i < packs_.size(); ++i) {
      if (counts.groups == 0 || counts.group[counts.groups - 1].degree != packs_[i].degree)
        counts.group[counts.groups++] = {packs_[i].degree, static_cast<std::int32_t>(i), 0, 0};
      DegreeGroup& group = counts.group[counts.groups - 1];
      ++group.packs;
      if (packs_[i].affine == 0) group.curved = 1;
    }
  }

  void write_tables() {
    std::size_t bytes = 0;
    auto const place = [&](auto const& table) {
      std::size_t const at = bytes;
      bytes = (bytes + std::span(table).size_bytes() + 63) / 64 * 64;
      return static_cast<std::int64_t>(at);
    };
    TileCounts& counts = tile_.counts;
    std::int64_t const packs_at = place(packs_);
    counts.parts_at = place(parts_);
    counts.mortars = static_cast<std::int32_t>(mortars_.size());
    counts.mortars_at = place(mortars_);
    counts.links_at = place(links_);
    counts.leaving_at = place(leaving_);
    counts.geometry_at = place(geometry_);
    tile_.tables.resize(std::max<std::size_t>(1, bytes / 64));
    auto const write = [&](auto const& table, std::int64_t at) {
      if (!table.empty())
        std::memcpy(std::as_writable_bytes(std::span(tile_.tables)).data() + at, table.data(),
                    std::span(table).size_bytes());
    };
    write(packs_, packs_at);
    write(parts_, counts.parts_at);
    write(mortars_, counts.mortars_at);
    write(links_, counts.links_at);
    write(leaving_, counts.leaving_at);
    write(geometry_, counts.geometry_at);
  }

  MeshOfGas const& of_;
  Mesh const& mesh_;
  Geometries geometries_;
  OutboxPlaces const& outboxes_;
  std::vector<std::int64_t> traces_of_pack_;
  ElementTiles all_;

  // Of the tile that is being made.
  ElementTile tile_;
  std::vector<std::int32_t> senders_;  ///< tiles of all ranks, in the order of the inboxes
  std::vector<TilePack> packs_;
  std::vector<SidePart> parts_;
  std::vector<MortarSide> mortars_;
  std::vector<Link> links_;
  std::vector<Leaving> leaving_;
  std::vector<N> geometry_;
};

}  // namespace

template <class N>
ElementTiles make_tiles(MeshOfGas const& of, TileOfPack const& tile_of_pack,
                        RankOfTile const& rank_of_tile, std::int32_t rank) {
  PacksOfTile packs_of_tile;
  for (std::size_t p = 0; p < tile_of_pack.size(); ++p) {
    std::size_t const t = index(tile_of_pack[p]);
    if (t >= packs_of_tile.size()) packs_of_tile.resize(t + 1);
    packs_of_tile[t].push_back(static_cast<std::int32_t>(p));
  }
  for (auto& packs : packs_of_tile)
    std::ranges::stable_sort(packs, {},
                             [&](std::int32_t p) { return of.packs.packs[index(p)].degree; });
  OutboxPlaces const outboxes(of, tile_of_pack, rank_of_tile, packs_of_tile, rank);
  return TileMaker<N>(of, packs_of_tile, outboxes).take();
}

template ElementTiles make_tiles<double>(MeshOfGas const&, TileOfPack const&, RankOfTile const&,
                                         std::int32_t);
template ElementTiles make_tiles<float>(MeshOfGas const&, TileOfPack const&, RankOfTile const&,
                                        std::int32_t);

}  // namespace tessera::spectral
