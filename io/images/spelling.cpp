// SPDX-License-Identifier: MIT
#include "io/images/spelling.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "base/settings.hpp"

namespace tessera {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t const at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string setting(SaidBy said_by, std::string_view name, std::string_view value) {
  if (said_by == SaidBy::option) return setting_text(name, value);
  if (value.empty()) return fmt::format("'{}'", name);
  if (name == "shape") return fmt::format("{} = [{}]", name, value);
  return fmt::format("{} = {}", name, value);
}

std::optional<Int3> shape_in(std::string_view text) {
  auto const parts = split(text, ',');
  if (parts.size() != 3) return std::nullopt;
  Int3 shape;
  for (Axis a : all_axes) {
    auto const n = number_in<std::int64_t>(parts[index_of(a)]);
    if (!n || *n <= 0) return std::nullopt;
    shape[a] = *n;
  }
  return shape;
}

std::optional<Crop> crop_in(std::string_view text) {
  auto const parts = split(text, ',');
  if (parts.size() != 3) return std::nullopt;
  Crop crop;
  for (Axis a : all_axes) {
    auto const ends = split(parts[index_of(a)], ':');
    if (ends.size() != 2) return std::nullopt;
    auto const lower = number_in<std::int64_t>(ends[0]);
    auto const upper = number_in<std::int64_t>(ends[1]);
    if (!lower || !upper || *lower < 0 || *upper <= *lower) return std::nullopt;
    crop.lower[a] = *lower;
    crop.upper[a] = *upper;
  }
  return crop;
}

}  // namespace tessera
