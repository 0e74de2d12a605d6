// SPDX-License-Identifier: MIT
// A DICOM series: a file a slice, in the order of their positions, which have to be even.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/image_format.hpp"
#include "io/image_readers.hpp"
#include "io/voxel_edges.hpp"
#include "io/vtk_module.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Slice {
  fs::path path;
  double position = 0;
  Int3 shape;
  std::array<double, 3> spacing{};
  ElementType type;
  Voxels voxels;
};

Slice read_slice(VtkImages& readers, fs::path const& path) {
  Slice slice{.path = path};
  readers.read_dicom(
      path,
      [&](VtkVoxels const& voxels) {
        require_room_in_files(path, {path}, checked_volume(voxels.shape, path) * voxels.type.bytes);
      },
      [&](DicomSlice const& read) {
        slice.position = read.position;
        slice.shape = read.voxels.shape;
        slice.spacing = read.voxels.spacing;
        slice.type = read.voxels.type;
        slice.voxels =
            voxels_from(slice.type, checked_volume(slice.shape, path), read.voxels.values, path);
      });
  return slice;
}

void require_alike(Slice const& first, Slice const& slice) {
  if (slice.shape == first.shape && slice.type == first.type) return;
  throw BadInput(fmt::format("{} is {} x {} ({}), but {} is {} x {} ({})", slice.path.string(),
                             slice.shape.x, slice.shape.y, name_of(slice.type),
                             first.path.filename().string(), first.shape.x, first.shape.y,
                             name_of(first.type)));
}

/// The distance of neighbours. Throws BadInput where one is missing, or stands twice.
double even_distance(std::vector<Slice> const& slices) {
  double const mean =
      (slices.back().position - slices.front().position) / static_cast<double>(slices.size() - 1);
  constexpr double rounding = 0.02;  // positions have few digits
  for (std::size_t i = 1; i < slices.size(); ++i) {
    double const distance = slices[i].position - slices[i - 1].position;
    if (std::abs(distance - mean) <= rounding * mean) continue;
    throw BadInput(fmt::format(
        "{} and {} are {:g} mm apart, slices of one series {:g} mm: one is missing, or "
        "one too many",
        slices[i - 1].path.string(), slices[i].path.filename().string(), distance, mean));
  }
  return mean;
}

/// In the order of their positions; where they have none, as their names are numbered. Returns the
/// distance, if it is known.
std::optional<double> sort_slices(std::vector<Slice>& slices) {
  bool const placed = std::ranges::any_of(
      slices, [&](Slice const& s) { return s.position != slices.front().position; });
  if (placed) {
    std::ranges::sort(slices, {}, &Slice::position);
    return even_distance(slices);
  }
  if (slices.size() == 1) return std::nullopt;
  std::vector<fs::path> paths(slices.size());
  std::ranges::transform(slices, paths.begin(), &Slice::path);
  auto const order = in_numbered_order(paths);
  std::ranges::sort(slices, {}, [&](Slice const& slice) {
    return std::ranges::find(order, slice.path) - order.begin();
  });
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> find_dicom_files(fs::path const& folder) {
  std::error_code failure;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (is_tiff_name(it->path())) return {};
    if (is_dicom(it->path())) files.push_back(it->path());
  }
  std::ranges::sort(files);
  return files;
}

Image read_dicom_series(std::vector<fs::path> const& files, std::optional<Int3> shape) {
  VtkImages& readers = vtk_images(files.front());
  std::vector<Slice> slices;
  for (fs::path const& file : files) {
    slices.push_back(read_slice(readers, file));
    require_alike(slices.front(), slices.back());
  }
  auto const distance = sort_slices(slices);
  Slice const& first = slices.front();
  Image image;
  image.shape = {first.shape.x, first.shape.y, static_cast<std::int64_t>(slices.size())};
  image.format = fmt::format("DICOM, {} slice{}, {}", slices.size(), slices.size() == 1 ? "" : "s",
                             name_of(first.type));
  require_shape(first.path.parent_path(), image.shape, shape);
  std::size_t const voxels = checked_volume(image.shape, first.path);
  image.voxels = empty_voxels(first.type);
  std::visit(
      [&]<typename T>(std::vector<T>& values) {
        values.reserve(voxels);
        for (Slice& slice : slices) {
          auto const part = std::get<std::vector<T>>(std::exchange(slice.voxels, {}));
          values.insert(values.end(), part.begin(), part.end());
          image.files.push_back(slice.path);
        }
      },
      image.voxels);
  constexpr double millimetre = 1e-3;  // by the standard
  note_edges(image,
             {.values = {first.spacing[0], first.spacing[1], distance.value_or(first.spacing[2])},
              .where = "PixelSpacing",
              .unit_m = millimetre});
  return image;
}

}  // namespace tessera
