// SPDX-License-Identifier: MIT
// Which format a file has: by its first bytes, else by its name. Not for use outside io/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// What every file of HDF5 begins with.
inline constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

enum class ImageFormat : std::uint8_t {
  raw,
  gzipped_raw,
  tiff,
  npy,
  npz,
  nrrd,
  hdf5,
  netcdf,  ///< classic; those of version 4 are HDF5
  meta_image,
  image_data,  ///< VTK XML (.vti)
  dicom,
  png,
  bmp
};

/// Raw only if no other format is to be seen. Throws BadInput for formats that are known but not
/// read, as their headers taken for voxels would give a wrong image without a word, and for files
/// whose names promise another format than their first bytes.
ImageFormat format_of(std::filesystem::path const& path, ReadOptions const& options);

/// By the end of its name.
bool is_tiff_name(std::filesystem::path const& path);

/// What a slice of a stack is by the end of its name: TIFF, PNG or BMP.
std::optional<ImageFormat> format_of_slice_name(std::filesystem::path const& path);
/// The same by its first bytes. Other files are to be TIFF.
ImageFormat format_of_slice(std::filesystem::path const& path);
/// "TIFF", "PNG" or "BMP".
std::string_view name_of_slice_format(ImageFormat format);

/// Whether a file begins as one of a DICOM series.
bool is_dicom(std::filesystem::path const& path);

}  // namespace tessera
