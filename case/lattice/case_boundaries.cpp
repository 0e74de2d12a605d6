// SPDX-License-Identifier: MIT
#include "case/lattice/case_boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "case/lattice/case_conditions.hpp"
#include "case/lattice/case_contacts.hpp"
#include "geometry/solids.hpp"
#include "io/images/labels.hpp"
#include "io/meshes/stl.hpp"
#include "run/spread/blocks.hpp"
#include "run/spread/image.hpp"
#include "run/spread/numbers.hpp"

namespace tessera {
namespace {

Vector3 vector_of(Case::Double3 const& v) { return {v[0], v[1], v[2]}; }

SurfacePointer surface_of(Case::Solid const& s) {
  SurfacePointer surface;
  switch (s.shape) {
    case Case::SolidShape::sphere:
      surface = sphere(vector_of(s.center), s.radius);
      break;
    case Case::SolidShape::cylinder:
      surface = s.length ? cylinder(vector_of(s.center), s.axis, s.radius, *s.length)
                         : cylinder(vector_of(s.center), s.axis, s.radius);
      break;
    case Case::SolidShape::box:
      surface = box(vector_of(s.lower), vector_of(s.upper));
      break;
    case Case::SolidShape::stl:
      surface = stl_surface(s.stl, {s.scale, vector_of(s.translate)});
      break;
  }
  return s.outside ? outside(surface) : surface;
}

bool same_place(Case::Place const& a, Case::Place const& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Case::PlaceKind::face:
      return a.face == b.face;
    case Case::PlaceKind::solid:
      return a.solid == b.solid;
    case Case::PlaceKind::image_label:
      return a.image_label == b.image_label;
  }
  return false;
}

class BoxMaker {
 public:
  explicit BoxMaker(Case const& c) : case_(c), body_labels_(c.geometry.solids.size()) {}

  CaseBox make() {
    boundaries_.shape = case_.geometry.shape;
    boundaries_.periodic = case_.geometry.periodic;
    boundaries_.density_drop = case_.density_drop;
    for (Case::Boundary const& b : case_.boundaries) add_boundary(b);
    // A place without a condition is a plain wall; one whose force is asked for has its own.
    for (Case::ForceOutput const& f : case_.output.forces) {
      std::size_t const number = find(f.on).value_or(boundaries_.conditions.size());
      if (number == boundaries_.conditions.size()) add(f.on, {});
      boundaries_.conditions[number].measure_force = true;
      box_.condition_of_force.push_back(number);
    }
    if (boundaries_.conditions.size() > most_conditions) {
      throw BadInput(fmt::format("{}: {} boundary conditions: expected at most {}",
                                 case_.file.string(), boundaries_.conditions.size() - 1,
                                 most_conditions - 1));
    }
    make_geometry();
    warn_of_what_no_fluid_meets();
    box_.boundaries = std::make_shared<Boundaries const>(std::move(boundaries_));
    return std::move(box_);
  }

 private:
  std::optional<std::size_t> find(Case::Place const& place) const {
    auto const at = std::ranges::find_if(
        places_, [&](auto const& known) { return same_place(known.first, place); });
    return at == places_.end() ? std::nullopt : std::optional(at->second);
  }

  std::size_t add(Case::Place const& place, BoundaryCondition condition) {
    std::size_t const number = boundaries_.conditions.size();
    boundaries_.conditions.push_back(std::move(condition));
    places_.emplace_back(place, number);
    auto const label = static_cast<std::uint8_t>(number);
    if (place.kind == Case::PlaceKind::face)
      boundaries_.of_face[static_cast<std::size_t>(place.face)] = label;
    if (place.kind == Case::PlaceKind::solid) {
      auto const& solids = case_.geometry.solids;
      for (std::size_t i = 0; i < solids.size(); ++i) {
        if (solids[i].label == solids[place.solid].label) body_labels_[i] = label;
      }
    }
    return number;
  }

  void add_boundary(Case::Boundary const& b) {
    BoundaryCondition condition = condition_of(b);
    if (b.type == Case::BoundaryType::interpolated_wall) {
      condition.link_fraction = [bodies = bodies_, shape = case_.geometry.shape,
                                 periodic = case_.geometry.periodic](Int3 node, Int3 c) {
        return link_fraction(*bodies, node, c, shape, periodic);
      };
    }
    std::size_t const number = add(b.place, std::move(condition));
    if (b.factor.varies()) box_.factors.emplace_back(number, b.factor);
  }

  void make_geometry() {
    Case::Geometry const& g = case_.geometry;
    if (g.image) {
      take_from_image(*g.image);
    } else {
      box_.geometry = open_box(g.shape);
    }
    box_.geometry.set_periodic(g.periodic);
    for (std::size_t i = 0; i < g.solids.size(); ++i) {
      bodies_->push_back(
          {periodic_images(surface_of(g.solids[i]), g.shape, g.periodic), body_labels_[i]});
    }
    for (auto const& [place, number] : places_) {
      if (boundaries_.conditions[number].kind == BoundaryKind::full_way_wall)
        fill_first_layer(place.face, static_cast<std::uint8_t>(number));
    }
    if (!bodies_->empty()) fill_solids();
    if (own_numbers_) boundaries_.of_voxel = numbers_of_all(box_.geometry, *own_numbers_);
  }

  void fill_solids() {
    auto const& solids = case_.geometry.solids;
    auto filled = voxelise(*bodies_, box_.geometry.shape, box_.geometry.layers, box_.geometry.own,
                           own_numbers());
    Ranks::sum(filled);
    for (std::size_t i = 0; i < filled.size(); ++i) {
      if (filled[i] == 0)
        throw bad_line(case_, solids[i].line, "this solid holds the centre of no voxel");
    }
    if (pore_voxels(box_.geometry) == 0)
      throw bad_line(case_, solids.back().line, "the solids leave no pore voxel in the box");
  }

  /// Numbers of the conditions of the voxels in this rank's layers; 0, a plain wall, unless set.
  std::vector<std::uint8_t>& own_numbers() {
    if (!own_numbers_) own_numbers_.emplace(box_.geometry.own.pore.size());
    return *own_numbers_;
  }

  /// Warns of conditions that no fluid meets, on a solid inside another one, for example.
  void warn_of_what_no_fluid_meets() {
    auto const met = conditions_with_links(block_grid(box_.geometry, case_.model.lattice),
                                           box_.geometry.layers, boundaries_);
    for (auto const& [place, number] : places_) {
      if (met[number]) continue;
      box_.warnings.push_back(fmt::format(
          "no fluid touches '{}': its condition does nothing, and forces on it are 0", place.text));
    }
  }

  /// The voxels of a full-way wall hold no fluid.
  void fill_first_layer(Case::Face face, std::uint8_t number) {
    Geometry& own = box_.geometry.own;
    LayerRange const layers = box_.geometry.layers;
    Axis const axis = axis_of(face);
    Int3 first{0, 0, layers.lower};
    Int3 end{own.shape.x, own.shape.y, layers.upper};
    if (is_upper(face)) {
      first[axis] = std::max(first[axis], box_.geometry.shape[axis] - 1);
    } else {
      end[axis] = std::min<std::int64_t>(end[axis], 1);
    }
    std::vector<std::uint8_t>& numbers = own_numbers();
    for (Int3 at = first; at.z < end.z; ++at.z) {
      for (at.y = first.y; at.y < end.y; ++at.y) {
        for (at.x = first.x; at.x < end.x; ++at.x) {
          std::size_t const voxel = linear_index(own.shape, at - Int3{0, 0, layers.lower});
          own.pore[voxel] = 0;
          numbers[voxel] = number;
        }
      }
    }
  }

  void take_from_image(Image const& image) {
    box_.geometry = label_spread_pores(image, case_.geometry.pore);
    auto const of_label = [](auto const& known) {
      return known.first.kind == Case::PlaceKind::image_label;
    };
    if (std::ranges::any_of(places_, of_label)) own_numbers_ = conditions_in(image);
  }

  /// Numbers of the conditions of the voxels in this rank's part of the image.
  std::vector<std::uint8_t> conditions_in(Image const& image) const {
    std::vector<std::uint8_t> numbers;
    std::visit(
        [&](auto const& voxels) {
          numbers.resize(voxels.size());
          for (auto const& [place, number] : places_) {
            if (place.kind != Case::PlaceKind::image_label) continue;
            auto const label = static_cast<double>(place.image_label);
            for (std::size_t i = 0; i < voxels.size(); ++i) {
              if (static_cast<double>(voxels[i]) == label)
                numbers[i] = static_cast<std::uint8_t>(number);
            }
          }
        },
        image.voxels);
    return numbers;
  }

  Case const& case_;
  CaseBox box_;
  Boundaries boundaries_;
  std::optional<std::vector<std::uint8_t>> own_numbers_;     ///< see own_numbers(); none: all 0
  std::vector<std::pair<Case::Place, std::size_t>> places_;  ///< with their conditions' numbers
  std::vector<std::uint8_t> body_labels_;                    ///< of solids: numbers of conditions
  /// The solids, shared with the conditions that ask where a surface is.
  std::shared_ptr<std::vector<SolidBody>> bodies_ = std::make_shared<std::vector<SolidBody>>();
};

}  // namespace

CaseBox case_box(Case const& c) { return BoxMaker(c).make(); }

}  // namespace tessera
