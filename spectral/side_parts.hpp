// SPDX-License-Identifier: MIT
// What lies behind the sides of a tile's packs: neighbours of the same or of another degree, and
// boundaries, with the numbers that their fluxes take.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <map>
#include <vector>

#include "lattice/errors.hpp"
#include "spectral/element_geometries.hpp"
#include "spectral/outbox_places.hpp"
#include "spectral/tile_tables.hpp"

namespace tessera::spectral {

/// Of one tile. Adds to the tables and counts that it is given.
template <class N>
class SideParts {
 public:
  SideParts(MeshOfGas const& of, ElementGeometries& geometries, OutboxPlaces const& outboxes,
            std::int32_t tile, TileTables<N>& tables, TileCounts& counts)
      : of_(of),
        mesh_(of.mesh),
        geometries_(geometries),
        outboxes_(outboxes),
        tile_(tile),
        tables_(tables),
        counts_(counts) {}

  /// A side of the pack that is the last one in the tables; its links will stand behind the last
  /// ones. Lanes with neighbours of one degree, or at one kind of boundary, make a part; padding
  /// does as the first lane does.
  void add(Pack const& from, int side) {
    PackShape const of = shape(from.degree);
    std::map<std::pair<int, int>, std::int32_t> masks;  // of degree and kind of boundary
    for (int lane = 0; lane < lanes; ++lane) {
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      int const degree = face.neighbour < 0 ? -1 : mesh_.degree[index(face.neighbour)];
      int const kind = degree < 0 ? static_cast<int>(condition(face).kind) : 0;
      masks[{degree, kind}] |= 1 << lane;
    }
    for (auto const& [what, mask] : masks) {
      auto const [degree, kind] = what;
      SidePart part{mask, degree, kind, 0, static_cast<std::int64_t>(tables_.geometry.size())};
      if (degree < 0) {
        add_given_states(from, of, side, mask);
      } else if (degree > of.degree) {
        add_mortar_areas(from, side, mask, degree);
      }
      if (degree >= 0 && degree != of.degree) {
        add_mortar(of, side, part, found_by_both(from, side, mask));
        std::int32_t& highest = counts_.highest_at_mortars;
        highest = std::max({highest, degree, of.degree});
      }
      tables_.parts.push_back(part);
    }
  }

 private:
  static std::size_t index(std::integral auto i) { return static_cast<std::size_t>(i); }
  PackShape shape(int degree) const { return {mesh_.dimension, degree}; }

  /// Lanes of a side between unlike degrees whose elements and neighbours are in this tile and have
  /// the same axes: so both would find the same fluxes, bit by bit, and one does for both.
  std::int32_t found_by_both(Pack const& from, int side, std::int32_t mask) const {
    std::int32_t found = 0;
    // Nobody would do it for padding.
    for (int lane = 0; lane < from.elements; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      if (outboxes_.tile_of(face.neighbour) == tile_ && face.turn == 0 && face.side % 2 != side % 2)
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
    if (made.lanes != 0) tables_.mortars.push_back(made);
  }

  /// Of the pack that is being added.
  MortarSide mortar_side(PackShape of, int side, SidePart const& part) const {
    TilePack const& pack = tables_.packs.back();
    MortarSide made{.trace = pack.traces + of.trace_at(side, 0, 0),
                    .links = static_cast<std::int32_t>(tables_.links.size()),
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
      int const at_side = side % 2 == 0 ? 0 : (of.degree + 1) * strides.flux_point;
      made.areas = pack.metrics + std::int64_t{side / 2} * strides.direction + at_side;
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
        for (auto const& of_lane : given)
          tables_.geometry.push_back(static_cast<N>(of_lane[index(i)][v]));
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
      for (auto const& of_lane : areas) tables_.geometry.push_back(static_cast<N>(of_lane[i]));
    }
  }

  MeshOfGas const& of_;
  Mesh const& mesh_;
  ElementGeometries& geometries_;
  OutboxPlaces const& outboxes_;
  std::int32_t tile_;
  TileTables<N>& tables_;
  TileCounts& counts_;
};

}  // namespace tessera::spectral
