// SPDX-License-Identifier: MIT
#include "interfaces/cli/values.hpp"

#include <fmt/format.h>

#include "io/images/spelling.hpp"
#include "io/quantity.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {

Int3 parse_shape(std::string_view name, std::string const& text) {
  if (auto const shape = shape_in(text)) return *shape;
  throw BadInput(setting_text(name, text) + ": expected three positive whole numbers X,Y,Z");
}

Crop parse_crop(std::string const& text) {
  if (auto const crop = crop_in(text)) return *crop;
  throw BadInput(setting_text("crop", text) +
                 ": expected x0:x1,y0:y1,z0:z1 with 0 <= x0 < x1 and so on");
}

double parse_length(std::string_view name, std::string const& text) {
  if (auto const metres = length_in(text)) return *metres;
  throw BadInput(setting_text(name, text) +
                 ": expected a positive length with a unit (nm, um, mm, cm, m), such as 2.25um");
}

std::vector<Axis> parse_axes(std::string const& text) {
  if (text == "all") return {all_axes.begin(), all_axes.end()};
  for (Axis a : all_axes) {
    if (text.size() == 1 && text[0] == name_of(a)) return {a};
  }
  throw BadInput(setting_text("axis", text) + ": expected x, y, z or all");
}

Precision parse_precision(std::string const& text) {
  return parse_name("precision", text, precision_names);
}

}  // namespace tessera
