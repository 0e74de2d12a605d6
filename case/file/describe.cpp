// SPDX-License-Identifier: MIT
// A case in words, for `--check`.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "case/file/case_words.hpp"
#include "case/file/description.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

bool is_zero(Case::Velocity const& v) {
  return std::ranges::all_of(v, [](SpaceFormula const& component) {
    return !component.varies() && component.at(0, 0, 0) == 0;
  });
}

std::string times(TimeFormula const& factor) {
  if (factor.varies()) return fmt::format(" times {}", factor.text());
  return factor.at(0) == 1 ? "" : fmt::format(" times {:.6g}", factor.at(0));
}

void describe_box(Description& d, Case const& c) {
  Case::Geometry const& g = c.geometry;
  std::string box = fmt::format("{} x {} x {} voxels", g.shape.x, g.shape.y, g.shape.z);
  if (c.units.si) box += fmt::format(" of {:.6g} m", c.units.voxel_m);
  std::string periodic;
  for (Axis a : all_axes) {
    if (g.periodic[index_of(a)]) periodic += std::string(periodic.empty() ? "" : ", ") + name_of(a);
  }
  if (!periodic.empty()) box += ", periodic along " + periodic;
  d.line("box", box);
  if (g.image) d.line("image", fmt::format("{}: {}", g.image->path.string(), g.image->format));
  for (Case::Solid const& s : g.solids) {
    std::string text(name_in(solid_shape_names, s.shape));
    switch (s.shape) {
      case Case::SolidShape::sphere:
        text += fmt::format(" of radius {:.6g} at {}", s.radius, in_words(s.center));
        break;
      case Case::SolidShape::cylinder:
        text += fmt::format(" of radius {:.6g} along {} at {}", s.radius, name_of(s.axis),
                            in_words(s.center));
        if (s.length) text += fmt::format(", length {:.6g}", *s.length);
        break;
      case Case::SolidShape::box:
        text += fmt::format(" from {} to {}", in_words(s.lower), in_words(s.upper));
        break;
      case Case::SolidShape::stl:
        text += fmt::format(" {}, its unit {:.6g} voxels", s.stl.string(), s.scale);
        break;
    }
    if (s.outside) text += ", solid outside";
    d.line(s.label.empty() ? "solid" : s.label, text);
  }
}

void describe_physics(Description& d, Case const& c) {
  d.line("model", fmt::format("{}, {}, {}, {} precision{}", name_of(c.model.lattice),
                              name_of(c.model.collision), name_of(c.model.equilibrium),
                              name_of(c.model.precision),
                              c.model.smagorinsky
                                  ? fmt::format(", Smagorinsky C = {:.6g}", *c.model.smagorinsky)
                                  : ""));
  std::string fluid = fmt::format("relaxation time {:.6g}, viscosity {:.6g}",
                                  c.fluid.relaxation_time, c.fluid.viscosity);
  if (c.units.si) {
    fluid += fmt::format(" ({:.6g} m2/s), a step {:.6g} s",
                         c.fluid.viscosity * c.units.lattice_unit(dimension::kinematic_viscosity),
                         c.units.step_s);
  }
  if (c.fluid.reynolds) fluid += fmt::format(", Reynolds number {:.6g}", *c.fluid.reynolds);
  fluid += c.mach > 0 ? fmt::format(", Mach number {:.3g}", c.mach) : ", no speed is prescribed";
  d.line("fluid", fluid);
  Case::Double3 const& g = c.force.body;
  if (g[0] != 0 || g[1] != 0 || g[2] != 0)
    d.line("force", fmt::format("{} per mass{}", in_words(g), times(c.force.factor)));
}

void describe_boundaries(Description& d, Case const& c) {
  for (Case::Boundary const& b : c.boundaries) {
    std::string text(name_of(b.type));
    if (b.scheme != Case::Scheme::none) text += fmt::format(" ({})", name_of(b.scheme));
    if (traits_of(b.type).value == BoundaryValue::density) {
      text += fmt::format(", {} {}{}", b.density.varies() ? "formula" : "density",
                          in_words(b.density), times(b.factor));
    } else if (!is_zero(b.velocity)) {
      text += fmt::format(", velocity {}{}", in_words(b.velocity), times(b.factor));
    }
    bool const label = b.place.kind == Case::PlaceKind::image_label;
    d.line((label ? "on label " : "on ") + b.place.text, text);
  }
  for (Axis a : all_axes) {
    double const drop = c.density_drop[index_of(a)];
    if (drop != 0)
      d.line(fmt::format("along {}", name_of(a)), fmt::format("density drop {:.6g}", drop));
  }
}

void describe_output(Description& d, Case const& c) {
  std::vector<std::string> ends;
  if (c.stop.steps) ends.push_back(fmt::format("after {} steps", *c.stop.steps));
  if (c.stop.steady) {
    ends.push_back(fmt::format("when the velocities change by less than {:.3g} in {} steps",
                               c.stop.steady->tolerance, c.stop.steady->every));
  }
  d.line("ends", joined(ends, ", or "));
  d.line("fields", in_words(c.output.fields));
  for (auto const& p : c.output.probes)
    d.line("probe", fmt::format("{} at {}, every {} steps", p.name, in_words(p.at), p.every));
  for (auto const& l : c.output.lines) {
    d.line("line", fmt::format("{} from {} to {}, {} points: {}", l.name, in_words(l.from),
                               in_words(l.to), l.points, in_words(l.schedule)));
  }
  for (auto const& f : c.output.forces) {
    d.line("force on", fmt::format("{}: {}, every {} steps{}{}", f.on.text, f.name, f.every,
                                   f.speed ? ", with coefficients" : "",
                                   f.about ? ", torque about " + in_words(*f.about) : ""));
  }
  if (c.output.averages) {
    std::vector<std::string> quantities;
    if (c.output.averages->velocity) quantities.emplace_back("velocity");
    if (c.output.averages->density) quantities.emplace_back("density");
    if (c.output.averages->reynolds_stresses) quantities.emplace_back("Reynolds stresses");
    d.line("averages", fmt::format("{} from step {}, every {} steps", joined(quantities, ", "),
                                   c.output.averages->from, c.output.averages->every));
  }
  for (auto const& s : c.output.strouhal)
    d.line("Strouhal", fmt::format("{}: {} of {} from step {}", s.name,
                                   name_in(signal_names, s.signal), s.of, s.from));
}

}  // namespace

std::string describe(Case const& c) {
  Description d;
  d.begin(c.title, c.constants, c.overrides);
  describe_box(d, c);
  describe_physics(d, c);
  describe_boundaries(d, c);
  describe_output(d, c);
  d.end(c.output.checkpoint, c.insitu);
  for (std::string const& warning : c.warnings) d.line("warning", warning);
  return d.text();
}

}  // namespace tessera
