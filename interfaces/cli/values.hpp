// SPDX-License-Identifier: MIT
// Values as they are written on the command line. All parsers throw BadInput with one line that
// names the setting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/errors.hpp"
#include "base/name_list.hpp"
#include "base/settings.hpp"
#include "base/storage.hpp"
#include "io/images/image.hpp"

namespace tessera {

/// "64,64,64": three positive integers.
Int3 parse_shape(std::string_view name, std::string const& text);
/// "x0:x1,y0:y1,z0:z1", upper ends exclusive.
Crop parse_crop(std::string const& text);
/// "2.25um", "5.345e-6 m", "200nm", "0.1mm": metres.
double parse_length(std::string_view name, std::string const& text);
/// "x", "y", "z", "all".
std::vector<Axis> parse_axes(std::string const& text);
/// "half", "single", "double".
Precision parse_precision(std::string const& text);

/// One of a list's names.
template <class Value, std::size_t size>
Value parse_name(std::string_view name, std::string_view text, NameList<Value, size> const& names) {
  if (auto const value = named(names, text)) return *value;
  throw BadInput(setting_text(name, text) + ": expected " + one_of(words_of(names)));
}

}  // namespace tessera
