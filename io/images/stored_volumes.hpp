// SPDX-License-Identifier: MIT
// Arrays of numbers with names, of which HDF5 and NetCDF files hold several: which one is the
// image, and what its attributes say. Not for use outside io/.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "io/images/element_type.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/text.hpp"

namespace tessera {

struct StoredVolume {
  std::string name;                    ///< with its folder, if there are folders
  std::vector<std::uint64_t> extents;  ///< slowest axis first
  std::vector<std::string> axes;       ///< their names, as far as the file says them
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

/// What a file holds, as far as it may be the image.
struct StoredArrays {
  std::vector<StoredVolume> volumes;  ///< of three axes, of numbers
  /// What is none, each with the reason: "/a (2 x 16 x 20 x 24)", "/b (16 x 20 x 24), compounds".
  std::vector<std::string> others;
  std::vector<std::string> broken;  ///< links that lead nowhere
};

/// "/a (16 x 20 x 24)".
inline std::string text_of(StoredVolume const& volume) {
  std::vector<std::string> parts;
  parts.reserve(volume.extents.size());
  for (std::uint64_t const extent : volume.extents) parts.push_back(fmt::format("{}", extent));
  return fmt::format("{} ({})", printable(volume.name), joined(parts, " x "));
}

/// That of this name, or else the one whose name ends so; without a name the only one. Throws
/// BadInput, which says what there is.
StoredVolume const& choose_volume(std::filesystem::path const& path, StoredArrays const& arrays,
                                  std::string const& name);

/// Throws BadInput for extents that no image has, and for an axis that is one of times or channels.
Int3 shape_of(std::filesystem::path const& path, StoredVolume const& volume);

/// The attributes of an array or a file, by name; nothing for those that are not there or are of
/// another kind.
struct Attributes {
  std::function<std::vector<double>(char const*)> numbers;
  std::function<std::string(char const*)> text;
};

/// What programs have agreed on, each for itself. Whether the attributes say anything of it.
bool note_edges_in(Image& image, Attributes const& attributes);

/// What the stored numbers mean by the conventions of NetCDF: value = scale * stored + offset, and
/// some stand where there is no value.
struct StoredMeaning {
  double scale = 1;
  double offset = 0;
  std::vector<double> missing;  ///< as they are stored
};

/// By the attributes scale_factor, add_offset, _FillValue and missing_value of an array whose
/// elements are of this type. Throws BadInput for such as are no numbers.
StoredMeaning meaning_in(std::filesystem::path const& path, Attributes const& attributes,
                         ElementType type);

/// Puts the values that are meant in the place of those that are stored: reals, if they are scaled,
/// which are no numbers where there is no value.
void apply_meaning(Image& image, StoredMeaning const& meaning);

}  // namespace tessera
