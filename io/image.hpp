// SPDX-License-Identifier: MIT
// A voxel image as it stands in a file: labels or grey values, before anyone says what is pore.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lattice/box.hpp"

namespace tessera {

/// Voxel values in the type that the file has, x fastest, then y, then z.
using Voxels =
    std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::uint16_t>,
                 std::vector<std::int16_t>, std::vector<std::uint32_t>, std::vector<std::int32_t>,
                 std::vector<float>, std::vector<double>>;

/// Where the user says how to read an image; messages ask for what is missing in the same spelling.
enum class SaidBy : std::uint8_t { option, case_key };

struct Image {
  std::filesystem::path path;
  std::string format;  ///< as a person would name it: "raw uint8", "TIFF, 400 slices, big-endian,
                       ///< white is zero"
  std::string
      sha256;  ///< of the file as stored, in hexadecimal (of the files in order, for slices)
  Int3 shape;
  Voxels voxels;         ///< volume(shape) values
  bool boolean = false;  ///< an array of False (0) and True (1): that does not say which is pore
  SaidBy said_by = SaidBy::option;
};

/// Lower and upper corner (exclusive) of the part of an image to keep.
struct Crop {
  Int3 lower;
  Int3 upper;
};

/// What the user says about a file that the file does not say itself.
struct ReadOptions {
  /// Voxels of the image along x, y, z, before `crop`. Raw images need it; others are checked by
  /// it.
  std::optional<Int3> shape;
  /// Raw: one of names_of_element_types(), with the suffix -be for big-endian.
  std::string dtype = "uint8";
  /// Bytes before the voxels (unpacked, for .gz). Not 0 means raw, whatever the first bytes are.
  std::int64_t header_bytes = 0;
  /// The image's axes in the order of the file's, fastest first: "zyx" swaps x and z on reading.
  std::string axes = "xyz";
  std::optional<Crop> crop;  ///< applied after `axes`
  SaidBy said_by = SaidBy::option;
};

/// Reads a raw (also .raw.gz), TIFF, .npy or .npz image, chosen by the file's first bytes, else its
/// name; a folder or a pattern with '*' stands for numbered 2-D TIFF slices in natural order.
/// TIFF values are kept as stored, whatever the photometric convention. An array im[z, y, x] of
/// NumPy has the x of its last index, whatever its order in memory; of an archive, the only array
/// or the one named `im` is read. The whole image is in memory before `crop` cuts it. Throws
/// BadInput (missing, truncated, damaged or oversized file, wrong shape, unknown flavour) or
/// EnvironmentError (memory).
Image read_image(std::filesystem::path const& path, ReadOptions const& options);

}  // namespace tessera
