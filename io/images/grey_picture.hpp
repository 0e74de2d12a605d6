// SPDX-License-Identifier: MIT
// Pictures for the screen as slices of an image: greys, and colours only if red, green and blue are
// equal. Not for use outside io/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/images/image_readers.hpp"

namespace tessera {

/// Red, green and blue.
using Colour = std::array<std::uint8_t, 3>;

/// The grey of a colour whose parts are equal. Throws BadInput naming `path` for other colours:
/// pores must be given by labels or grey values.
std::uint8_t grey_of(std::filesystem::path const& path, Colour colour);

/// The greys of a palette by number; nothing for its other colours.
using Greys = std::array<std::optional<std::uint8_t>, 256>;
Greys greys_of_palette(std::span<Colour const> palette);
/// Replaces numbers by the greys of a palette. Throws BadInput for colours, and for numbers that
/// are not in the palette.
void greys_by_number(std::filesystem::path const& path, Greys const& greys,
                     std::span<std::uint8_t> numbers);

/// A slice of so many columns and rows. `what`: "PNG".
SliceFile slice_of_picture(std::string_view what, std::int64_t columns, std::int64_t rows,
                           std::string const& type, Voxels voxels);

}  // namespace tessera
