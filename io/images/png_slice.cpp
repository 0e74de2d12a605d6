// SPDX-License-Identifier: MIT
// PNG pictures as slices. Grey values are kept as stored, so that one bit gives 0 and 1. libpng
// checks the checksums of all it reads.
#include <fmt/format.h>
#include <png.h>

#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/grey_picture.hpp"
#include "io/images/image_readers.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A file that libpng reads. An error of libpng ends the current step().
class PngFile {
 public:
  explicit PngFile(fs::path const& path)
      : path_(path), file_(std::fopen(path.c_str(), "rb")), of_libpng_(this) {
    if (!file_ || of_libpng_.info == nullptr) refuse("cannot be opened");
    step([](png_structp png, png_infop info, PngFile& self) {
      png_init_io(png, self.file_.get());
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, of_several_pictures, 1);
      png_read_info(png, info);
      self.bits_ = png_get_bit_depth(png, info);
      png_set_packing(png);
      if (std::endian::native == std::endian::little) png_set_swap(png);
      self.passes_ = png_set_interlace_handling(png);
      png_read_update_info(png, info);
    });
    png_unknown_chunkp kept = nullptr;
    if (png_get_unknown_chunks(of_libpng_.png, of_libpng_.info, &kept) > 0)
      refuse("an animation of several pictures (APNG), one slice a file was expected");
  }

  std::int64_t columns() const { return png_get_image_width(of_libpng_.png, of_libpng_.info); }
  std::int64_t rows() const { return png_get_image_height(of_libpng_.png, of_libpng_.info); }
  /// Bits of a sample, as stored.
  int bits() const { return bits_; }
  int colour_type() const { return png_get_color_type(of_libpng_.png, of_libpng_.info); }
  /// Number of samples of a pixel.
  std::size_t samples() const { return png_get_channels(of_libpng_.png, of_libpng_.info); }

  std::vector<Colour> palette() const {
    png_colorp colours = nullptr;
    int count = 0;
    if (png_get_PLTE(of_libpng_.png, of_libpng_.info, &colours, &count) == 0) return {};
    std::vector<Colour> found;
    found.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      found.push_back({colours[i].red, colours[i].green, colours[i].blue});
    return found;
  }

  /// Reads all pixels, from the top left corner on, and the chunks behind them.
  std::vector<std::uint8_t> read() {
    std::size_t const row_bytes = png_get_rowbytes(of_libpng_.png, of_libpng_.info);
    auto const rows = static_cast<std::size_t>(this->rows());
    require_room_in_files(path_, {path_}, row_bytes * rows);
    std::vector<std::uint8_t> pixels(row_bytes * rows);
    pixels_ = pixels.data();
    step([](png_structp png, png_infop info, PngFile& self) {
      std::size_t const bytes = png_get_rowbytes(png, info);
      for (int pass = 0; pass < self.passes_; ++pass) {
        for (png_uint_32 y = 0; y < png_get_image_height(png, info); ++y)
          png_read_row(png, self.pixels_ + y * bytes, nullptr);
      }
      png_read_end(png, nullptr);
    });
    return pixels;
  }

  [[noreturn]] void refuse(std::string const& why) const {
    throw BadInput(fmt::format("{}: {}", path_.string(), why));
  }

 private:
  using Step = void (*)(png_structp, png_infop, PngFile&);

  /// libpng reports errors by longjmp: a step must not own anything that needs a destructor.
  void step(Step what) {
    // NOLINTNEXTLINE(modernize-avoid-setjmp-longjmp): libpng's way
    if (setjmp(png_jmpbuf(of_libpng_.png)) != 0)
      refuse(fmt::format("truncated or damaged PNG file (libpng: {})", complaint_.data()));
    what(of_libpng_.png, of_libpng_.info, *this);
  }

  static void on_error(png_structp png, png_const_charp text) {
    auto& self = *static_cast<PngFile*>(png_get_error_ptr(png));
    std::snprintf(self.complaint_.data(), self.complaint_.size(), "%s", text);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp /*png*/, png_const_charp /*text*/) {}

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  /// What libpng allocates: freed even if the constructor of PngFile throws.
  struct OfLibpng {
    explicit OfLibpng(PngFile* file)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, file, &on_error, &on_warning)),
          info(png == nullptr ? nullptr : png_create_info_struct(png)) {}
    ~OfLibpng() { png_destroy_read_struct(&png, &info, nullptr); }
    OfLibpng(OfLibpng const&) = delete;
    OfLibpng& operator=(OfLibpng const&) = delete;
    png_structp png;
    png_infop info;
  };
  /// acTL, the chunk that makes a PNG an animation of several pictures.
  static constexpr png_byte of_several_pictures[] = {'a', 'c', 'T', 'L', 0};

  fs::path path_;
  std::array<char, 200> complaint_{};
  std::unique_ptr<std::FILE, Close> file_;
  OfLibpng of_libpng_;
  int bits_ = 0;
  int passes_ = 1;
  std::uint8_t* pixels_ = nullptr;
};

/// Samples side by side as greys, the last one of which is opacity if their number is even.
std::vector<std::uint8_t> greys_of_samples(fs::path const& path,
                                           std::vector<std::uint8_t> const& samples,
                                           std::size_t each) {
  bool const opacity = each % 2 == 0;
  std::vector<std::uint8_t> greys;
  greys.reserve(samples.size() / each);
  for (auto at = samples.begin(); at != samples.end(); at += static_cast<std::ptrdiff_t>(each)) {
    if (opacity && at[static_cast<std::ptrdiff_t>(each) - 1] != 255)
      throw BadInput(
          fmt::format("{}: it has transparent pixels, greys were expected", path.string()));
    greys.push_back(each < 3 ? *at : grey_of(path, {at[0], at[1], at[2]}));
  }
  return greys;
}

}  // namespace

SliceFile read_png_slice(fs::path const& path) {
  PngFile file(path);
  std::int64_t const columns = file.columns();
  std::int64_t const rows = file.rows();
  std::size_t const count = checked_volume({columns, rows, 1}, path);
  auto pixels = file.read();
  bool const wide = file.bits() == 16;
  if (wide && file.samples() > 1) file.refuse("colours of 16 bits, greys were expected");
  if (wide) {
    auto voxels = voxels_from({.kind = ElementType::Kind::unsigned_integer,
                               .bytes = 2,
                               .big_endian = std::endian::native == std::endian::big},
                              count, pixels.data(), path);
    return slice_of_picture("PNG", columns, rows, "uint16", std::move(voxels));
  }
  if (file.colour_type() == PNG_COLOR_TYPE_PALETTE) {
    greys_by_number(path, greys_of_palette(file.palette()), pixels);
    return slice_of_picture("PNG", columns, rows, "uint8", std::move(pixels));
  }
  if (file.samples() > 1) pixels = greys_of_samples(path, pixels, file.samples());
  std::string const type = file.bits() == 8   ? "uint8"
                           : file.bits() == 1 ? "1 bit"
                                              : fmt::format("{} bits", file.bits());
  return slice_of_picture("PNG", columns, rows, type, std::move(pixels));
}

}  // namespace tessera
