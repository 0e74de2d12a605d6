// SPDX-License-Identifier: MIT
#include "io/images/hdf5/hdf5_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/hdf5_handle.hpp"
#include "io/images/hdf5/hdf5_type.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

constexpr int most_axes = H5S_MAX_RANK;

std::vector<double> numbers_of(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return {};
  Hdf5Handle const attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "ask for a data space"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "ask for a type"};
  hssize_t const count = H5Sget_simple_extent_npoints(space);
  H5T_class_t const kind = H5Tget_class(type);
  constexpr hssize_t most = 1000;
  if (count < 1 || count > most || (kind != H5T_INTEGER && kind != H5T_FLOAT)) return {};
  std::vector<double> values(static_cast<std::size_t>(count));
  hdf5_checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), "read an attribute");
  return values;
}

/// The texts of an attribute, of fixed length or of any.
std::vector<std::string> texts_of_attribute(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return {};
  Hdf5Handle const attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "ask for a type"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "ask for a data space"};
  hssize_t const count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_STRING || count < 1 || count > most_axes) return {};
  std::vector<std::string> found;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(static_cast<std::size_t>(count));
    hdf5_checked(H5Aread(attribute, type, static_cast<void*>(texts.data())), "read an attribute");
    for (char const* const text : texts) found.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, static_cast<void*>(texts.data()));
    return found;
  }
  std::size_t const length = H5Tget_size(type);
  std::string all(length * static_cast<std::size_t>(count), '\0');
  hdf5_checked(H5Aread(attribute, type, all.data()), "read an attribute");
  for (std::size_t begin = 0; begin < all.size(); begin += length)
    found.emplace_back(all.substr(begin, length).c_str());
  return found;
}

std::string text_of(hid_t object, char const* name) {
  auto const texts = texts_of_attribute(object, name);
  return texts.size() == 1 ? texts.front() : std::string();
}

/// The names of the scales that belong to the axes: of NetCDF-4 those of its dimensions.
std::vector<std::string> names_of_scales(hid_t dataset, std::size_t axes) {
  char const* const name = "DIMENSION_LIST";
  if (H5Aexists(dataset, name) <= 0) return {};
  Hdf5Handle const attribute{H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "ask for a type"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "ask for a data space"};
  if (H5Tget_class(type) != H5T_VLEN ||
      H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(axes))
    return {};
  Hdf5Handle const of_one{H5Tget_super(type), H5Tclose, "ask for a type"};
  if (H5Tequal(of_one, H5T_STD_REF_OBJ) <= 0) return {};
  std::vector<hvl_t> lists(axes);
  hdf5_checked(H5Aread(attribute, type, lists.data()), "read an attribute");
  std::vector<std::string> names(axes);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (lists[axis].len == 0) continue;
    hid_t const scale = H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, lists[axis].p);
    if (scale < 0) continue;
    Hdf5Handle const opened{scale, H5Oclose, "open a scale"};
    std::array<char, 256> path{};
    if (H5Iget_name(opened, path.data(), path.size()) <= 0) continue;
    std::string const whole = path.data();
    names[axis] = whole.substr(whole.rfind('/') + 1);
  }
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists.data());
  return names;
}

/// As ilastik writes them: {"axes": [{"key": "z", ...}, ...]}.
std::vector<std::string> names_of_tags(hid_t dataset) {
  auto const tags = nlohmann::json::parse(text_of(dataset, "axistags"), nullptr, false);
  std::vector<std::string> names;
  if (!tags.is_object() || !tags.contains("axes") || !tags["axes"].is_array()) return names;
  for (auto const& tag : tags["axes"])
    names.push_back(tag.is_object() && tag.contains("key") && tag["key"].is_string()
                        ? tag["key"].get<std::string>()
                        : std::string());
  // Here it is a channel, elsewhere it may be anything.
  std::ranges::replace(names, std::string("c"), std::string("channel"));
  return names;
}

std::vector<std::uint64_t> extents_of_dataset(hid_t dataset) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  std::array<hsize_t, most_axes> extents{};
  int const axes = hdf5_checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr),
                                "ask for the shape of a data set");
  return {extents.begin(), extents.begin() + axes};
}

/// An object, whatever path leads to it: its file and its place there.
#if H5_VERSION_GE(1, 12, 0)
using Address = std::pair<unsigned long, std::array<std::uint8_t, H5O_MAX_TOKEN_SIZE>>;
#else
using Address = std::pair<unsigned long, haddr_t>;
#endif

struct Search {
  StoredArrays found;
  std::set<Address> seen;
  hid_t root;          ///< where the names below begin
  std::string prefix;  ///< "/" or what stands before these names
  int depth = 0;       ///< of links to other files
  /// Objects of other files, which have their numbers as long as they are open.
  std::vector<Hdf5Handle> opened;
};

Address address_of(hid_t object) {
  H5O_info_t info;
#if H5_VERSION_GE(1, 12, 0)
  hdf5_checked(H5Oget_info3(object, &info, H5O_INFO_BASIC), "look at an object");
  return {info.fileno, std::to_array(info.token.__data)};
#else
  hdf5_checked(H5Oget_info(object, &info), "look at an object");
  return {info.fileno, info.addr};
#endif
}

void note_dataset(Search& search, hid_t dataset, std::string const& name) {
  if (!search.seen.insert(address_of(dataset)).second) return;
  Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
  StoredVolume volume{.name = name, .extents = extents_of_dataset(dataset), .axes = {}};
  if (volume.extents.size() < 2) return;
  bool const numbers = element_of_hdf5(type).has_value();
  if (numbers && axes_of_volume(volume.extents)) {
    search.found.volumes.push_back(std::move(volume));
    return;
  }
  search.found.others.push_back(
      numbers ? text_of(volume) : fmt::format("{}, {}", text_of(volume), name_of_hdf5_type(type)));
}

void look_into(Search& search, hid_t group, std::string const& prefix);

herr_t visit_object(hid_t /*root*/, char const* name, H5O_info_t const* info, void* data) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  auto& search = *static_cast<Search*>(data);
  try {
    Hdf5Handle const dataset{H5Dopen2(search.root, name, H5P_DEFAULT), H5Dclose, "open"};
    note_dataset(search, dataset, search.prefix + name);
  } catch (EnvironmentError const&) {
    return -1;
  }
  return 0;
}

/// Where a link to another file leads: "/entry/data -> scan.h5:/entry/data".
std::string text_of_link(hid_t root, char const* name, std::size_t length,
                         std::string const& path) {
  std::vector<char> value(length + 1);
  char const* file = nullptr;
  char const* object = nullptr;
  unsigned flags = 0;
  bool const known = H5Lget_val(root, name, value.data(), length, H5P_DEFAULT) >= 0 &&
                     H5Lunpack_elink_val(value.data(), length, &flags, &file, &object) >= 0;
  if (!known) return printable(path);
  return fmt::format("{} -> {}:{}", printable(path), printable(file), printable(object));
}

herr_t visit_link(hid_t /*root*/, char const* name, H5L_info_t const* info, void* data) {
  if (info->type != H5L_TYPE_EXTERNAL) return 0;
  auto& search = *static_cast<Search*>(data);
  std::string const path = search.prefix + name;
  try {
    hid_t const object = H5Oopen(search.root, name, H5P_DEFAULT);
    if (object < 0) {
      search.found.broken.push_back(
          fmt::format("{} leads nowhere", text_of_link(search.root, name, info->u.val_size, path)));
      return 0;
    }
    search.opened.emplace_back(object, H5Oclose, "open");
    H5I_type_t const kind = H5Iget_type(object);
    if (kind == H5I_DATASET) note_dataset(search, object, path);
    constexpr int most_depth = 8;
    if (kind == H5I_GROUP && search.depth < most_depth &&
        search.seen.insert(address_of(object)).second)
      look_into(search, object, path + "/");
  } catch (EnvironmentError const&) {
    return -1;
  }
  return 0;
}

void look_into(Search& search, hid_t group, std::string const& prefix) {
  hid_t const root_before = std::exchange(search.root, group);
  std::string const prefix_before = std::exchange(search.prefix, prefix);
  ++search.depth;
  char const* const what = "list what is in the file";
#if H5_VERSION_GE(1, 12, 0)
  hdf5_checked(H5Ovisit3(group, H5_INDEX_NAME, H5_ITER_INC, visit_object, &search, H5O_INFO_BASIC),
               what);
#else
  hdf5_checked(H5Ovisit(group, H5_INDEX_NAME, H5_ITER_INC, visit_object, &search), what);
#endif
  hdf5_checked(H5Lvisit(group, H5_INDEX_NAME, H5_ITER_INC, visit_link, &search), what);
  --search.depth;
  search.root = root_before;
  search.prefix = prefix_before;
}

}  // namespace

StoredArrays arrays_in_hdf5(hid_t file, std::string const& wanted) {
  Search search{.found = {}, .seen = {}, .root = file, .prefix = "/", .opened = {}};
  if (!wanted.empty()) {
    hid_t const object = H5Dopen2(file, wanted.c_str(), H5P_DEFAULT);
    if (object >= 0) {
      search.opened.emplace_back(object, H5Dclose, "open");
      note_dataset(search, object, wanted.starts_with('/') ? wanted : "/" + wanted);
    }
  }
  look_into(search, file, "/");
  return std::move(search.found);
}

std::vector<std::string> axes_of_hdf5(hid_t dataset, std::size_t axes) {
  for (auto names : {names_of_tags(dataset), texts_of_attribute(dataset, "DIMENSION_LABELS"),
                     names_of_scales(dataset, axes)}) {
    if (names.size() == axes &&
        std::ranges::any_of(names, [](auto& name) { return !name.empty(); }))
      return names;
  }
  return {};
}

Attributes attributes_of_hdf5(hid_t object) {
  return {.numbers = [object](char const* name) { return numbers_of(object, name); },
          .text = [object](char const* name) { return text_of(object, name); }};
}

}  // namespace tessera
