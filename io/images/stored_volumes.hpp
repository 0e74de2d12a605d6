// SPDX-License-Identifier: MIT
// Arrays of numbers with names, of which HDF5 and NetCDF files hold several: the choice of the
// image, and its attributes. Not for use outside io/.
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
  std::vector<std::string> axes;       ///< their names, as far as the file has them
};

/// The axes z, y and x of an array: axes of one value, such as time or channel, are left out,
/// leading ones first. None unless three axes remain.
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

/// Arrays of a file that may be the image.
struct StoredArrays {
  std::vector<StoredVolume> volumes;  ///< of three axes, of numbers
  /// Other arrays, each with the reason why it cannot be the image: "/a (2 x 16 x 20 x 24)", "/b
  /// (16 x 20 x 24), compounds".
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

/// The volume of this name, otherwise the one whose name ends so; without a name, the only one.
/// Throws BadInput with a list of the volumes.
StoredVolume const& choose_volume(std::filesystem::path const& path, StoredArrays const& arrays,
                                  std::string const& name);

/// The shape of a volume. Throws BadInput for extents that are invalid for an image, and for an
/// axis of times or channels.
Int3 shape_of(std::filesystem::path const& path, StoredVolume const& volume);

/// The attributes of an array or a file, by name; nothing for attributes that are missing or of
/// another kind.
struct Attributes {
  std::function<std::vector<double>(char const*)> numbers;
  std::function<std::string(char const*)> text;
};

/// Notes the edges of a voxel from the attributes of several programs, each with its own
/// convention. Returns whether there are any.
bool note_edges_in(Image& image, Attributes const& attributes);

/// The meaning of stored numbers by the conventions of NetCDF: value = scale * stored + offset, and
/// some numbers mark missing values.
struct StoredMeaning {
  double scale = 1;
  double offset = 0;
  std::vector<double> missing;  ///< as they are stored
};

/// The meaning by the attributes scale_factor, add_offset, _FillValue and missing_value of an array
/// whose elements are of this type. Throws BadInput for attributes that are no numbers.
StoredMeaning meaning_in(std::filesystem::path const& path, Attributes const& attributes,
                         ElementType type);

/// Replaces stored numbers by the values that they mean: reals, if they are scaled, which are NaN
/// where a value is missing.
void apply_meaning(Image& image, StoredMeaning const& meaning);

}  // namespace tessera
