// SPDX-License-Identifier: MIT
// Arrays of numbers with names, of which HDF5 and NetCDF files hold several: which one is the
// image, and what its attributes say. Not for use outside io/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/voxel_edges.hpp"
#include "lattice/box.hpp"

namespace tessera {

struct StoredVolume {
  std::string name;                    ///< with its folder, if there are folders
  std::vector<std::uint64_t> extents;  ///< slowest axis first
};

/// Whether it is 3-D, leading axes of one value aside: a time, a channel.
inline bool is_volume(std::vector<std::uint64_t> const& extents) {
  return extents.size() >= 3 &&
         std::all_of(extents.begin(), extents.end() - 3, [](auto extent) { return extent == 1; });
}

/// That of this name or whose name ends so; without a name the only one. Throws BadInput, which
/// says what there is.
StoredVolume const& choose_volume(std::filesystem::path const& path,
                                  std::vector<StoredVolume> const& volumes,
                                  std::string const& name);

/// Throws BadInput for extents that no image has.
Int3 shape_of(std::filesystem::path const& path, StoredVolume const& volume);

/// The attributes of an array or a file, by name; nothing for those that are not there or are of
/// another kind.
struct Attributes {
  std::function<std::vector<double>(char const*)> three_numbers;
  std::function<std::string(char const*)> text;
};

/// What programs have agreed on, each for itself.
std::optional<SaidEdges> edges_in(Attributes const& attributes);

}  // namespace tessera
