// SPDX-License-Identifier: MIT
#include "io/images/voxel_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "io/quantity.hpp"

namespace tessera {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> long_prefixes{
    {{"nano", "n"}, {"micro", "u"}, {"milli", "m"}, {"centi", "c"}, {"kilo", "k"}, {"", ""}}};

/// "Micrometres" and "microns" as "um"; what is no such word as it is.
std::string symbol_of_unit(std::string_view text) {
  std::string word(text);
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word.ends_with('s') && word.size() > 2) word.pop_back();
  if (word == "micron") return "um";
  for (auto const& [long_prefix, prefix] : long_prefixes) {
    for (char const* metre : {"meter", "metre"}) {
      if (word == fmt::format("{}{}", long_prefix, metre)) return fmt::format("{}m", prefix);
    }
  }
  return std::string(text);
}

bool counts_voxels(std::string_view unit) {
  constexpr std::array<std::string_view, 10> words{
      "", "pixel", "pixels", "px", "voxel", "voxels", "reference frame", "none", "unknown", "n/a"};
  return std::ranges::find(words, unit) != words.end();
}

/// Metres of a unit of length as image formats spell it: "um", "micron", "\u00b5m", "millimeter".
std::optional<double> metres_of_unit(std::string_view text) {
  std::string unit(text);
  std::erase_if(unit, [](char c) { return c == '"' || c == ' ' || c == '\r'; });
  // The micro sign and the Greek letter in UTF-8, the sign in Latin-1, and as ImageJ escapes it.
  for (std::string_view const micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "\\u00B5", "\\u00b5"}) {
    if (unit.starts_with(micro)) unit = fmt::format("u{}", unit.substr(micro.size()));
  }
  // The letter, and the sign that looks like it.
  constexpr std::array<std::string_view, 6> angstroms{"\xc3\x85", "\xe2\x84\xab", "\xc5",
                                                      "angstrom", "Angstrom",     "\\u00C5"};
  if (std::ranges::find(angstroms, unit) != angstroms.end()) return 1e-10;
  auto const found = unit_in(symbol_of_unit(unit));
  if (!found || found->dimension != dimension::length) return std::nullopt;
  return found->value;
}

}  // namespace

void SaidEdges::note_unit(std::string_view text) {
  unit_m = metres_of_unit(text);
  if (!unit_m && !counts_voxels(text)) unknown_unit = text;
}

void SaidEdges::note_unit(std::size_t axis, std::string_view text) {
  std::optional<double> const others = unit_m;
  note_unit(text);
  if (!unit_m || !others) return;
  values[axis] *= *unit_m / *others;
  unit_m = others;
}

void note_edges(Image& image, SaidEdges const& said) {
  if (!said.unknown_unit.empty()) {
    image.doubtful_edges = fmt::format("its {} is in '{}', which is no unit of length known here",
                                       said.where, said.unknown_unit);
    return;
  }
  auto const& values = said.values;
  auto const all = [&](auto&& holds) { return std::ranges::all_of(values, holds); };
  if (!all([](double value) { return std::isfinite(value) && value > 0; })) {
    image.doubtful_edges = fmt::format("its {} of {:g} x {:g} x {:g} is no size of a voxel",
                                       said.where, values[0], values[1], values[2]);
    return;
  }
  if (!said.unit_m && all([](double value) { return value == 1; })) return;
  double const unit = said.unit_m.value_or(said.usual_unit_m);
  double const least = said.unit_m ? 1e-12 : 1e-9;
  double const most = said.unit_m ? 1e3 : 1e-4;
  if (all([&](double value) { return value * unit >= least && value * unit <= most; })) {
    image.edges = {.metres = {values[0] * unit, values[1] * unit, values[2] * unit},
                   .said_by = std::string(said.where)};
    return;
  }
  image.doubtful_edges = fmt::format("its {} of {:g} x {:g} x {:g} {} would be voxels of {:.3g} m",
                                     said.where, values[0], values[1], values[2],
                                     said.unit_m                ? "in the unit it says"
                                     : said.usual_unit_m == 1.0 ? "has no unit, and in metres"
                                                                : "has no unit, and in millimetres",
                                     values[0] * unit);
}

}  // namespace tessera
