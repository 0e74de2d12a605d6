// SPDX-License-Identifier: MIT
// Headerless volumes, plain or gzipped. Their size is the only check of the shape and type that the
// user gives, so it has to match exactly.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/spelling.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A file read through zlib, which passes plain files through unchanged.
class ByteStream {
 public:
  explicit ByteStream(fs::path const& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (!file_) throw BadInput(fmt::format("{}: cannot be opened", path.string()));
    gzbuffer(file_.get(), 1U << 18U);
  }

  /// Reads up to `bytes` bytes and returns how many there were. Damaged gzip data are BadInput.
  std::size_t read(void* to, std::size_t bytes) {
    auto* cursor = static_cast<std::uint8_t*>(to);
    std::size_t done = 0;
    while (done < bytes) {
      constexpr std::size_t most = std::size_t{1} << 30U;  // gzread counts in int
      auto const wanted = static_cast<unsigned>(std::min(bytes - done, most));
      int const got = gzread(file_.get(), cursor + done, wanted);
      require_no_error();
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  /// Skips bytes of a plain file.
  void skip(std::uintmax_t bytes) { gzseek(file_.get(), static_cast<z_off_t>(bytes), SEEK_CUR); }

  /// Reads to the end and returns how many bytes that was.
  std::uintmax_t skip_rest() {
    std::array<char, 1U << 16U> block{};
    std::uintmax_t total = 0;
    while (std::size_t const got = read(block.data(), block.size())) total += got;
    return total;
  }

 private:
  void require_no_error() {
    int error = Z_OK;
    char const* const reason = gzerror(file_.get(), &error);
    if (error == Z_OK || error == Z_STREAM_END) return;
    throw BadInput(fmt::format("{}: truncated or damaged gzip data ({})", path_.string(), reason));
  }

  struct Close {
    void operator()(gzFile_s* file) const { gzclose_r(file); }
  };
  fs::path path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

/// "262144 bytes would be 64,64,64 of uint8", if that many bytes are a cube.
std::string guess_of_shape(std::uintmax_t bytes, ElementType type) {
  auto const voxels = bytes / type.bytes;
  auto const edge =
      static_cast<std::uintmax_t>(std::llround(std::cbrt(static_cast<double>(voxels))));
  if (edge > 0 && edge * edge * edge * type.bytes == bytes) {
    return fmt::format("{} bytes would be {},{},{} of {}", bytes, edge, edge, edge, name_of(type));
  }
  return fmt::format("its {} bytes are not a cube of {}", bytes, name_of(type));
}

/// Whether the file begins like a table in text, as voxels do not.
bool is_table_in_text(fs::path const& path) {
  std::array<char, 4096> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  std::string_view const text(start.data(), static_cast<std::size_t>(file.gcount()));
  return text.find('\n') != std::string_view::npos && std::ranges::all_of(text, [](char c) {
           return (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r';
         });
}

/// Called where a file is no image of the expected size: says so if it is a table in text.
void require_no_text(fs::path const& path) {
  if (!is_table_in_text(path)) return;
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  constexpr std::size_t enough = 40;
  throw BadInput(fmt::format(
      "{}: text, its first line is '{}', where voxels were expected: make an array im[z, y, x] of "
      "its columns in Python and save it by numpy.save (docs/formats.md)",
      path.string(), printable(line.substr(0, enough))));
}

}  // namespace

Image read_raw_image(fs::path const& path, ReadOptions const& options, bool gzipped) {
  auto const type = element_type_named(options.dtype);
  if (!type) {
    throw BadInput(fmt::format("unknown voxel type {}: expected {}, with -be for big-endian",
                               printable(options.dtype), names_of_element_types(", ")));
  }
  if (options.header_bytes < 0) {
    throw BadInput(fmt::format("{}: a header of {} bytes is not possible", path.string(),
                               options.header_bytes));
  }
  auto const header = static_cast<std::uintmax_t>(options.header_bytes);
  std::uintmax_t const stored = readable_file_size(path);
  if (!options.shape) {
    if (!gzipped) require_no_text(path);
    std::uintmax_t const size = gzipped ? ByteStream(path).skip_rest() : stored;
    throw BadInput(fmt::format("{}: a raw image does not say its shape: give {}; {}{}",
                               path.string(), setting(options.said_by, "shape", "X,Y,Z"),
                               header > 0 ? "after the header, " : "",
                               guess_of_shape(size > header ? size - header : 0, *type)));
  }
  Int3 const shape = *options.shape;
  std::size_t const voxels = checked_volume(shape, path);
  std::uintmax_t const expected = header + voxels * type->bytes;
  auto const require_size = [&](std::uintmax_t size) {
    if (size == expected) return;
    if (!gzipped) require_no_text(path);
    throw BadInput(fmt::format(
        "{} is {}: {} bytes{}, but {} x {} x {} of {}{} are {} bytes", path.string(),
        size < expected ? "truncated" : "oversized", size, gzipped ? " unpacked" : "", shape.x,
        shape.y, shape.z, name_of(*type),
        header > 0 ? fmt::format(" after a header of {} bytes", header) : "", expected));
  };
  // The size is checked before memory is allocated; of gzipped data, that they may be so large at
  // all.
  constexpr std::uintmax_t best_gzip_ratio = 1032;
  if (!gzipped) require_size(stored);
  if (gzipped && expected / best_gzip_ratio > stored) require_size(ByteStream(path).skip_rest());

  ByteStream stream(path);
  std::uintmax_t done = 0;
  ByteSource const source = [&](void* to, std::size_t bytes) {
    std::size_t const got = stream.read(to, bytes);
    done += got;
    if (got < bytes) require_size(done);
  };
  std::array<char, 4096> skipped{};
  while (done < header)
    source(skipped.data(), std::min<std::uintmax_t>(header - done, skipped.size()));

  Image image;
  image.shape = shape;
  image.boolean = type->kind == ElementType::Kind::boolean;
  LayerRange const kept = note_layers(image, options.layers);
  std::size_t const layer = voxels / static_cast<std::size_t>(shape.z);
  if (image.layers) stream.skip(static_cast<std::size_t>(kept.lower) * layer * type->bytes);
  image.voxels = read_elements(*type, static_cast<std::size_t>(kept.count()) * layer, source, path);
  if (!image.layers) require_size(done + stream.skip_rest());
  image.format = fmt::format("{} {}", gzipped ? "gzipped raw" : "raw", name_of(*type));
  return image;
}

}  // namespace tessera
