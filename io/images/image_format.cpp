// SPDX-License-Identifier: MIT
#include "io/images/image_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Signature {
  std::string_view magic;
  ImageFormat format;
  std::size_t at = 0;
};
constexpr std::array signatures{
    Signature{"II*\0"sv, ImageFormat::tiff},
    Signature{"MM\0*"sv, ImageFormat::tiff},
    Signature{"II+\0"sv, ImageFormat::tiff},
    Signature{"MM\0+"sv, ImageFormat::tiff},
    Signature{"\x93NUMPY"sv, ImageFormat::npy},
    Signature{"PK\x03\x04"sv, ImageFormat::npz},
    Signature{"\x1f\x8b"sv, ImageFormat::gzipped_raw},
    Signature{"NRRD000"sv, ImageFormat::nrrd},
    Signature{hdf5_magic, ImageFormat::hdf5},
    Signature{hdf5_magic, ImageFormat::hdf5, 512},  // MATLAB from 7.3 on
    Signature{"CDF\1"sv, ImageFormat::netcdf},
    Signature{"CDF\2"sv, ImageFormat::netcdf},
    Signature{"CDF\5"sv, ImageFormat::netcdf},
    Signature{"ObjectType"sv, ImageFormat::meta_image},
    Signature{"NDims"sv, ImageFormat::meta_image},
    Signature{"DICM"sv, ImageFormat::dicom, 128},
    Signature{"\x89PNG"sv, ImageFormat::png},
};

/// Not read, but known; so long that voxels do not begin so by chance.
struct UnreadSignature {
  std::string_view magic;
  std::string_view name;
  std::size_t at = 0;
};
constexpr std::array unread_signatures{
    UnreadSignature{"MATLAB "sv, "MATLAB 5 (save with -v7.3)"},
    UnreadSignature{"# AmiraMesh"sv, "Amira"},
    UnreadSignature{"# Avizo"sv, "Avizo"},
    UnreadSignature{"# vtk DataFile"sv, "legacy VTK"},
    UnreadSignature{"<?xml"sv, "VTK XML (but for ImageData)"},
    UnreadSignature{"<VTKFile"sv, "VTK XML (but for ImageData)"},
    UnreadSignature{"n+1\0"sv, "NIfTI", 344},
    UnreadSignature{"ni1\0"sv, "NIfTI", 344},
    UnreadSignature{"\xff\xd8\xff"sv, "JPEG"},
    UnreadSignature{"GIF8"sv, "GIF"},
    UnreadSignature{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "Zeiss"},
};

struct Extension {
  std::string_view ending;
  std::string_view name;
};
constexpr std::array unread_extensions{
    Extension{".jpg", "JPEG"},     Extension{".jpeg", "JPEG"},    Extension{".jp2", "JPEG 2000"},
    Extension{".gif", "GIF"},      Extension{".am", "Amira"},     Extension{".vtk", "legacy VTK"},
    Extension{".nii", "NIfTI"},    Extension{".nii.gz", "NIfTI"}, Extension{".hdr", "Analyze"},
    Extension{".vgi", "VGStudio"}, Extension{".txm", "Zeiss"},    Extension{".txrm", "Zeiss"},
    Extension{".czi", "Zeiss"},    Extension{".mrc", "MRC"}};

/// Endings that promise a format which shows in the first bytes.
constexpr std::array promises{".tif"sv,  ".tiff"sv,  ".npy"sv,  ".npz"sv, ".gz"sv,
                              ".zip"sv,  ".h5"sv,    ".hdf5"sv, ".hdf"sv, ".vtkhdf"sv,
                              ".nc"sv,   ".mat"sv,   ".dcm"sv,  ".vti"sv, ".nrrd"sv,
                              ".nhdr"sv, ".dicom"sv, ".png"sv,  ".bmp"sv};

std::string first_bytes(fs::path const& path) {
  std::string start(1024, '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  return start;
}

bool stands_at(std::string_view start, std::string_view magic, std::size_t at) {
  return start.substr(at).starts_with(magic);
}

std::string lower_name(fs::path const& path) {
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::optional<ImageFormat> seen_format(std::string_view start, std::string_view name) {
  for (Signature const& known : signatures) {
    if (stands_at(start, known.magic, known.at)) return known.format;
  }
  bool const xml = start.starts_with("<?xml") || start.starts_with("<VTKFile");
  if (xml && start.find("type=\"ImageData\"") != std::string_view::npos)
    return ImageFormat::image_data;
  // So short that voxels may begin so by chance.
  if (start.starts_with("BM") && name.ends_with(".bmp")) return ImageFormat::bmp;
  // Its lines come in any order.
  if (name.ends_with(".mhd") || name.ends_with(".mha")) return ImageFormat::meta_image;
  return std::nullopt;
}

std::optional<std::string_view> unread_format(std::string_view start, std::string_view name) {
  for (UnreadSignature const& known : unread_signatures) {
    if (stands_at(start, known.magic, known.at)) return known.name;
  }
  for (Extension const& known : unread_extensions) {
    if (name.ends_with(known.ending)) return known.name;
  }
  return std::nullopt;
}

}  // namespace

ImageFormat format_of(fs::path const& path, ReadOptions const& options) {
  std::string const start = first_bytes(path);
  std::string const name = lower_name(path);
  auto const found = seen_format(start, name);
  // Who gives the length of a header has looked into the file and wants the bytes after it as they
  // are.
  if (options.header_bytes != 0)
    return found == ImageFormat::gzipped_raw ? *found : ImageFormat::raw;
  if (!found || found == ImageFormat::gzipped_raw) {
    if (auto const unread = unread_format(start, name)) {
      throw BadInput(fmt::format("{}: {} images are not read; convert it to TIFF, .npy or raw",
                                 path.string(), *unread));
    }
  }
  if (found) return *found;
  for (std::string_view const promised : promises) {
    if (name.ends_with(promised)) {
      throw BadInput(
          fmt::format("{}: its first bytes are not those of a {} file", path.string(), promised));
    }
  }
  return ImageFormat::raw;
}

bool is_tiff_name(fs::path const& path) {
  std::string const name = lower_name(path);
  return name.ends_with(".tif") || name.ends_with(".tiff");
}

std::optional<ImageFormat> format_of_slice_name(fs::path const& path) {
  if (is_tiff_name(path)) return ImageFormat::tiff;
  std::string const name = lower_name(path);
  if (name.ends_with(".png")) return ImageFormat::png;
  if (name.ends_with(".bmp")) return ImageFormat::bmp;
  return std::nullopt;
}

ImageFormat format_of_slice(fs::path const& path) {
  auto const seen = seen_format(first_bytes(path), lower_name(path));
  return seen == ImageFormat::png || seen == ImageFormat::bmp ? *seen : ImageFormat::tiff;
}

std::string_view name_of_slice_format(ImageFormat format) {
  return format == ImageFormat::png ? "PNG" : format == ImageFormat::bmp ? "BMP" : "TIFF";
}

bool is_dicom(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && stands_at(first_bytes(path), "DICM", 128);
}

}  // namespace tessera
