// SPDX-License-Identifier: MIT
// Pictures embedded in a page of HTML.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tessera {

/// A picture of `width` columns, three bytes a pixel (red, green, blue), from its top left corner
/// on, as a PNG file in a "data:" address (RFC 2397). Throws EnvironmentError.
std::string png_address(std::span<std::uint8_t const> pixels, int width);

}  // namespace tessera
