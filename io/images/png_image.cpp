// SPDX-License-Identifier: MIT
#include "io/images/png_image.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <png.h>

#include <vector>

#include "base/errors.hpp"

namespace tessera {
namespace {

std::string base64(std::vector<std::uint8_t> const& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  int const length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace

std::string png_address(std::span<std::uint8_t const> pixels, int width) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.format = PNG_FORMAT_RGB;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(pixels.size() / 3) / image.width;
  png_alloc_size_t bytes = 0;
  std::vector<std::uint8_t> file;
  if (png_image_write_get_memory_size(image, bytes, 0, pixels.data(), 0, nullptr) != 0) {
    file.resize(bytes);
    png_image_write_to_memory(&image, file.data(), &bytes, 0, pixels.data(), 0, nullptr);
  }
  if (PNG_IMAGE_FAILED(image)) throw EnvironmentError(fmt::format("PNG: {}", image.message));
  return "data:image/png;base64," + base64(file);
}

}  // namespace tessera
