// SPDX-License-Identifier: MIT
// A DICOM series: a file a slice, in the order of their positions, which have to be even.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/images/dicom/dicom_file.hpp"
#include "io/images/image_format.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool are_alike(std::span<double const> a, std::span<double const> b) {
  constexpr double digits = 1e-3;
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::abs(x - y) <= digits * std::max({std::abs(x), std::abs(y), digits});
  });
}

void require_alike(DicomSlice const& first, DicomSlice const& slice) {
  std::string const name = slice.path.string();
  std::string const of_first = first.path.filename().string();
  if (slice.shape != first.shape || slice.type != first.type) {
    throw BadInput(fmt::format("{} is {} x {} ({}), but {} is {} x {} ({})", name, slice.shape.x,
                               slice.shape.y, name_of(slice.type), of_first, first.shape.x,
                               first.shape.y, name_of(first.type)));
  }
  if (slice.series != first.series) {
    throw BadInput(
        fmt::format("{} is of another series (SeriesInstanceUID {}) than {} ({}): one was expected "
                    "in a folder",
                    name, printable(slice.series), of_first, printable(first.series)));
  }
  if (!are_alike(slice.spacing, first.spacing) || !are_alike(slice.orientation, first.orientation))
    throw BadInput(
        fmt::format("{} lies otherwise than {}: its PixelSpacing or its "
                    "ImageOrientationPatient is another",
                    name, of_first));
  if (slice.position.has_value() != first.position.has_value())
    throw BadInput(
        fmt::format("of {} and {} one only says its ImagePositionPatient", name, of_first));
}

double distance_of(DicomSlice const& slice, DicomSlice const& next) {
  return *next.position - *slice.position;
}

/// The distance of neighbours. Throws BadInput where one is missing, or stands twice.
double even_distance(std::vector<DicomSlice> const& slices) {
  std::vector<double> distances;
  for (std::size_t i = 1; i < slices.size(); ++i)
    distances.push_back(distance_of(slices[i - 1], slices[i]));
  std::ranges::sort(distances);
  double const usual = distances[distances.size() / 2];
  constexpr double rounding = 0.02;  // positions have few digits
  for (std::size_t i = 1; i < slices.size(); ++i) {
    double const distance = distance_of(slices[i - 1], slices[i]);
    if (std::abs(distance - usual) <= rounding * usual) continue;
    double const missing = usual > 0 ? std::round(distance / usual) - 1 : 0;
    throw BadInput(fmt::format(
        "{} and {} are {:g} mm apart, most slices {:g} mm: {}", slices[i - 1].path.string(),
        slices[i].path.filename().string(), distance, usual,
        missing < 1   ? "one is too many"
        : missing < 2 ? "one is missing between them"
                      : fmt::format("{:.0f} are missing between them", missing)));
  }
  DicomSlice const& first = slices.front();
  double const mean =
      (*slices.back().position - *first.position) / static_cast<double>(slices.size() - 1);
  if (mean <= 0)
    throw BadInput(fmt::format(
        "{}: all slices stand at one place (ImagePositionPatient): several times or channels?",
        first.path.string()));
  if (first.distance && mean > 1.5 * *first.distance) {
    throw BadInput(
        fmt::format("{}: slices are {:g} mm apart, but say {:g} mm "
                    "(SpacingBetweenSlices): some are missing between them",
                    first.path.string(), mean, *first.distance));
  }
  return mean;
}

/// In the order of their positions; where they have none, as their names are numbered. Returns the
/// distance, if it is known.
std::optional<double> sort_slices(std::vector<DicomSlice>& slices) {
  if (slices.size() == 1) return std::nullopt;
  bool const placed = std::ranges::any_of(slices, [&](DicomSlice const& s) {
    return s.position && s.position != slices.front().position;
  });
  if (placed) {
    std::ranges::sort(slices, {}, [](DicomSlice const& slice) { return *slice.position; });
    return even_distance(slices);
  }
  if (slices.front().position) even_distance(slices);  // refuses
  std::vector<fs::path> paths(slices.size());
  std::ranges::transform(slices, paths.begin(), &DicomSlice::path);
  auto const order = in_numbered_order(paths);
  std::ranges::sort(slices, {}, [&](DicomSlice const& slice) {
    return std::ranges::find(order, slice.path) - order.begin();
  });
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> find_dicom_files(fs::path const& folder) {
  std::error_code failure;
  std::vector<fs::path> files;
  std::optional<fs::path> tiff;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (is_tiff_name(it->path())) tiff = it->path();
    if (is_dicom(it->path()) && !is_dicom_directory(it->path())) files.push_back(it->path());
  }
  std::ranges::sort(files);
  if (tiff && !files.empty()) {
    throw BadInput(
        fmt::format("{}: TIFF and DICOM files beside each other ({}, {}): slices of one "
                    "kind were expected",
                    folder.string(), tiff->filename().string(), files.front().filename().string()));
  }
  return files;
}

Image read_dicom_series(std::vector<fs::path> const& files, std::optional<Int3> shape) {
  std::vector<DicomSlice> slices;
  for (fs::path const& file : files) {
    slices.push_back(read_dicom_slice(file));
    require_alike(slices.front(), slices.back());
  }
  auto const distance = sort_slices(slices);
  DicomSlice const& first = slices.front();
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
        for (DicomSlice& slice : slices) {
          auto const part = std::get<std::vector<T>>(std::exchange(slice.voxels, {}));
          values.insert(values.end(), part.begin(), part.end());
          image.files.push_back(slice.path);
        }
      },
      image.voxels);
  if (first.spacing.empty()) return image;
  auto const edge = distance ? distance : first.distance ? first.distance : first.thickness;
  if (!edge && slices.size() > 1) {
    image.doubtful_edges = "it does not say how far apart its slices are";
    return image;
  }
  constexpr double millimetre = 1e-3;  // by the standard
  note_edges(image,
             {.values = {first.spacing[0], first.spacing[1], edge.value_or(first.spacing[1])},
              .where = "PixelSpacing",
              .unit_m = millimetre,
              .unknown_unit = {}});
  return image;
}

}  // namespace tessera
