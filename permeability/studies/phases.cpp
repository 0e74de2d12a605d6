// SPDX-License-Identifier: MIT
#include "permeability/studies/phases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "models/lattice/units.hpp"

namespace tessera {
namespace {

Phase parse_phase(std::string const& text) {
  auto const equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw BadInput(fmt::format("{}: expected a name and its labels, such as water=0",
                               setting_text("phase", text)));
  Phase phase{text.substr(0, equals), LabelSet::parse(text.substr(equals + 1))};
  if (phase.name == all_phases || phase.name.find_first_of(",\"\n") != std::string::npos)
    throw BadInput(fmt::format("{}: expected another name than {}, without commas and quotes",
                               setting_text("phase", text), all_phases));
  return phase;
}

Geometry pores(Image const& image, LabelSet const& pore, PoreRule rule, bool periodic) {
  rule.pore = pore;
  Geometry geometry = label_pores(image, rule);
  if (periodic) geometry.periodic = {true, true, true};
  return geometry;
}

}  // namespace

std::vector<Phase> parse_phases(std::vector<std::string> const& texts, LabelSet const& solid) {
  std::vector<Phase> phases;
  for (std::string const& text : texts) {
    Phase phase = parse_phase(text);
    if (auto const both = phase.labels.common_label(solid))
      throw BadInput(
          fmt::format("{}: label {} is solid as well", setting_text("phase", text), *both));
    for (Phase const& other : phases) {
      if (phase.name == other.name)
        throw BadInput(fmt::format("{}: expected another name than {}", setting_text("phase", text),
                                   other.name));
      if (auto const both = phase.labels.common_label(other.labels))
        throw BadInput(fmt::format("{}: label {} is of {} as well", setting_text("phase", text),
                                   *both, other.name));
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

std::vector<PhasePores> pores_of(Image const& image, std::vector<Phase> const& phases,
                                 PoreRule const& rule, bool periodic) {
  LabelSet every;
  for (Phase const& phase : phases) every.add(phase.labels);
  std::vector<PhasePores> found{{all_phases, pores(image, every, rule, periodic), 1}};
  auto const all = static_cast<double>(found.front().geometry.pore_voxels());
  for (Phase const& phase : phases) {
    PoreRule held = rule;
    for (Phase const& other : phases) {
      if (other.name != phase.name) held.solid->add(other.labels);
    }
    PhasePores own{phase.name, pores(image, phase.labels, held, periodic), 1};
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
    if (whole != answers.end() && whole->answered() && whole->value > 0 && answer.answered())
      answer.relative = answer.value / whole->value;
  }
}

Json to_json(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m) {
  Json all = Json::array();
  for (PhaseAnswer const& a : answers) {
    auto const k = a.if_answered();
    all.push_back({{"phase", a.phase},
                   {"axis", std::string(1, name_of(a.axis))},
                   {"saturation", a.saturation},
                   {"porosity", a.porosity},
                   {"percolating_porosity", a.percolating_porosity},
                   {"k_lattice", or_null(k)},
                   {"k_mD", or_null(millidarcys(k, voxel_size_m))},
                   {"k_relative", or_null(a.relative)},
                   {"error_estimate", a.error_estimate},
                   {"iterations", a.iterations},
                   {"state", a.state()}});
  }
  return all;
}

void write_phases_csv(std::filesystem::path const& path, std::span<PhaseAnswer const> answers,
                      std::optional<double> voxel_size_m) {
  std::string text =
      "phase,axis,saturation,porosity,percolating_porosity,k_lattice,k_mD,k_relative,"
      "error_estimate,iterations,state\n";
  for (PhaseAnswer const& a : answers) {
    auto const k = a.if_answered();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", a.phase, name_of(a.axis),
                        a.saturation, a.porosity, a.percolating_porosity, csv_number(k),
                        csv_number(millidarcys(k, voxel_size_m)), csv_number(a.relative),
                        a.error_estimate, a.iterations, a.state());
  }
  write_whole_file(path, text);
}

void print_phases(std::span<PhaseAnswer const> answers, std::optional<double> voxel_size_m) {
  fmt::print("{:<16} axis  saturation  leading through  {:>14}  relative\n", "phase",
             voxel_size_m ? "k in mD" : "k in voxels^2");
  for (PhaseAnswer const& a : answers) {
    auto const k = a.if_answered();
    auto const shown = voxel_size_m ? millidarcys(k, voxel_size_m) : k;
    fmt::print("{:<16} {:>4}  {:>10.4f}  {:>15.4f}  {:>14}  {:>8}\n", a.phase, name_of(a.axis),
               a.saturation, a.porosity > 0 ? a.percolating_porosity / a.porosity : 0.0,
               shown ? fmt::format("{:.6g}", *shown) : "no answer",
               a.relative ? fmt::format("{:.5f}", *a.relative) : "");
  }
}

}  // namespace tessera
