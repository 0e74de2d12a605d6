// SPDX-License-Identifier: MIT
// Values as users write them on the command line and in case files. These functions do not throw:
// the caller knows how to name the wrong value.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/box.hpp"
#include "io/images/image.hpp"

namespace tessera {

std::vector<std::string_view> split(std::string_view text, char separator);

/// The whole of `text` as a number, or nothing.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The spelling of a setting: "--shape X,Y,Z" on the command line, "shape = [X,Y,Z]" in a case file
/// (where text and single numbers are not in brackets: "pore = 1").
std::string setting(SaidBy said_by, std::string_view name, std::string_view value = {});

/// "64,64,64": three positive integers.
std::optional<Int3> shape_in(std::string_view text);
/// "x0:x1,y0:y1,z0:z1", upper ends exclusive.
std::optional<Crop> crop_in(std::string_view text);

}  // namespace tessera
