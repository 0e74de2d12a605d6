// SPDX-License-Identifier: MIT
#include "permeability/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/atomic_file.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"

namespace tessera {
namespace {

Phase parse_phase(std::string const& text) {
  auto const equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw BadInput(
        fmt::format("--phase {}: expected a name and its labels, such as water=0", text));
  Phase phase{text.substr(0, equals), LabelSet::parse(text.substr(equals + 1))};
  if (phase.name == all_phases || phase.name.find_first_of(",\"\n") != std::string::npos)
    throw BadInput(fmt::format(
        "--phase {}: expected another name than {}, without commas and quotes", text, all_phases));
  return phase;
}

/// Pore are the labels of `pore`, solid all others that are named.
Geometry pores(Image const& image, std::string const& pore, std::string const& solid,
               bool periodic) {
  PoreRule rule;
  rule.pore = LabelSet::parse(pore);
  rule.solid = LabelSet::parse(solid);
  Geometry geometry = label_pores(image, rule);
  if (periodic) geometry.periodic = {true, true, true};
  return geometry;
}

char const* state_of(PhaseAnswer const& a) {
  if (!a.failure.empty()) return "no answer";
  return a.leads_through ? "converged" : "closed";
}

/// Empty where it is not known.
std::string number(std::optional<double> value) { return value ? fmt::format("{}", *value) : ""; }

std::optional<double> permeability_of(PhaseAnswer const& a) {
  return a.failure.empty() ? std::optional(a.k_lattice) : std::nullopt;
}

std::optional<double> in_millidarcys(std::optional<double> k_lattice,
                                     std::optional<double> voxel_size_m) {
  if (!k_lattice || !voxel_size_m) return std::nullopt;
  return millidarcys(*k_lattice, *voxel_size_m);
}

}  // namespace

std::vector<Phase> parse_phases(std::vector<std::string> const& texts, LabelSet const& solid) {
  std::vector<Phase> phases;
  for (std::string const& text : texts) {
    Phase phase = parse_phase(text);
    if (auto const both = phase.labels.common_label(solid))
      throw BadInput(fmt::format("--phase {}: label {} is solid as well", text, *both));
    for (Phase const& other : phases) {
      if (phase.name == other.name)
        throw BadInput(fmt::format("--phase {}: expected another name than {}", text, other.name));
      if (auto const both = phase.labels.common_label(other.labels))
        throw BadInput(
            fmt::format("--phase {}: label {} is of {} as well", text, *both, other.name));
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

std::vector<PhasePores> pores_of(Image const& image, std::vector<Phase> const& phases,
                                 std::string const& solid, bool periodic) {
  auto const labels_but = [&](Phase const* left_out) {
    std::string labels;
    for (Phase const& phase : phases) {
      if (&phase == left_out) continue;
      labels += (labels.empty() ? "" : ",") + phase.labels.text();
    }
    return labels;
  };
  std::vector<PhasePores> found;
  found.push_back({all_phases, pores(image, labels_but(nullptr), solid, periodic), 1});
  auto const all = static_cast<double>(found.front().geometry.pore_voxels());
  for (Phase const& phase : phases) {
    std::string held = labels_but(&phase);
    if (!held.empty()) held += ',';
    held += solid;
    PhasePores own{phase.name, pores(image, phase.labels.text(), held, periodic), 1};
    own.saturation = static_cast<double>(own.geometry.pore_voxels()) / all;
    found.push_back(std::move(own));
  }
  return found;
}

void relate(std::vector<PhaseAnswer>& answers) {
  for (PhaseAnswer& answer : answers) {
    auto const whole = std::ranges::find_if(answers, [&](PhaseAnswer const& other) {
      return other.axis == answer.axis && other.phase == all_phases;
    });
    if (whole != answers.end() && whole->failure.empty() && whole->k_lattice > 0 &&
        answer.failure.empty())
      answer.relative = answer.k_lattice / whole->k_lattice;
  }
}

Json to_json(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m) {
  Json all = Json::array();
  for (PhaseAnswer const& a : answers) {
    auto const k = permeability_of(a);
    all.push_back({{"phase", a.phase},
                   {"axis", std::string(1, name_of(a.axis))},
                   {"saturation", a.saturation},
                   {"porosity", a.porosity},
                   {"percolating_porosity", a.percolating_porosity},
                   {"k_lattice", or_null(k)},
                   {"k_mD", or_null(in_millidarcys(k, voxel_size_m))},
                   {"k_relative", or_null(a.relative)},
                   {"error_estimate", a.error_estimate},
                   {"iterations", a.iterations},
                   {"state", state_of(a)}});
  }
  return all;
}

void write_phases_csv(std::filesystem::path const& path, std::span<PhaseAnswer const> answers,
                      std::optional<double> voxel_size_m) {
  std::string text =
      "phase,axis,saturation,porosity,percolating_porosity,k_lattice,k_mD,k_relative,"
      "error_estimate,iterations,state\n";
  for (PhaseAnswer const& a : answers) {
    auto const k = permeability_of(a);
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{}\n", a.phase,
                   name_of(a.axis), a.saturation, a.porosity, a.percolating_porosity, number(k),
                   number(in_millidarcys(k, voxel_size_m)), number(a.relative), a.error_estimate,
                   a.iterations, state_of(a));
  }
  write_whole_file(path, text);
}

void print_phases(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m) {
  fmt::print("{:<16} axis  saturation  leading through  {:>14}  relative\n", "phase",
             voxel_size_m ? "k in mD" : "k in voxels^2");
  for (PhaseAnswer const& a : answers) {
    auto const k = permeability_of(a);
    auto const shown = voxel_size_m ? in_millidarcys(k, voxel_size_m) : k;
    fmt::print("{:<16} {:>4}  {:>10.4f}  {:>15.4f}  {:>14}  {:>8}\n", a.phase, name_of(a.axis),
               a.saturation, a.porosity > 0 ? a.percolating_porosity / a.porosity : 0.0,
               shown ? fmt::format("{:.6g}", *shown) : "no answer",
               a.relative ? fmt::format("{:.5f}", *a.relative) : "");
  }
}

}  // namespace tessera
