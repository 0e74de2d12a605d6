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

#include "base/errors.hpp"
#include "partition/spectral/element_geometries.hpp"
#include "partition/spectral/outbox_places.hpp"
#include "partition/spectral/tile_tables.hpp"

namespace tessera::spectral {

/// The side parts of one tile, which are added to its tables.
template <class N>
class SideParts {
 public:
  SideParts(MeshOfGas const& of, ElementGeometries& geometries, OutboxPlaces const& outboxes,
            std::int32_t tile, TileTables<N>& tables)
      : of_(of),
        mesh_(of.mesh),
        geometries_(geometries),
        outboxes_(outboxes),
        tile_(tile),
        tables_(tables) {}

  /// A side of the pack that is the last one in the tables; its links are the last ones. Lanes with
  /// neighbours of one degree, or at one kind of boundary, make a part; padding does as the first
  /// lane does.
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
        part.affine = add_mortar_areas(from, side, mask, degree) ? 1 : 0;
      }
      if (degree >= 0 && degree != of.degree) add_mortar_faces(from, of, side, part);
      tables_.parts.push_back(part);
    }
  }

 private:
  static std::size_t index(std::integral auto i) { return static_cast<std::size_t>(i); }
  PackShape shape(int degree) const { return {mesh_.dimension, degree}; }

  /// Whether an element and its neighbour behind a side between unlike degrees are in this tile and
  /// have the same axes: so both would find the same fluxes, bit by bit, and one computation serves
  /// both.
  bool is_found_by_both(Pack const& from, int side, int lane) const {
    if (lane >= from.elements) return false;  // padding has no faces that would compute its fluxes
    Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
    return outboxes_.tile_of(face.neighbour) == tile_ && face.turn == 0 &&
           face.side % 2 != side % 2;
  }

  /// Adds the faces at which the element of the lower degree computes the fluxes of both.
  void add_mortar_faces(Pack const& from, PackShape of, int side, SidePart const& part) {
    MortarFace const first = first_mortar_face(of, side, part);
    auto const links = tables_.links.end() - lanes;
    for (int lane = 0; lane < lanes; ++lane) {
      if ((part.lanes >> lane & 1) == 0) continue;
      bool const one_for_both = is_found_by_both(from, side, lane);
      if (one_for_both && part.degree < of.degree) continue;
      MortarFace face = first;
      face.trace += lane;
      face.areas += lane;
      face.link = links[lane];
      face.for_both = one_for_both ? 1 : 0;
      tables_.mortars.add(of.degree, part.degree, face);
    }
  }

  /// The mortar face of lane 0 of the pack that is being added.
  MortarFace first_mortar_face(PackShape of, int side, SidePart const& part) const {
    TilePack const& pack = tables_.packs.back();
    MortarFace made{.trace = pack.traces + of.trace_at(side, 0, 0), .is_end = side % 2};
    if (part.degree > of.degree) {
      MetricStrides const strides = metric_strides(shape(part.degree), part.affine != 0);
      made.areas = part.values;
      made.of_component = strides.component;
      made.of_point = strides.line;
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

  /// Adds the neighbours' metrics on the mortar, turned and directed as the own ones; at one point,
  /// if they are the same at all points. Returns whether they are.
  bool add_mortar_areas(Pack const& from, int side, std::int32_t mask, int degree) {
    PackShape const theirs = shape(degree);
    std::array<std::vector<double>, lanes> areas;  // [component][point]
    bool affine = true;
    for (int lane = 0; lane < lanes; ++lane) {
      auto& area = areas[index(lane)];
      area.assign(index(theirs.dimension * theirs.side_points()), 1.0);
      if ((mask >> lane & 1) == 0) continue;
      Face const& face = mesh_.face(index(from.element[index(lane)]), index(side));
      ElementGeometry const g = geometries_.of(face.neighbour);
      affine = affine && g.affine;
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
    std::size_t const step = affine ? index(theirs.side_points()) : 1;
    for (std::size_t i = 0; i < areas[0].size(); i += step) {
      for (auto const& of_lane : areas) tables_.geometry.push_back(static_cast<N>(of_lane[i]));
    }
    return affine;
  }

  MeshOfGas const& of_;
  Mesh const& mesh_;
  ElementGeometries& geometries_;
  OutboxPlaces const& outboxes_;
  std::int32_t tile_;
  TileTables<N>& tables_;
};

}  // namespace tessera::spectral
