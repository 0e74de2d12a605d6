// SPDX-License-Identifier: MIT
#include "io/images/hdf5/hdf5_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/errors.hpp"
#include "io/images/hdf5/hdf5_type.hpp"
#include "io/images/hdf5/lzf_filter.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

using Extents = std::vector<hsize_t>;

[[noreturn]] void refuse_parts(fs::path const& path, std::string const& why) {
  throw BadInput(fmt::format("{}: {}", path.string(), why));
}

Extents extents_of_space(hid_t space) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  int const axes = hdf5_checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr),
                                "ask for the shape of a data set");
  return {extents.begin(), extents.begin() + axes};
}

hsize_t volume_of(Extents const& extents) {
  return std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies());
}

fs::path file_of(hid_t dataset) {
  std::string name(4096, '\0');
  auto const length = hdf5_checked(H5Fget_name(dataset, name.data(), name.size()), "name its file");
  name.resize(static_cast<std::size_t>(length));
  return name;
}

/// Refuses a data set whose values are packed by a filter that is not available.
void require_filters(fs::path const& path, hid_t creation) {
  for (int filter = 0; filter < H5Pget_nfilters(creation); ++filter) {
    unsigned flags = 0;
    unsigned known = 0;
    std::size_t values = 0;
    std::array<char, 64> name{};
    auto const number = H5Pget_filter2(creation, static_cast<unsigned>(filter), &flags, &values,
                                       nullptr, name.size(), name.data(), &known);
    if (number == lzf_filter) register_lzf();
    if (number < 0 || H5Zfilter_avail(number) > 0) continue;
    refuse_parts(
        path, fmt::format(
                  "packed by the filter '{}' ({}), which HDF5 does not have here: pack it by gzip",
                  printable(name.data()), number));
  }
}

void require_chunks(fs::path const& path, hid_t dataset, hid_t creation) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  Extents const extents = extents_of_space(space);
  Extents chunk(extents.size());
  hdf5_checked(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()),
               "ask for the shape of chunks");
  hsize_t expected = 1;
  for (std::size_t a = 0; a < extents.size(); ++a)
    expected *= (extents[a] + chunk[a] - 1) / chunk[a];
  hsize_t written = 0;
  hdf5_checked(H5Dget_num_chunks(dataset, space, &written), "count chunks");
  if (written == expected) return;
  refuse_parts(path,
               fmt::format("a part of it is missing: {} of the {} chunks of its data set were "
                           "written",
                           written, expected));
}

/// One of the plain files that an external data set lies in.
struct ExternalFile {
  std::string name;
  off_t offset = 0;
  hsize_t bytes = 0;
};

std::vector<ExternalFile> external_files_of(hid_t creation) {
  std::vector<ExternalFile> files;
  int const count = hdf5_checked(H5Pget_external_count(creation), "count external files");
  for (int i = 0; i < count; ++i) {
    ExternalFile file;
    file.name.resize(4096);
    hdf5_checked(H5Pget_external(creation, static_cast<unsigned>(i), file.name.size(),
                                 file.name.data(), &file.offset, &file.bytes),
                 "ask for an external file");
    file.name.resize(std::min(file.name.find('\0'), file.name.size()));
    files.push_back(std::move(file));
  }
  return files;
}

bool is_there(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Where HDF5 looks for an external file, as set by open_hdf5_dataset().
fs::path external_path(fs::path const& path, std::string const& name) {
  if (fs::path(name).is_absolute() || is_there(name)) return name;
  return path.parent_path() / name;
}

std::vector<fs::path> require_external(fs::path const& path, hid_t dataset, hid_t creation) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
  std::uintmax_t left = volume_of(extents_of_space(space)) * H5Tget_size(type);
  std::vector<fs::path> files;
  for (ExternalFile const& external : external_files_of(creation)) {
    fs::path const file = external_path(path, external.name);
    if (!is_there(file))
      refuse_parts(path,
                   fmt::format("a part of it is missing: its file {}", printable(file.string())));
    std::uintmax_t const size = fs::file_size(file);
    auto const begin = static_cast<std::uintmax_t>(external.offset);
    std::uintmax_t const wanted = std::min<std::uintmax_t>(left, external.bytes);
    if (begin + wanted > size) {
      refuse_parts(path, fmt::format("truncated: its file {} has {} bytes, but {} were expected",
                                     printable(file.string()), size, begin + wanted));
    }
    if (external.bytes == H5F_UNLIMITED && begin + wanted < size) {
      refuse_parts(path,
                   fmt::format("its file {} is longer than it says: {} bytes, but {} were expected",
                               printable(file.string()), size, begin + wanted));
    }
    left -= wanted;
    files.push_back(file);
  }
  if (left > 0) refuse_parts(path, fmt::format("{} bytes more than its external files hold", left));
  return files;
}

// --- virtual data sets ---

using GetName = ssize_t (*)(hid_t, std::size_t, char*, std::size_t);

std::string name_of_source(hid_t creation, std::size_t mapping, GetName get) {
  auto const length = hdf5_checked(get(creation, mapping, nullptr, 0), "ask for a source");
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  hdf5_checked(get(creation, mapping, name.data(), name.size()), "ask for a source");
  name.resize(name.size() - 1);
  return name;
}

/// Places where HDF5 looks for a source, those of HDF5_VDS_PREFIX first.
std::vector<fs::path> places_of_source(fs::path const& path, fs::path const& name) {
  std::vector<fs::path> places;
  if (name.is_absolute()) places.push_back(name);
  fs::path const searched = name.is_absolute() ? name.filename() : name;
  if (char const* const prefixes = std::getenv("HDF5_VDS_PREFIX")) {
    std::string_view rest = prefixes;
    while (!rest.empty()) {
      auto const end = std::min(rest.find(':'), rest.size());
      if (end > 0) places.push_back(fs::path(rest.substr(0, end)) / searched);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::error_code ignored;
  places.push_back(path.parent_path() / searched);
  places.push_back(searched);
  places.push_back(fs::canonical(path, ignored).parent_path() / searched);
  return places;
}

std::optional<fs::path> path_of_source(fs::path const& path, std::string const& name) {
  if (name == ".") return path;
  for (fs::path const& place : places_of_source(path, name)) {
    if (is_there(place)) return place;
  }
  return std::nullopt;
}

/// "%%" stands for a percent sign, and "%b" for a number.
std::string plain_name(fs::path const& path, std::string name) {
  for (auto at = name.find('%'); at != std::string::npos; at = name.find('%', at + 1)) {
    if (name.substr(at, 2) != "%%") {
      refuse_parts(path,
                   fmt::format("a virtual data set of numbered sources ({}): copy it into one "
                               "data set",
                               printable(name)));
    }
    name.erase(at, 1);
  }
  return name;
}

/// Adds a selection of boxes to another.
void add_selection(hid_t to, hid_t selection, std::size_t axes) {
  if (H5Sis_regular_hyperslab(selection) > 0) {
    Extents start(axes), stride(axes), count(axes), block(axes);
    hdf5_checked(H5Sget_regular_hyperslab(selection, start.data(), stride.data(), count.data(),
                                          block.data()),
                 "ask for a selection");
    hdf5_checked(H5Sselect_hyperslab(to, H5S_SELECT_OR, start.data(), stride.data(), count.data(),
                                     block.data()),
                 "add a selection");
    return;
  }
  auto const boxes = hdf5_checked(H5Sget_select_hyper_nblocks(selection), "ask for a selection");
  Extents corners(2 * axes * static_cast<std::size_t>(boxes));
  hdf5_checked(
      H5Sget_select_hyper_blocklist(selection, 0, static_cast<hsize_t>(boxes), corners.data()),
      "ask for a selection");
  for (auto lower = corners.begin(); lower != corners.end();
       lower += static_cast<std::ptrdiff_t>(2 * axes)) {
    Extents extent(axes);
    Extents const one(axes, 1);
    for (std::size_t a = 0; a < axes; ++a)
      extent[a] =
          lower[static_cast<std::ptrdiff_t>(axes + a)] - lower[static_cast<std::ptrdiff_t>(a)] + 1;
    hdf5_checked(
        H5Sselect_hyperslab(to, H5S_SELECT_OR, &*lower, nullptr, one.data(), extent.data()),
        "add a selection");
  }
}

/// How many voxels a selection has along each axis, without the axes along which it has one. A
/// selection that is no regular grid counts as the box around it.
Extents edges_of(hid_t selection) {
  auto const axes = static_cast<std::size_t>(H5Sget_simple_extent_ndims(selection));
  Extents edges(axes);
  Extents first(axes), second(axes), third(axes);
  if (H5Sis_regular_hyperslab(selection) > 0) {
    hdf5_checked(H5Sget_regular_hyperslab(selection, first.data(), second.data(), edges.data(),
                                          third.data()),
                 "ask for a selection");
    for (std::size_t a = 0; a < axes; ++a) edges[a] *= third[a];
  } else {
    hdf5_checked(H5Sget_select_bounds(selection, first.data(), second.data()),
                 "ask for a selection");
    for (std::size_t a = 0; a < axes; ++a) edges[a] = second[a] - first[a] + 1;
  }
  std::erase(edges, hsize_t{1});
  return edges;
}

/// Whether a source has the voxels that are taken from it. If all are taken, their numbers along
/// the axes have to be those in the virtual data set.
bool has_voxels(Extents const& there, hid_t wanted, hid_t part) {
  if (H5Sget_select_type(wanted) == H5S_SEL_ALL) {
    Extents edges = there;
    std::erase(edges, hsize_t{1});
    return edges == edges_of(part) &&
           volume_of(there) == static_cast<hsize_t>(H5Sget_select_npoints(part));
  }
  if (H5Sget_simple_extent_ndims(wanted) != static_cast<int>(there.size())) return false;
  Extents lower(H5S_MAX_RANK);
  Extents upper(H5S_MAX_RANK);
  hdf5_checked(H5Sget_select_bounds(wanted, lower.data(), upper.data()), "ask for a selection");
  return std::ranges::equal(there, std::span(upper).first(there.size()), std::greater());
}

using Files = std::vector<fs::path>;

Files files_of_values(fs::path const& path, hid_t dataset, int depth);

/// The files of one source, which has to be there. Its type has to be equal: HDF5 would clip its
/// values to the type of the virtual data set.
Files require_source(fs::path const& path, hid_t creation, std::size_t mapping, hid_t part,
                     hid_t type, int depth) {
  std::string const file_name =
      plain_name(path, name_of_source(creation, mapping, H5Pget_virtual_filename));
  std::string const name =
      plain_name(path, name_of_source(creation, mapping, H5Pget_virtual_dsetname));
  std::string const source = fmt::format("{}:{}", file_name, name);
  auto const source_path = path_of_source(path, file_name);
  if (!source_path)
    refuse_parts(path, fmt::format("a part of it is missing: its source {}", printable(source)));
  hid_t const file = H5Fopen(source_path->c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    refuse_parts(path, fmt::format("its source {} is no readable HDF5 file (truncated?)",
                                   printable(source_path->string())));
  Hdf5Handle const opened_file{file, H5Fclose, "open"};
  hid_t const dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (dataset < 0)
    refuse_parts(path, fmt::format("a part of it is missing: its source {}", printable(source)));
  Hdf5Handle const opened{dataset, H5Dclose, "open"};
  Hdf5Handle const there{H5Dget_space(opened), H5Sclose, "ask for a data space"};
  Hdf5Handle const wanted{H5Pget_virtual_srcspace(creation, mapping), H5Sclose,
                          "ask for a selection"};
  if (!has_voxels(extents_of_space(there), wanted, part))
    refuse_parts(path,
                 fmt::format("a part of it is missing: its source {} is of another shape than the "
                             "part that is taken from it",
                             printable(source)));
  Hdf5Handle const source_type{H5Dget_type(opened), H5Tclose, "ask for a type"};
  if (element_of_hdf5(source_type) != element_of_hdf5(type))
    refuse_parts(path,
                 fmt::format("its source {} is of another type than itself", printable(source)));
  constexpr int most_depth = 8;
  if (depth >= most_depth) refuse_parts(path, "virtual data sets of virtual ones without end");
  try {
    return files_of_values(*source_path, opened, depth + 1);
  } catch (BadInput const& error) {
    refuse_parts(path, fmt::format("its source {}", error.what()));
  }
}

Files require_sources(fs::path const& path, hid_t dataset, hid_t creation, int depth) {
  Hdf5Handle const type{H5Dget_type(dataset), H5Tclose, "ask for a type"};
  Hdf5Handle const covered{H5Dget_space(dataset), H5Sclose, "ask for a data space"};
  Extents const extents = extents_of_space(covered);
  hdf5_checked(H5Sselect_none(covered), "select nothing");
  std::size_t mappings = 0;
  hdf5_checked(H5Pget_virtual_count(creation, &mappings), "count sources");
  Files files;
  for (std::size_t mapping = 0; mapping < mappings; ++mapping) {
    Hdf5Handle const part{H5Pget_virtual_vspace(creation, mapping), H5Sclose,
                          "ask for a selection"};
    if (H5Sget_select_npoints(part) < 0 ||
        static_cast<hsize_t>(H5Sget_select_npoints(part)) == H5S_UNLIMITED)
      refuse_parts(path, "a virtual data set whose sources may grow: copy it into one data set");
    for (fs::path const& file : require_source(path, creation, mapping, part, type, depth)) {
      if (std::ranges::find(files, file) == files.end()) files.push_back(file);
    }
    if (H5Sget_select_type(part) == H5S_SEL_ALL) {
      hdf5_checked(H5Sselect_all(covered), "select all");
      return files;
    }
    add_selection(covered, part, extents.size());
  }
  auto const found = hdf5_checked(H5Sget_select_npoints(covered), "count voxels");
  if (static_cast<hsize_t>(found) == volume_of(extents)) return files;
  refuse_parts(path,
               fmt::format("a part of it is missing: {} of the {} voxels of its virtual data set "
                           "have a source",
                           found, volume_of(extents)));
}

Files files_of_values(fs::path const& path, hid_t dataset, int depth) {
  Hdf5Handle const creation{H5Dget_create_plist(dataset), H5Pclose, "ask how it is stored"};
  require_filters(path, creation);
  Files files;
  if (H5Pget_layout(creation) == H5D_VIRTUAL) {
    files = require_sources(path, dataset, creation, depth);
  } else if (H5Pget_layout(creation) == H5D_CHUNKED) {
    require_chunks(path, dataset, creation);
  } else if (H5Pget_external_count(creation) > 0) {
    files = require_external(path, dataset, creation);
  } else if (H5Dget_storage_size(dataset) == 0) {
    refuse_parts(path, "a part of it is missing: its data set was never written");
  }
  if (std::ranges::find(files, path) == files.end()) files.insert(files.begin(), path);
  return files;
}

}  // namespace

Hdf5Handle open_hdf5_dataset(hid_t file, std::string const& name) {
  char const* const what = "open the data set";
  Hdf5Handle dataset{H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, what};
  Hdf5Handle const creation{H5Dget_create_plist(dataset), H5Pclose, "ask how it is stored"};
  auto const external = external_files_of(creation);
  bool const beside = std::ranges::any_of(external, [](ExternalFile const& one) {
    return !fs::path(one.name).is_absolute() && !is_there(one.name);
  });
  if (!beside || std::getenv("HDF5_EXTFILE_PREFIX") != nullptr) return dataset;
  dataset.close("close a data set");
  Hdf5Handle const access{H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_efile_prefix(access, "${ORIGIN}"), "say where its files are");
  return {H5Dopen2(file, name.c_str(), access), H5Dclose, what};
}

std::vector<fs::path> files_of_hdf5_values(fs::path const& path, hid_t dataset) {
  fs::path const own = file_of(dataset);
  std::error_code ignored;
  bool const linked = !fs::equivalent(own, path, ignored) && !ignored;
  Files files = files_of_values(linked ? own : path, dataset, 0);
  if (linked && std::ranges::find(files, path) == files.end()) files.insert(files.begin(), path);
  return files;
}

}  // namespace tessera
