// SPDX-License-Identifier: MIT
#include "io/images/stored_volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Whether an axis is one of time, channels and the like: along it stand several images.
bool is_no_length(std::string const& axis) {
  constexpr std::array<std::string_view, 9> names{"time",    "times",    "t",    "frame", "frames",
                                                  "channel", "channels", "band", "bands"};
  std::string lower = axis;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(names, lower) != names.end();
}

std::vector<std::string> texts_of(std::vector<StoredVolume> const& volumes) {
  std::vector<std::string> texts(volumes.size());
  std::ranges::transform(volumes, texts.begin(),
                         [](StoredVolume const& volume) { return text_of(volume); });
  return texts;
}

/// Volumes of exactly this name or, if there are none, those whose path ends in it.
std::vector<StoredVolume const*> volumes_named(std::vector<StoredVolume> const& volumes,
                                               std::string const& name) {
  std::vector<StoredVolume const*> exact;
  std::vector<StoredVolume const*> ending;
  for (StoredVolume const& volume : volumes) {
    if (name.empty() || volume.name.ends_with("/" + name)) ending.push_back(&volume);
    if (volume.name == name || volume.name == "/" + name) exact.push_back(&volume);
  }
  return exact.empty() ? ending : exact;
}

std::optional<double> one_number(fs::path const& path, Attributes const& attributes,
                                 char const* name) {
  auto const numbers = attributes.numbers(name);
  if (numbers.size() == 1) return numbers.front();
  if (numbers.empty() && attributes.text(name).empty()) return std::nullopt;
  throw BadInput(fmt::format("{}: its attribute {} is not one number", path.string(), name));
}

}  // namespace

StoredVolume const& choose_volume(fs::path const& path, StoredArrays const& arrays,
                                  std::string const& name) {
  auto const chosen = volumes_named(arrays.volumes, name);
  if (name.empty() && !arrays.broken.empty()) {
    throw BadInput(fmt::format(
        "{}: a part of it is missing: {}{}", path.string(), joined(arrays.broken, ", "),
        arrays.volumes.empty()
            ? ""
            : "; name the data set that is the image, such as " + text_of(arrays.volumes.front())));
  }
  if (chosen.size() == 1) return *chosen.front();
  std::vector<std::string> rest = arrays.others;
  rest.insert(rest.end(), arrays.broken.begin(), arrays.broken.end());
  if (arrays.volumes.empty()) {
    throw BadInput(fmt::format("{}: no 3-D data set of numbers in it{}{}", path.string(),
                               rest.empty() ? "" : ", but ", joined(rest, "; ")));
  }
  throw BadInput(fmt::format(
      "{}: one 3-D data set{} was expected, but it holds {}{}{}", path.string(),
      name.empty() ? "" : " named " + name, joined(texts_of(arrays.volumes), ", "),
      name.empty() || rest.empty() ? "" : "; and ", name.empty() ? "" : joined(rest, "; ")));
}

Int3 shape_of(fs::path const& path, StoredVolume const& volume) {
  Int3 shape;
  auto const zyx = axes_of_volume(volume.extents).value();
  auto place = zyx.rbegin();
  for (Axis const axis : all_axes) {
    std::size_t const stored = *place++;
    std::uint64_t const extent = volume.extents[stored];
    if (extent > (std::uint64_t{1} << 40U))
      throw BadInput(fmt::format("{}: {} is no image", path.string(), text_of(volume)));
    if (extent > 1 && stored < volume.axes.size() && is_no_length(volume.axes[stored])) {
      throw BadInput(
          fmt::format("{}: {} has {} images along its axis '{}': one volume was expected",
                      path.string(), text_of(volume), extent, printable(volume.axes[stored])));
    }
    shape[axis] = static_cast<std::int64_t>(extent);
  }
  return shape;
}

bool note_edges_in(Image& image, Attributes const& attributes) {
  for (char const* const name : {"element_size_um", "voxel_size_xyz"}) {
    auto values = attributes.numbers(name);
    if (values.empty() && attributes.text(name).empty()) continue;
    if (values.size() == 1) values.resize(3, values.front());
    if (values.size() != 3) {
      image.doubtful_edges = fmt::format("its {} is neither one number nor three", name);
      return true;
    }
    bool const slowest_first = std::string_view(name) == "element_size_um";
    if (slowest_first) std::ranges::reverse(values);
    SaidEdges said{.values = {values[0], values[1], values[2]},
                   .where = name,
                   .unit_m = {},
                   .unknown_unit = {}};
    said.note_unit(slowest_first ? "um" : attributes.text("voxel_unit"));
    note_edges(image, said);
    return true;
  }
  return false;
}

StoredMeaning meaning_in(fs::path const& path, Attributes const& attributes, ElementType type) {
  StoredMeaning meaning;
  meaning.scale = one_number(path, attributes, "scale_factor").value_or(1);
  meaning.offset = one_number(path, attributes, "add_offset").value_or(0);
  if (!std::isfinite(meaning.scale) || meaning.scale == 0 || !std::isfinite(meaning.offset)) {
    throw BadInput(fmt::format("{}: scale_factor {} and add_offset {}: expected finite numbers",
                               path.string(), meaning.scale, meaning.offset));
  }
  for (char const* const name : {"_FillValue", "missing_value"}) {
    for (double value : attributes.numbers(name)) {
      // The fill value may be signed though the voxels are not.
      bool const wraps = type.kind == ElementType::Kind::unsigned_integer && value < 0;
      if (wraps) value += std::ldexp(1.0, 8 * static_cast<int>(type.bytes));
      meaning.missing.push_back(value);
    }
  }
  return meaning;
}

void apply_meaning(Image& image, StoredMeaning const& meaning) {
  auto const is_missing = [&](double stored) {
    return std::ranges::find(meaning.missing, stored) != meaning.missing.end();
  };
  bool const as_stored = meaning.scale == 1 && meaning.offset == 0;
  if (as_stored) {
    image.missing = meaning.missing;
    std::erase_if(image.missing, [](double value) { return !std::isfinite(value); });
    return;
  }
  std::vector<double> meant;
  std::visit(
      [&](auto const& stored) {
        meant.resize(stored.size());
        std::ranges::transform(stored, meant.begin(), [&](auto value) {
          auto const number = static_cast<double>(value);
          return is_missing(number) ? std::numeric_limits<double>::quiet_NaN()
                                    : meaning.scale * number + meaning.offset;
        });
      },
      image.voxels);
  image.voxels = std::move(meant);
  image.format += fmt::format(", values {:g} x stored {} {:g}", meaning.scale,
                              meaning.offset < 0 ? '-' : '+', std::abs(meaning.offset));
}

}  // namespace tessera
