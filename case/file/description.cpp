// SPDX-License-Identifier: MIT
#include "case/file/description.hpp"

#include <fmt/format.h>

#include "io/text.hpp"

namespace tessera {

void Description::line(std::string_view name, std::string const& text) {
  text_ += fmt::format("{:<12}{}\n", name, text);
}

void Description::begin(std::string const& title, Constants const& constants,
                        std::vector<std::string> const& overrides) {
  if (!title.empty()) line("case", printable(title));
  std::vector<std::string> values;
  for (auto const& [name, value] : constants)
    values.push_back(fmt::format("{} = {:.6g}", name, value));
  if (!values.empty()) line("constants", joined(values, ", "));
  for (std::string const& set : overrides) line("set", printable(set));
}

void Description::end(Case::Checkpoint const& checkpoint, Case::InSitu const& insitu) {
  if (checkpoint.every) line("checkpoint", fmt::format("every {} steps", *checkpoint.every));
  if (checkpoint.minutes)
    line("checkpoint", fmt::format("every {:g} minutes", *checkpoint.minutes));
  for (std::string const& script : insitu.scripts)
    line("in situ", fmt::format("{}, every {} steps", script, insitu.every));
}

std::string in_words(std::array<double, 3> const& point) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", point[0], point[1], point[2]);
}

std::string in_words(SpaceFormula const& formula) {
  return formula.varies() ? formula.text() : fmt::format("{:.6g}", formula.at(0, 0, 0));
}

std::string in_words(Case::Velocity const& v) {
  return fmt::format("({}, {}, {})", in_words(v[0]), in_words(v[1]), in_words(v[2]));
}

std::string in_words(Case::Schedule const& schedule) {
  std::vector<std::string> parts;
  if (schedule.every) parts.push_back(fmt::format("every {} steps", *schedule.every));
  for (std::int64_t const step : schedule.at) {
    if (parts.size() < 8) parts.push_back(fmt::format("step {}", step));
  }
  if (schedule.at.size() > 8) parts.push_back(fmt::format("{} more", schedule.at.size() - 8));
  if (schedule.last) parts.emplace_back("the last step");
  return parts.empty() ? "never" : joined(parts, ", ");
}

}  // namespace tessera
