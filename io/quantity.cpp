// SPDX-License-Identifier: MIT
#include "io/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

struct Symbol {
  std::string_view text;
  double value;
  Dimension dimension;
  bool takes_prefix;
};
constexpr std::array<Symbol, 11> symbols{{{"1", 1, {}, false},
                                          {"min", 60, dimension::time, false},
                                          {"h", 3600, dimension::time, false},
                                          {"m", 1, dimension::length, true},
                                          {"s", 1, dimension::time, true},
                                          {"g", 1e-3, {0, 0, 1}, true},
                                          {"N", 1, {1, -2, 1}, true},
                                          {"Pa", 1, dimension::pressure, true},
                                          {"bar", 1e5, dimension::pressure, true},
                                          {"Hz", 1, {0, -1, 0}, true},
                                          {"D", 9.869233e-13, dimension::area, true}}};  // darcy

constexpr std::array<std::pair<std::string_view, double>, 11> prefixes{{{"n", 1e-9},
                                                                        {"u", 1e-6},
                                                                        {"µ", 1e-6},
                                                                        {"μ", 1e-6},
                                                                        {"m", 1e-3},
                                                                        {"c", 1e-2},
                                                                        {"d", 1e-1},
                                                                        {"h", 1e2},
                                                                        {"k", 1e3},
                                                                        {"M", 1e6},
                                                                        {"G", 1e9}}};

struct Named {
  Dimension dimension;
  std::string_view name;
  std::string_view unit;
};
constexpr std::array<Named, 9> named_units{
    {{dimension::none, "a plain number", ""},
     {dimension::length, "a length", "m"},
     {dimension::area, "an area", "m2"},
     {dimension::time, "a time", "s"},
     {dimension::speed, "a speed", "m/s"},
     {dimension::acceleration, "an acceleration", "m/s2"},
     {dimension::kinematic_viscosity, "a kinematic viscosity", "m2/s"},
     {dimension::density, "a density", "kg/m3"},
     {dimension::pressure, "a pressure", "Pa"}}};

Quantity power(Quantity q, int exponent) {
  return {
      std::pow(q.value, exponent),
      {q.dimension.length * exponent, q.dimension.time * exponent, q.dimension.mass * exponent}};
}

Quantity product(Quantity a, Quantity b) {
  return {a.value * b.value,
          {a.dimension.length + b.dimension.length, a.dimension.time + b.dimension.time,
           a.dimension.mass + b.dimension.mass}};
}

/// "m", "mm", "Pa", "mPa".
std::optional<Quantity> symbol_in(std::string_view text) {
  for (Symbol const& symbol : symbols) {
    if (text == symbol.text) return Quantity{symbol.value, symbol.dimension};
  }
  for (Symbol const& symbol : symbols) {
    if (!symbol.takes_prefix || !text.ends_with(symbol.text)) continue;
    std::string_view const before = text.substr(0, text.size() - symbol.text.size());
    for (auto const& [prefix, factor] : prefixes) {
      if (before == prefix) return Quantity{factor * symbol.value, symbol.dimension};
    }
  }
  return std::nullopt;
}

/// "m", "m2", "m^-2", "m²".
std::optional<Quantity> factor_in(std::string_view text) {
  if (auto const whole = symbol_in(text)) return whole;
  constexpr std::array<std::pair<std::string_view, int>, 2> raised{{{"²", 2}, {"³", 3}}};
  for (auto const& [mark, exponent] : raised) {
    if (!text.ends_with(mark)) continue;
    auto const base = symbol_in(text.substr(0, text.size() - mark.size()));
    return base ? std::optional(power(*base, exponent)) : std::nullopt;
  }
  std::size_t const digits = text.find_first_of("^-+0123456789");
  if (digits == std::string_view::npos || digits == 0) return std::nullopt;
  std::string_view exponent = text.substr(digits);
  if (exponent.starts_with('^')) exponent.remove_prefix(1);
  int n = 0;
  auto const [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), n);
  if (error != std::errc{} || end != exponent.data() + exponent.size() || std::abs(n) > 9)
    return std::nullopt;
  auto const base = symbol_in(text.substr(0, digits));
  return base ? std::optional(power(*base, n)) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string name_of(Dimension dimension) {
  for (Named const& one : named_units) {
    if (one.dimension == dimension) return std::string(one.name);
  }
  return "in " + unit_of(dimension);
}

std::string unit_of(Dimension dimension) {
  for (Named const& one : named_units) {
    if (one.dimension == dimension) return std::string(one.unit);
  }
  std::string text;
  for (auto const& [symbol, exponent] :
       {std::pair{"m", dimension.length}, std::pair{"s", dimension.time},
        std::pair{"kg", dimension.mass}}) {
    if (exponent == 0) continue;
    text += text.empty() ? "" : " ";
    text += exponent == 1 ? symbol : fmt::format("{}{}", symbol, exponent);
  }
  return text;
}

std::optional<Quantity> unit_in(std::string_view text) {
  text = trimmed(text);
  Quantity unit{1, {}};
  bool divide = false;
  while (true) {
    std::size_t const end = text.find_first_of(" */.");
    auto const factor = factor_in(text.substr(0, end));
    if (!factor) return std::nullopt;
    unit = product(unit, power(*factor, divide ? -1 : 1));
    if (end == std::string_view::npos) return unit;
    std::string_view const rest = trimmed(text.substr(end));
    divide = rest.front() == '/';
    bool const is_sign = divide || rest.front() == '*' || rest.front() == '.';
    text = is_sign ? trimmed(rest.substr(1)) : rest;
  }
}

std::optional<Quantity> quantity_in(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  auto const unit = unit_in(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!unit) return std::nullopt;
  return Quantity{value * unit->value, unit->dimension};
}

std::optional<double> length_in(std::string_view text) {
  auto const quantity = quantity_in(text);
  if (!quantity || quantity->dimension != dimension::length || quantity->value <= 0)
    return std::nullopt;
  return quantity->value;
}

}  // namespace tessera
