// SPDX-License-Identifier: MIT
// One reader per family of formats; read_image() chooses among them. Not for use outside io/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/images/image.hpp"

namespace tessera {

/// Which layers along the slowest axis of a file to read; if not given, all.
using LayersWanted = std::function<LayerRange(std::int64_t layers)>;

/// Each reader fills format, shape, voxels (x the fastest axis of the file), edges and, if it is
/// not the one file, files; it leaves path, sha256, `axes` and `crop` to read_image(). A `shape`
/// here counts along the axes of the file. Throws BadInput, whose message names the file and what
/// was expected. Readers with `wanted` read only these layers, and note them in the image.
Image read_raw_image(std::filesystem::path const& path, ReadOptions const& options, bool gzipped);
Image read_tiff_image(std::filesystem::path const& path, std::optional<Int3> shape,
                      LayersWanted const& wanted = {});
Image read_npy_image(std::filesystem::path const& path, std::optional<Int3> shape,
                     LayersWanted const& wanted = {});
Image read_nrrd_image(std::filesystem::path const& path, std::optional<Int3> shape);
/// Here and below, `array` is the name of the array to read; empty: the only one.
Image read_npz_image(std::filesystem::path const& path, std::string const& array,
                     std::optional<Int3> shape);
Image read_hdf5_image(std::filesystem::path const& path, std::string const& array,
                      std::optional<Int3> shape, LayersWanted const& wanted = {});
Image read_netcdf_image(std::filesystem::path const& path, std::string const& array,
                        std::optional<Int3> shape);
Image read_meta_image(std::filesystem::path const& path, std::optional<Int3> shape);
Image read_vtk_image_data(std::filesystem::path const& path, std::string const& array,
                          std::optional<Int3> shape);

/// A file with one slice of a stack.
struct SliceFile {
  Image image;
  /// The type of its values, which all slices must share: "uint8", "1 bit, white is zero".
  std::string type;
  std::optional<std::int64_t> place;  ///< among the slices, if the file gives it
};
SliceFile read_tiff_slice(std::filesystem::path const& path);
SliceFile read_png_slice(std::filesystem::path const& path);
SliceFile read_bmp_slice(std::filesystem::path const& path);

/// The 2-D TIFF, PNG or BMP slices of a folder, or the slices that match a pattern ('*' in the last
/// component), in the order of the one number that differs between their names: 2 stands before 10.
/// Throws BadInput if the names do not form one sequence or if a number is missing.
std::vector<std::filesystem::path> find_slices(std::filesystem::path const& folder_or_pattern);
/// Sorts paths of slices in the order of find_slices(), by its rules.
std::vector<std::filesystem::path> in_numbered_order(
    std::vector<std::filesystem::path> const& paths);
Image read_slices(std::vector<std::filesystem::path> const& slices, std::optional<Int3> shape,
                  LayersWanted const& wanted = {});

/// The DICOM files of a folder, none if there are TIFF files as well; read_dicom_series() reads one
/// volume of them.
std::vector<std::filesystem::path> find_dicom_files(std::filesystem::path const& folder);
Image read_dicom_series(std::vector<std::filesystem::path> const& files, std::optional<Int3> shape);

/// Throws BadInput if the files are too small for `bytes` of voxels, compressed or not.
void require_room_in_files(std::filesystem::path const& path,
                           std::vector<std::filesystem::path> const& files, std::size_t bytes);

/// Notes the layers of an image whose shape is known, and returns them.
LayerRange note_layers(Image& image, LayersWanted const& wanted);
/// Whether the array in an .npy file has its layers one behind the other. Throws BadInput.
bool npy_has_layers(std::filesystem::path const& path);

/// Throws BadInput if the user gave a shape and the file has another one.
void require_shape(std::filesystem::path const& path, Int3 found, std::optional<Int3> expected);

/// Size of a regular, readable file. Throws BadInput: missing, a folder, no permission, empty.
std::uintmax_t readable_file_size(std::filesystem::path const& path);

}  // namespace tessera
