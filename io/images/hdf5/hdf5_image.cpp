// SPDX-License-Identifier: MIT
// HDF5 data sets as images: h5py's, NetCDF-4's, MATLAB's (7.3), VTKHDF's.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/hdf5_handle.hpp"
#include "io/images/element_type.hpp"
#include "io/images/hdf5/hdf5_parts.hpp"
#include "io/images/hdf5/hdf5_search.hpp"
#include "io/images/hdf5/hdf5_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/stored_volumes.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Takes the edges of a voxel from attributes of the data set, or else of the file or of its VTKHDF
/// group.
void note_edges_of_hdf5(Image& image, hid_t file, hid_t dataset) {
  if (note_edges_in(image, attributes_of_hdf5(dataset)) ||
      note_edges_in(image, attributes_of_hdf5(file)))
    return;
  if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) <= 0) return;
  Hdf5Handle const root{H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose, "open a group"};
  if (auto const xyz = attributes_of_hdf5(root).numbers("Spacing"); xyz.size() == 3)
    note_edges(image, SaidEdges{.values = {xyz[0], xyz[1], xyz[2]},
                                .where = "Spacing",
                                .unit_m = {},
                                .unknown_unit = {}});
}

/// NetCDF-4 has a fill value for each variable, which stands where nothing was written; in other
/// files that value is as good as any.
void note_fill_of_netcdf(StoredMeaning& meaning, hid_t file, hid_t dataset, ElementType element) {
  bool const bytes_have_none = element.bytes == 1;
  if (bytes_have_none || H5Aexists(file, "_NCProperties") <= 0) return;
  Hdf5Handle const creation{H5Dget_create_plist(dataset), H5Pclose, "ask how it is stored"};
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined(creation, &defined) < 0 || defined != H5D_FILL_VALUE_USER_DEFINED)
    return;
  double value = 0;
  hdf5_checked(H5Pget_fill_value(creation, H5T_NATIVE_DOUBLE, &value), "ask for a fill value");
  meaning.missing.push_back(value);
}

/// The values of some layers of a data set, along its axis `slowest`; there must be one at least.
Voxels read_values(fs::path const& path, hid_t dataset, hid_t type, ElementType element,
                   std::vector<hsize_t> extents, std::size_t slowest, LayerRange kept) {
  Hdf5Handle const in_memory{memory_type_of_hdf5(type, element), H5Tclose, "make a type"};
  Hdf5Handle const in_file{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  std::vector<hsize_t> first(extents.size(), 0);
  first[slowest] = static_cast<hsize_t>(kept.lower);
  extents[slowest] = static_cast<hsize_t>(kept.count());
  hdf5_checked(
      H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first.data(), nullptr, extents.data(), nullptr),
      "choose layers");
  std::size_t const count =
      std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies());
  Hdf5Handle const together{H5Screate_simple(1, std::array<hsize_t, 1>{count}.data(), nullptr),
                            H5Sclose, "make a data space"};
  auto const read = [&](void* to) {
    hdf5_checked(H5Dread(dataset, in_memory, together, in_file, H5P_DEFAULT, to),
                 "read its values (damaged?)");
  };
  bool const held_as_stored = element.bytes < 8 || element.kind == ElementType::Kind::real;
  if (held_as_stored) {
    Voxels voxels = empty_voxels(element);
    std::visit(
        [&](auto& values) {
          values.resize(count);
          read(values.data());
        },
        voxels);
    return voxels;
  }
  std::vector<std::byte> wide(count * element.bytes);
  read(wide.data());
  return voxels_from(element, count, wide.data(), path);
}

/// Reads signed integers as the unsigned ones with the same bits: NetCDF marks such variables.
Voxels unsigned_voxels(Voxels const& voxels) {
  return std::visit(
      []<typename T>(std::vector<T> const& values) -> Voxels {
        if constexpr (std::is_integral_v<T>)
          return std::vector<std::make_unsigned_t<T>>(values.begin(), values.end());
        return values;
      },
      voxels);
}

Image read_dataset(fs::path const& path, std::string const& array, std::optional<Int3> shape,
                   LayersWanted const& wanted) {
  Hdf5Handle const file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                        "open it as an HDF5 file (truncated or damaged?)"};
  StoredArrays const arrays = arrays_in_hdf5(file, array);
  StoredVolume chosen = choose_volume(path, arrays, array);
  Hdf5Handle const dataset = open_hdf5_dataset(file, chosen.name);
  chosen.axes = axes_of_hdf5(dataset, chosen.extents.size());
  Attributes const attributes = attributes_of_hdf5(dataset);
  Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
  ElementType const element = element_of_hdf5(type).value();
  Image image;
  image.shape = shape_of(path, chosen);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  image.files = files_of_hdf5_values(path, dataset);
  require_room_in_files(path, image.files, voxels * element.bytes);
  bool const is_unsigned = attributes.text("_Unsigned") == "true" && element.bytes < 8;
  ElementType meant = element;
  if (is_unsigned) meant.kind = ElementType::Kind::unsigned_integer;
  image.format = fmt::format("HDF5, {}, {}", printable(chosen.name), name_of(meant));
  image.boolean =
      element.kind == ElementType::Kind::boolean || attributes.text("MATLAB_class") == "logical";
  StoredMeaning meaning = meaning_in(path, attributes, meant);
  note_fill_of_netcdf(meaning, file, dataset, element);
  LayerRange const kept = note_layers(image, wanted);
  image.voxels = kept.count() == 0
                     ? empty_voxels(element)
                     : read_values(path, dataset, type, element,
                                   {chosen.extents.begin(), chosen.extents.end()},
                                   axes_of_volume(chosen.extents).value().front(), kept);
  if (is_unsigned) image.voxels = unsigned_voxels(image.voxels);
  apply_meaning(image, meaning);
  note_edges_of_hdf5(image, file, dataset);
  return image;
}

}  // namespace

Image read_hdf5_image(fs::path const& path, std::string const& array, std::optional<Int3> shape,
                      LayersWanted const& wanted) {
  QuietHdf5 const quiet;
  errno = 0;
  try {
    return read_dataset(path, array, shape, wanted);
  } catch (EnvironmentError const& error) {
    throw BadInput(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace tessera
