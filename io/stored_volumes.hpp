// SPDX-License-Identifier: MIT
// Arrays of numbers with names, of which HDF5 and NetCDF files hold several: which one is the
// image, and what its attributes say. Not for use outside io/.
#pragma once

#include <array>
#include <cstddef>
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

/// Which axes are z, y and x: all but some of one value, a time or a channel, of which leading ones
/// go first. None if that leaves no three.
inline std::optional<std::array<std::size_t, 3>> axes_of_volume(
    std::vector<std::uint64_t> const& extents) {
  std::array<std::size_t, 3> axes{};
  std::size_t found = 0;
  for (std::size_t a = 0, too_many = extents.size(); a < extents.size(); ++a) {
    if (too_many > axes.size() && extents[a] == 1) {
      --too_many;
    } else if (found < axes.size()) {
      axes[found++] = a;
    } else {
      return std::nullopt;
    }
  }
  return found == axes.size() ? std::optional(axes) : std::nullopt;
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
