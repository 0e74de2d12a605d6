// SPDX-License-Identifier: MIT
#include "io/voxel_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "io/quantity.hpp"

namespace tessera {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> prefixes{
    {{"nano", "n"}, {"micro", "u"}, {"milli", "m"}, {"centi", "c"}, {"kilo", "k"}, {"", ""}}};

/// "Micrometres" and "microns" as "um"; what is no such word as it is.
std::string symbol_of_unit(std::string_view text) {
  std::string word(text);
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word.ends_with('s') && word.size() > 2) word.pop_back();
  if (word == "micron") return "um";
  for (auto const& [long_prefix, prefix] : prefixes) {
    for (char const* metre : {"meter", "metre"}) {
      if (word == fmt::format("{}{}", long_prefix, metre)) return fmt::format("{}m", prefix);
    }
  }
  return std::string(text);
}

}  // namespace

std::optional<double> metres_of_unit(std::string_view text) {
  std::string unit(text);
  std::erase_if(unit, [](char c) { return c == '"' || c == ' ' || c == '\r'; });
  // The micro sign and the Greek letter in UTF-8, the sign in Latin-1, and as ImageJ escapes it.
  for (std::string_view const micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "\\u00B5", "\\u00b5"}) {
    if (unit.starts_with(micro)) unit = fmt::format("u{}", unit.substr(micro.size()));
  }
  auto const found = unit_in(symbol_of_unit(unit));
  if (!found || found->dimension != dimension::length) return std::nullopt;
  return found->value;
}

void note_edges(Image& image, SaidEdges const& said) {
  auto const& values = said.values;
  auto const all = [&](auto&& holds) { return std::ranges::all_of(values, holds); };
  if (!all([](double value) { return std::isfinite(value) && value > 0; })) return;
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
