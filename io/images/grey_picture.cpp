// SPDX-License-Identifier: MIT
#include "io/images/grey_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse_colour(std::filesystem::path const& path, Colour colour) {
  throw BadInput(fmt::format("{}: a colour (red {}, green {}, blue {}), greys were expected",
                             path.string(), colour[0], colour[1], colour[2]));
}

bool is_grey(Colour colour) { return colour[0] == colour[1] && colour[1] == colour[2]; }

}  // namespace

std::uint8_t grey_of(std::filesystem::path const& path, Colour colour) {
  if (!is_grey(colour)) refuse_colour(path, colour);
  return colour[0];
}

Greys greys_of_palette(std::span<Colour const> palette) {
  Greys greys{};
  for (std::size_t i = 0; i < std::min(palette.size(), greys.size()); ++i) {
    if (is_grey(palette[i])) greys[i] = palette[i][0];
  }
  return greys;
}

void greys_by_number(std::filesystem::path const& path, Greys const& greys,
                     std::span<std::uint8_t> numbers) {
  for (std::uint8_t& number : numbers) {
    if (!greys[number]) {
      throw BadInput(fmt::format("{}: colour {} of its palette is no grey: greys were expected",
                                 path.string(), number));
    }
    number = *greys[number];
  }
}

SliceFile slice_of_picture(std::string_view what, std::int64_t columns, std::int64_t rows,
                           std::string const& type, Voxels voxels) {
  SliceFile slice{.image = {}, .type = type, .place = {}};
  slice.image.format = fmt::format("{}, {}", what, type);
  slice.image.shape = {columns, rows, 1};
  slice.image.voxels = std::move(voxels);
  return slice;
}

}  // namespace tessera
