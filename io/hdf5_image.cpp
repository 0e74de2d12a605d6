// SPDX-License-Identifier: MIT
// HDF5 data sets as images: h5py's, NetCDF-4's, MATLAB's (7.3), VTKHDF's.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/element_type.hpp"
#include "io/hdf5_handle.hpp"
#include "io/image_readers.hpp"
#include "io/stored_volumes.hpp"
#include "io/text.hpp"
#include "io/voxel_edges.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int most_axes = H5S_MAX_RANK;

std::vector<std::uint64_t> extents_of(hid_t dataset) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  std::array<hsize_t, most_axes> extents{};
  int const axes = hdf5_checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr),
                                "ask for the shape of a data set");
  return {extents.begin(), extents.begin() + axes};
}

/// The type of voxels, and how HDF5 calls it in memory; nothing for what is no number.
std::optional<ElementType> type_of(hid_t type) {
  using Kind = ElementType::Kind;
  std::size_t const bytes = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      if (bytes > 8 || std::popcount(bytes) != 1) return std::nullopt;
      return ElementType{
          H5Tget_sign(type) == H5T_SGN_NONE ? Kind::unsigned_integer : Kind::signed_integer, bytes,
          false};
    case H5T_FLOAT:
      return ElementType{Kind::real, bytes <= 4 ? std::size_t{4} : std::size_t{8}, false};
    case H5T_ENUM:  // h5py's way of saying bool
      if (bytes == 1) return ElementType{Kind::boolean, 1, false};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

struct MemoryType {
  ElementType::Kind kind;
  std::size_t bytes;
  hid_t type;
};

hid_t memory_type_of(ElementType type) {
  using Kind = ElementType::Kind;
  for (MemoryType const& known : {MemoryType{Kind::unsigned_integer, 1, H5T_NATIVE_UINT8},
                                  {Kind::unsigned_integer, 2, H5T_NATIVE_UINT16},
                                  {Kind::unsigned_integer, 4, H5T_NATIVE_UINT32},
                                  {Kind::unsigned_integer, 8, H5T_NATIVE_UINT64},
                                  {Kind::signed_integer, 1, H5T_NATIVE_INT8},
                                  {Kind::signed_integer, 2, H5T_NATIVE_INT16},
                                  {Kind::signed_integer, 4, H5T_NATIVE_INT32},
                                  {Kind::signed_integer, 8, H5T_NATIVE_INT64},
                                  {Kind::real, 4, H5T_NATIVE_FLOAT},
                                  {Kind::real, 8, H5T_NATIVE_DOUBLE}}) {
    if (known.kind == type.kind && known.bytes == type.bytes) return known.type;
  }
  return H5T_NATIVE_UINT8;
}

/// What H5Ovisit hands to each object.
struct Search {
  hid_t file;
  std::vector<StoredVolume> volumes;
};

herr_t note_volume(hid_t /*root*/, char const* name, H5O_info_t const* info, void* data) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  auto& search = *static_cast<Search*>(data);
  try {
    Hdf5Handle const dataset{H5Dopen2(search.file, name, H5P_DEFAULT), H5Dclose, "open"};
    Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
    auto const extents = extents_of(dataset);
    if (type_of(type) && axes_of_volume(extents))
      search.volumes.push_back({std::string("/") + name, extents});
  } catch (EnvironmentError const&) {
    return -1;
  }
  return 0;
}

std::vector<StoredVolume> volumes_in(hid_t file) {
  Search search{.file = file, .volumes = {}};
#if H5_VERSION_GE(1, 12, 0)
  herr_t const visited =
      H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, note_volume, &search, H5O_INFO_BASIC);
#else
  herr_t const visited = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, note_volume, &search);
#endif
  hdf5_checked(visited, "list what is in the file");
  return std::move(search.volumes);
}

/// The three numbers of an attribute, or none.
std::vector<double> three_numbers_of(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return {};
  Hdf5Handle const attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "ask for a data space"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "ask for a type"};
  hssize_t const count = H5Sget_simple_extent_npoints(space);
  H5T_class_t const kind = H5Tget_class(type);
  if (count != 3 || (kind != H5T_INTEGER && kind != H5T_FLOAT)) return {};
  std::vector<double> values(3);
  hdf5_checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), "read an attribute");
  return values;
}

/// The text of an attribute of fixed length or of any.
std::string text_of(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return {};
  Hdf5Handle const attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "ask for a type"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "ask for a data space"};
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return {};
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    hdf5_checked(H5Aread(attribute, type, static_cast<void*>(&text)), "read an attribute");
    std::string copy = text == nullptr ? "" : text;
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  hdf5_checked(H5Aread(attribute, type, text.data()), "read an attribute");
  return text.substr(0, text.find('\0'));
}

Attributes attributes_of(hid_t object) {
  return {.three_numbers = [object](char const* name) { return three_numbers_of(object, name); },
          .text = [object](char const* name) { return text_of(object, name); }};
}

/// The data set says it, or the file.
SaidEdges edges_of(hid_t file, hid_t dataset) {
  for (hid_t const object : {dataset, file}) {
    if (auto const said = edges_in(attributes_of(object))) return *said;
  }
  if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0) {
    Hdf5Handle const root{H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose, "open a group"};
    if (auto const xyz = three_numbers_of(root, "Spacing"); !xyz.empty())
      return {.values = {xyz[0], xyz[1], xyz[2]}, .where = "Spacing", .unit_m = {}};
  }
  return {.where = {}, .unit_m = {}};
}

/// What its values are packed by has to be known here.
void require_filters(fs::path const& path, hid_t dataset) {
  Hdf5Handle const creation{H5Dget_create_plist(dataset), H5Pclose, "ask how it is packed"};
  for (int filter = 0; filter < H5Pget_nfilters(creation); ++filter) {
    unsigned flags = 0;
    unsigned known = 0;
    std::size_t values = 0;
    std::array<char, 64> name{};
    auto const number = H5Pget_filter2(creation, static_cast<unsigned>(filter), &flags, &values,
                                       nullptr, name.size(), name.data(), &known);
    if (number < 0 || H5Zfilter_avail(number) > 0) continue;
    throw BadInput(fmt::format(
        "{}: packed by the filter '{}' ({}), which HDF5 does not have here: pack it by gzip",
        path.string(), name.data(), number));
  }
}

/// The values of some layers of a data set, along its axis `slowest`; there must be one at least.
Voxels read_values(fs::path const& path, hid_t dataset, hid_t type, ElementType element,
                   std::vector<hsize_t> extents, std::size_t slowest, LayerRange kept) {
  require_filters(path, dataset);
  bool const is_enum = element.kind == ElementType::Kind::boolean;
  hid_t const in_memory = is_enum ? type : memory_type_of(element);
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

Image read_dataset(fs::path const& path, std::string const& array, std::optional<Int3> shape,
                   LayersWanted const& wanted) {
  Hdf5Handle const file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                        "open it as an HDF5 file"};
  auto const volumes = volumes_in(file);
  StoredVolume const& chosen = choose_volume(path, volumes, array);
  Hdf5Handle const dataset{H5Dopen2(file, chosen.name.c_str(), H5P_DEFAULT), H5Dclose,
                           "open the data set"};
  Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
  ElementType const element = type_of(type).value();
  Image image;
  image.shape = shape_of(path, chosen);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  require_room_in_files(path, {path}, voxels * element.bytes);
  image.format = fmt::format("HDF5, {}, {}", printable(chosen.name), name_of(element));
  image.boolean =
      element.kind == ElementType::Kind::boolean || text_of(dataset, "MATLAB_class") == "logical";
  LayerRange const kept = note_layers(image, wanted);
  image.voxels = kept.count() == 0
                     ? empty_voxels(element)
                     : read_values(path, dataset, type, element,
                                   {chosen.extents.begin(), chosen.extents.end()},
                                   axes_of_volume(chosen.extents).value().front(), kept);
  note_edges(image, edges_of(file, dataset));
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
