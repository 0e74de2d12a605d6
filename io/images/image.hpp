// SPDX-License-Identifier: MIT
// A voxel image as it stands in a file: labels or grey values, before a rule selects the pores.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "geometry/layer_range.hpp"

namespace tessera {

/// Voxel values in the type that the file has, x fastest, then y, then z.
using Voxels =
    std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::uint16_t>,
                 std::vector<std::int16_t>, std::vector<std::uint32_t>, std::vector<std::int32_t>,
                 std::vector<float>, std::vector<double>>;

/// Whether the user describes an image by options or by keys of a case; messages about missing
/// settings use the same spelling.
enum class SaidBy : std::uint8_t { option, case_key };

/// The edges of a voxel as given in a file.
struct VoxelEdges {
  std::array<double, 3> metres{};  ///< along x, y, z
  std::string said_by;             ///< the words of the format for it: "ElementSpacing"
};

struct Image {
  std::filesystem::path path;
  std::string format;  ///< its name for users: "raw uint8", "TIFF, 400 slices, big-endian, white is
                       ///< zero"
  /// The files of the image: one file, or slices in order, or a header and its data.
  std::vector<std::filesystem::path> files;
  std::string sha256;  ///< of the files as stored, one behind the other, in hexadecimal
  Int3 shape;
  Voxels voxels;                     ///< volume(shape) values, or those of `layers`
  std::optional<LayerRange> layers;  ///< if given, only these layers are here
  bool boolean = false;  ///< an array of False (0) and True (1), either of which may be pore
  SaidBy said_by = SaidBy::option;
  std::optional<VoxelEdges> edges;  ///< if the file gives them, and their unit
  std::string doubtful_edges;       ///< what the file gives for them that is not reliable
  /// Values that mark missing values in the file: by themselves neither pore nor solid.
  std::vector<double> missing;
};

/// Lower and upper corner (exclusive) of the part of an image to keep.
struct Crop {
  Int3 lower;
  Int3 upper;
};

/// What the user specifies about a file that the file does not contain.
struct ReadOptions {
  /// Voxels of the image along x, y, z, before `crop`. Raw images need it; others are checked
  /// against it.
  std::optional<Int3> shape;
  /// Raw: one of names_of_element_types(), with the suffix -be for big-endian.
  std::string dtype = "uint8";
  /// Bytes before the voxels (unpacked, for .gz). Not 0 means raw, whatever the first bytes are.
  std::int64_t header_bytes = 0;
  /// Files of several arrays (npz, HDF5, VTI): the name of the image. Other formats have no names.
  std::string dataset;
  /// The image's axes in the order of the file's, fastest first: "zyx" swaps x and z on reading.
  std::string axes = "xyz";
  std::optional<Crop> crop;  ///< applied after `axes`
  SaidBy said_by = SaidBy::option;
  /// Which of so many layers of the image, along its z, to read; if not given, all.
  std::function<LayerRange(std::int64_t layers)> layers;
};

/// Reads an image of any format of docs/formats.md, chosen by the file's first bytes, else its
/// name; a folder or a pattern with '*' stands for numbered 2-D TIFF, PNG or BMP slices in natural
/// order, a folder of DICOM files for their series. TIFF values are kept as stored, whatever the
/// photometric convention. An array im[z, y, x] of NumPy or HDF5 has the x of its last index,
/// whatever its order in memory; of several arrays in a file, the only one that can be an image is
/// read, of an .npz the one named `im`. The whole image is in memory before `crop` cuts it, or only
/// the layers of the crop and of `layers`, if reads_in_parts(). An image of some `layers` has no
/// sha256. Throws BadInput (missing, truncated, damaged or oversized file, wrong shape, unknown
/// flavour) or EnvironmentError (memory).
Image read_image(std::filesystem::path const& path, ReadOptions const& options);

/// Whether layers of such a file can be read without the others. Throws BadInput.
bool reads_in_parts(std::filesystem::path const& path, ReadOptions const& options);

/// "a.tif says voxels of 2.25 x 2.25 x 5 um (...)", if at least one edge in the file differs from
/// `metres`, to the digits that files have.
std::optional<std::string> other_voxel_size(Image const& image, double metres);

}  // namespace tessera
