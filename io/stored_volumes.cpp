// SPDX-License-Identifier: MIT
#include "io/stored_volumes.hpp"

#include <fmt/format.h>

#include "io/text.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string text_of(StoredVolume const& volume) {
  std::vector<std::string> parts;
  parts.reserve(volume.extents.size());
  for (std::uint64_t const extent : volume.extents) parts.push_back(fmt::format("{}", extent));
  return fmt::format("{} ({})", printable(volume.name), joined(parts, " x "));
}

}  // namespace

StoredVolume const& choose_volume(fs::path const& path, std::vector<StoredVolume> const& volumes,
                                  std::string const& name) {
  std::vector<StoredVolume const*> chosen;
  std::vector<std::string> texts;
  for (StoredVolume const& volume : volumes) {
    texts.push_back(text_of(volume));
    bool const wanted = name.empty() || volume.name == name || volume.name == "/" + name ||
                        volume.name.ends_with("/" + name);
    if (wanted) chosen.push_back(&volume);
  }
  if (chosen.size() == 1) return *chosen.front();
  if (texts.empty())
    throw BadInput(fmt::format("{}: no 3-D data set of numbers in it", path.string()));
  throw BadInput(fmt::format("{}: one 3-D data set{} was expected, but it holds {}", path.string(),
                             name.empty() ? "" : " named " + name, joined(texts, ", ")));
}

Int3 shape_of(fs::path const& path, StoredVolume const& volume) {
  Int3 shape;
  auto const zyx = axes_of_volume(volume.extents).value();
  auto place = zyx.rbegin();
  for (Axis const axis : all_axes) {
    std::uint64_t const extent = volume.extents[*place++];
    if (extent > (std::uint64_t{1} << 40U))
      throw BadInput(fmt::format("{}: {} is no image", path.string(), text_of(volume)));
    shape[axis] = static_cast<std::int64_t>(extent);
  }
  return shape;
}

std::optional<SaidEdges> edges_in(Attributes const& attributes) {
  if (auto const zyx = attributes.three_numbers("element_size_um"); !zyx.empty()) {
    constexpr double micrometre = 1e-6;
    return SaidEdges{
        .values = {zyx[2], zyx[1], zyx[0]}, .where = "element_size_um", .unit_m = micrometre};
  }
  if (auto const xyz = attributes.three_numbers("voxel_size_xyz"); !xyz.empty()) {
    SaidEdges said{.values = {xyz[0], xyz[1], xyz[2]},
                   .where = "voxel_size_xyz",
                   .unit_m = {},
                   .unknown_unit = {}};
    said.note_unit(attributes.text("voxel_unit"));
    return said;
  }
  return std::nullopt;
}

}  // namespace tessera
