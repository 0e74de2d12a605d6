// SPDX-License-Identifier: MIT
#include "io/fields/write_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "io/atomic_file.hpp"
#include "io/fields/field_files.hpp"
#include "io/images/npy/npy_header.hpp"
#include "io/images/tiff/tiff_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

[[noreturn]] void throw_cannot_write(fs::path const& path, TiffFile const& file) {
  throw EnvironmentError(
      fmt::format("cannot write {}: {}", path.string(),
                  file.complaint().empty() ? "libtiff gives no reason" : file.complaint()));
}

bool write_page(TIFF* file, Int3 shape, std::int64_t z, std::uint8_t const* page) {
  bool good = true;
  auto const set = [&](std::uint32_t tag, auto... values) {
    good = good && TIFFSetField(file, tag, values...) == 1;
  };
  set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
  set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(shape.x));
  set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(shape.y));
  set(TIFFTAG_BITSPERSAMPLE, 8);
  set(TIFFTAG_SAMPLESPERPIXEL, 1);
  set(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  set(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(shape.y));
  constexpr std::int64_t most_pages = 65535;  // the tag has 16 bits
  set(TIFFTAG_PAGENUMBER, static_cast<int>(std::min(z, most_pages)),
      static_cast<int>(std::min(shape.z, most_pages)));
  // libtiff takes a pointer to non-const, but it changes only bytes that it has to swap.
  auto* const pixels = const_cast<std::uint8_t*>(page);
  return good && TIFFWriteEncodedStrip(file, 0, pixels, shape.x * shape.y) >= 0 &&
         TIFFWriteDirectory(file) == 1;
}

void write_tiff(fs::path const& path, Int3 shape, std::vector<std::uint8_t> const& voxels) {
  AtomicFile atomic(path);
  {
    // Offsets in plain TIFF have 32 bits; each page adds some hundred bytes of directory.
    bool const beyond_4_gb = voxels.size() + static_cast<std::size_t>(shape.z) * 512 > 0xfff00000U;
    TiffFile const file(atomic.temporary_path(), beyond_4_gb ? "w8" : "w");
    bool good = file.is_open();
    for (std::int64_t z = 0; good && z < shape.z; ++z) {
      good = write_page(file.get(), shape, z, voxels.data() + linear_index(shape, {0, 0, z}));
    }
    if (!good || !file.complaint().empty()) throw_cannot_write(path, file);
  }
  atomic.commit();
}

constexpr std::array of_fields{".npz"sv, ".vti"sv, ".vtkhdf"sv};

bool is_tiff(std::string_view extension) { return extension == ".tif" || extension == ".tiff"; }

}  // namespace

void check_image_name(fs::path const& path) {
  std::string const extension = path.extension().string();
  if (extension == ".raw" || extension == ".npy" || is_tiff(extension)) return;
  if (std::ranges::find(of_fields, extension) == of_fields.end()) {
    throw BadInput(
        fmt::format("cannot write {}: the extension .raw, .npy, .npz, .tif, .tiff, .vti or .vtkhdf "
                    "was expected",
                    path.string()));
  }
  if (extension == ".vti") check_field_format(FieldFormat::vti, path.string());
}

void write_image(fs::path const& path, Int3 shape, std::vector<std::uint8_t> const& voxels,
                 double voxel_size_m) {
  if (shape.x < 1 || shape.y < 1 || shape.z < 1 ||
      voxels.size() != static_cast<std::size_t>(volume(shape))) {
    throw std::invalid_argument("write_image: the number of voxels is not that of the shape");
  }
  check_image_name(path);
  std::string const extension = path.extension().string();
  std::string_view const bytes(reinterpret_cast<char const*>(voxels.data()), voxels.size());
  if (extension == ".raw") {
    write_whole_file(path, bytes);
  } else if (extension == ".npy") {
    std::string file = npy_header("|u1", fmt::format("({},{},{})", shape.z, shape.y, shape.x));
    write_whole_file(path, file += bytes);
  } else if (is_tiff(extension)) {
    write_tiff(path, shape, voxels);
  } else {
    std::array const image{Field{"im", 1, std::span<std::uint8_t const>(voxels)}};
    write_fields(path, shape, voxel_size_m, image);
  }
}

}  // namespace tessera
