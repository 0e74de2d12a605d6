// SPDX-License-Identifier: MIT
// What can only be said of the whole case: how fast it is for its lattice, and what looks wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "case/file/case_parts.hpp"
#include "run/spread/image.hpp"

namespace tessera {
namespace {

using Type = Case::BoundaryType;

constexpr double most_mach = 0.3;
constexpr double high_mach = 0.1;
constexpr double low_relaxation_time = 0.505;

/// At most so many places along an axis, or points in time, are looked at.
constexpr std::int64_t most_samples = 33;

/// Voxels from first to last (exclusive), some of them left out, but not the ends.
template <class Visit>
void for_some(std::int64_t first, std::int64_t last, Visit visit) {
  std::int64_t const n = last - first;
  std::int64_t const samples = std::min(n, most_samples);
  for (std::int64_t i = 0; i < samples; ++i)
    visit(first + (samples == 1 ? 0 : i * (n - 1) / (samples - 1)));
}

struct Box {
  Int3 lower, upper;
};

template <class Visit>
void for_some_voxels(Box const& box, Visit visit) {
  for_some(box.lower.z, box.upper.z, [&](std::int64_t z) {
    for_some(box.lower.y, box.upper.y, [&](std::int64_t y) {
      for_some(box.lower.x, box.upper.x, [&](std::int64_t x) {
        visit(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
              static_cast<double>(z) + 0.5);
      });
    });
  });
}

/// What the surface of a solid lies in, in voxels.
void narrow_to(Case::Solid const& solid, Box& box) {
  for (Axis a : all_axes) {
    double lower = solid.lower[index_of(a)];
    double upper = solid.upper[index_of(a)];
    if (solid.shape == Case::SolidShape::stl) return;
    if (solid.shape != Case::SolidShape::box) {
      bool const along = solid.shape == Case::SolidShape::cylinder && a == solid.axis;
      if (along && !solid.length) continue;
      double const half = along ? *solid.length / 2 : solid.radius;
      lower = solid.center[index_of(a)] - half;
      upper = solid.center[index_of(a)] + half;
    }
    box.lower[a] = std::max(box.lower[a], static_cast<std::int64_t>(std::floor(lower)) - 1);
    box.upper[a] = std::min(box.upper[a], static_cast<std::int64_t>(std::ceil(upper)) + 1);
  }
}

/// The voxels where a condition holds, as far as is known here.
Box box_of(Case::Place const& place, Case::Geometry const& geometry) {
  Int3 const shape = geometry.shape;
  Box box{{}, shape};
  if (place.kind == Case::PlaceKind::image_label) return box;
  if (place.kind == Case::PlaceKind::solid) {
    std::string const& label = geometry.solids[place.solid].label;
    bool const alone = std::ranges::count(geometry.solids, label, &Case::Solid::label) == 1;
    if (alone) narrow_to(geometry.solids[place.solid], box);
    return box;
  }
  Axis const axis = axis_of(place.face);
  if (is_upper(place.face)) {
    box.lower[axis] = shape[axis] - 1;
  } else {
    box.upper[axis] = 1;
  }
  return box;
}

/// The greatest finite value; none if no value is a finite number.
template <class Value>
std::optional<double> greatest(Box const& box, Value value) {
  std::optional<double> most;
  for_some_voxels(box, [&](double x, double y, double z) {
    double const here = value(x, y, z);
    if (std::isfinite(here)) most = std::max(most.value_or(here), here);
  });
  return most;
}

double speed_at(Case::Velocity const& u, double x, double y, double z) {
  return std::hypot(u[0].at(x, y, z), u[1].at(x, y, z), u[2].at(x, y, z));
}

/// visit(t) at some steps of the run, the first and the last among them.
template <class Visit>
void for_some_steps(Case const& c, Visit visit) {
  std::int64_t const steps = c.stop.steps.value_or(100'000);
  constexpr std::int64_t samples = 1000;
  for (std::int64_t i = 0; i <= samples; ++i)
    visit(static_cast<double>(steps) * static_cast<double>(i) / samples);
}

double greatest_factor(TimeFormula const& factor, Case const& c) {
  if (!factor.varies()) return std::abs(factor.at(0));
  double most = 0;
  for_some_steps(c, [&](double t) {
    double const value = std::abs(factor.at(t));
    if (std::isfinite(value)) most = std::max(most, value);
  });
  return most;
}

/// `first`: the first step at which it is asked for.
void check_factor(CaseReading const& reading, Case const& c, TimeFormula const& factor,
                  double first, int line, std::string const& what) {
  if (!factor.varies()) return;  // a constant has been checked
  for_some_steps(c, [&](double t) {
    double const step = std::max(first, std::floor(t));  // what lies between may be met by none
    if (double const value = factor.at(step); !std::isfinite(value)) {
      reading.refuse(line, fmt::format("the factor of {} is {} at step {}: expected a formula "
                                       "that is a finite number at every step",
                                       what, value, step));
    }
  });
}

/// Before what is made of them.
void check_factors(CaseReading const& reading, Case const& c) {
  SectionReader const force(reading, "force");
  check_factor(reading, c, c.force.factor, 0, force.line("factor"), "[force]");
  for (Case::Boundary const& b : c.boundaries)
    check_factor(reading, c, b.factor, 1, b.line, b.place.text);
}

/// Collects the speeds that the case names.
class SpeedCheck {
 public:
  SpeedCheck(CaseReading const& reading, Case& c)
      : reading_(reading),
        case_(c),
        sound_(std::sqrt(velocities_of(c.model.lattice).sound_speed_squared)) {}

  void constant(double speed, int line, std::string const& what) { take(speed, line, what, true); }

  void field(Case::Velocity const& velocity, Box const& box, double factor, int line,
             std::string const& what) {
    auto const speed =
        greatest(box, [&](double x, double y, double z) { return speed_at(velocity, x, y, z); });
    if (!speed) {
      reading_.refuse(line, fmt::format("{} is nowhere a finite number: expected a formula that "
                                        "is one where there is fluid",
                                        what));
    }
    bool const varies = std::ranges::any_of(velocity, &SpaceFormula::varies);
    // A formula may be out of bounds in voxels that are solid.
    bool const all_fluid = !case_.geometry.image && case_.geometry.solids.empty();
    take(*speed * factor, line, what, !varies || all_fluid);
  }

 private:
  void take(double speed, int line, std::string const& what, bool sure) {
    double const mach = speed / sound_;
    case_.mach = std::max(case_.mach, mach);
    if (mach > most_mach && sure) {
      reading_.refuse(line, fmt::format("{} is {:.4g} voxels a step, Mach {:.3g}: expected at most "
                                        "Mach {} ({:.3g} voxels a step); a smaller time step "
                                        "slows it down",
                                        what, speed, mach, most_mach, most_mach * sound_));
    }
    if (mach > high_mach) {
      case_.warnings.push_back(
          fmt::format("{} is Mach {:.3g}: errors grow with its square, and "
                      "above {} cannot be neglected",
                      what, mach, high_mach));
    }
  }

  CaseReading const& reading_;
  Case& case_;
  double sound_;
};

void check_speeds(CaseReading const& reading, Case& c) {
  SpeedCheck check(reading, c);
  SectionReader const fluid(reading, "fluid");
  if (c.fluid.speed) check.constant(*c.fluid.speed, fluid.line("speed"), "the speed in [fluid]");
  for (Case::Boundary const& b : c.boundaries) {
    check.field(b.velocity, box_of(b.place, c.geometry), greatest_factor(b.factor, c), b.line,
                fmt::format("the velocity on {}", b.place.text));
  }
  SectionReader const initial(reading, "initial");
  check.field(c.initial.velocity, {{}, c.geometry.shape}, 1, initial.line("velocity"),
              "the velocity in [initial]");
}

/// Densities have to be near 1 and above 0.
void check_density(CaseReading const& reading, Case& c, SpaceFormula const& density, Box const& box,
                   double factor, int line, std::string const& what) {
  auto const value = [&](double x, double y, double z) {
    return std::abs(factor * (density.at(x, y, z) - 1));
  };
  auto const shift = greatest(box, value);
  if (!shift) {
    reading.refuse(line, fmt::format("{} is nowhere a finite number: expected a formula that is "
                                     "one where there is fluid",
                                     what));
  }
  if (*shift >= 0.5 && !density.varies()) {
    reading.refuse(line, fmt::format("{} is {:.4g} in lattice units: expected a value near 1, the "
                                     "density at rest",
                                     what, 1 + factor * (density.at(0, 0, 0) - 1)));
  }
  if (*shift > 0.1) {
    c.warnings.push_back(
        fmt::format("{} differs by {:.3g} from the density at rest: the flow is "
                    "compressible",
                    what, *shift));
  }
}

void check_densities(CaseReading const& reading, Case& c) {
  for (Case::Boundary const& b : c.boundaries) {
    if (traits_of(b.type).value != BoundaryValue::density) continue;
    check_density(reading, c, b.density, box_of(b.place, c.geometry), greatest_factor(b.factor, c),
                  b.line, fmt::format("the density on {}", b.place.text));
  }
  SectionReader const initial(reading, "initial");
  check_density(reading, c, c.initial.density, {{}, c.geometry.shape}, 1, initial.line("density"),
                "the density in [initial]");
}

/// What flows in has to flow out somewhere.
void warn_of_closed_box(Case& c) {
  auto const inlets = std::ranges::count(c.boundaries, Type::velocity, &Case::Boundary::type);
  bool const open = std::ranges::any_of(
      c.boundaries, [](Case::Boundary const& b) { return traits_of(b.type).open; });
  if (inlets == 1 && !open)
    c.warnings.emplace_back(
        "there is a velocity on one boundary and no other opening: the mass in "
        "the box will change");
}

void warn_of_missing_solid(Case& c) {
  Case::Geometry const& g = c.geometry;
  if (!g.image || g.pore.threshold || g.pore.solid || !g.solids.empty()) return;
  LabelSet const pore = g.pore.pore_labels();
  bool const all =
      std::ranges::all_of(label_histogram_of_all(*g.image),
                          [&](LabelCount const& entry) { return pore.contains(entry.label); });
  if (all) {
    c.warnings.push_back(fmt::format("every voxel of {} is pore: the flow meets no solid in it",
                                     g.image->path.string()));
  }
}

void warn_of_voxel_size(Case& c) {
  if (!c.geometry.image || !c.units.si) return;
  if (auto const other = other_voxel_size(*c.geometry.image, c.units.voxel_m)) {
    c.warnings.push_back(
        fmt::format("[units] voxel-size is {:.6g} um, but {}", c.units.voxel_m * 1e6, *other));
  }
}

void warn_of_late_steps(Case& c) {
  if (!c.stop.steps) return;
  std::int64_t const last = *c.stop.steps;
  auto const check = [&](std::int64_t step, std::string const& what) {
    if (step > last) {
      c.warnings.push_back(
          fmt::format("{} is due at step {}, after the last step, {}", what, step, last));
    }
  };
  if (!c.output.fields.at.empty()) check(c.output.fields.at.back(), "[output.fields]");
  if (c.output.averages) check(c.output.averages->from, "[output.averages]");
  for (Case::Strouhal const& s : c.output.strouhal) check(s.from, "strouhal " + s.name);
}

}  // namespace

void check_case(CaseReading const& reading, Case& c) {
  if (c.fluid.relaxation_time < low_relaxation_time) {
    c.warnings.push_back(
        fmt::format("the relaxation time is {:.5g}: below {} flows often become "
                    "unstable",
                    c.fluid.relaxation_time, low_relaxation_time));
  }
  check_factors(reading, c);
  check_speeds(reading, c);
  check_densities(reading, c);
  warn_of_closed_box(c);
  warn_of_voxel_size(c);
  warn_of_missing_solid(c);
  warn_of_late_steps(c);
}

}  // namespace tessera
