// SPDX-License-Identifier: MIT
// The format of a file: by its first bytes, otherwise by its name. Not for use outside io/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// The first bytes of every file of HDF5.
inline constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

enum class ImageFormat : std::uint8_t {
  raw,
  gzipped_raw,
  tiff,
  npy,
  npz,
  nrrd,
  hdf5,
  netcdf,  ///< classic; files of version 4 are HDF5
  meta_image,
  image_data,  ///< VTK XML (.vti)
  dicom,
  png,
  bmp
};

/// The format of a file; raw only if no other format is detected. Throws BadInput for formats that
/// are known but not read, as their headers taken for voxels would give a wrong image silently, and
/// for files whose names have the ending of another format than their first bytes.
ImageFormat format_of(std::filesystem::path const& path, ReadOptions const& options);

/// Whether a name has the ending of a TIFF file.
bool is_tiff_name(std::filesystem::path const& path);

/// The format of a slice of a stack by the ending of its name: TIFF, PNG or BMP.
std::optional<ImageFormat> format_of_slice_name(std::filesystem::path const& path);
/// The format of a slice of a stack by its first bytes; TIFF if they are neither PNG nor BMP.
ImageFormat format_of_slice(std::filesystem::path const& path);
/// "TIFF", "PNG" or "BMP".
std::string_view name_of_slice_format(ImageFormat format);

/// Whether a file begins as one of a DICOM series.
bool is_dicom(std::filesystem::path const& path);

}  // namespace tessera
