// SPDX-License-Identifier: MIT
// Numbered 2-D TIFF slices as one volume. A slice too few or in the wrong place gives a plausible
// image that is wrong, so the names have to prove that they are one whole sequence.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "io/element_type.hpp"
#include "io/image_format.hpp"
#include "io/image_readers.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A file name taken apart: text[0] number[0] text[1] number[1] ... text[n].
struct NumberedName {
  fs::path path;
  std::vector<std::string> texts;
  std::vector<std::uint64_t> numbers;

  std::string name() const { return path.filename().string(); }
};

NumberedName take_apart(fs::path const& path) {
  NumberedName result{path, {""}, {}};
  std::string const name = path.filename().string();
  char const* const end = name.data() + name.size();
  for (char const* at = name.data(); at != end;) {
    std::uint64_t number = 0;
    auto const [next, error] = std::from_chars(at, end, number);
    if (error == std::errc::result_out_of_range) {
      throw BadInput(
          fmt::format("{}: the number in its name is too long for a slice", path.string()));
    }
    if (error == std::errc{}) {
      result.numbers.push_back(number);
      result.texts.emplace_back();
      at = next;
    } else {
      result.texts.back() += *at++;
    }
  }
  return result;
}

std::vector<NumberedName> list_slices(fs::path const& folder, std::string const& pattern) {
  std::error_code failure;
  std::vector<NumberedName> slices;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    std::string const name = it->path().filename().string();
    bool const wanted = pattern.empty() ? is_tiff_name(it->path()) && !name.starts_with('.')
                                        : ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
    if (wanted) slices.push_back(take_apart(it->path()));
  }
  if (failure) throw BadInput(fmt::format("{}: {}", folder.string(), failure.message()));
  return slices;
}

/// The place of the one number that differs between the names.
std::size_t find_counter(std::vector<NumberedName> const& slices) {
  NumberedName const& first = slices.front();
  std::vector<std::size_t> differing;
  for (std::size_t place = 0; place < first.numbers.size(); ++place) {
    bool const differs = std::ranges::any_of(slices, [&](NumberedName const& slice) {
      return slice.numbers.size() > place && slice.numbers[place] != first.numbers[place];
    });
    if (differs) differing.push_back(place);
  }
  auto const stranger = std::ranges::find_if(
      slices, [&](NumberedName const& slice) { return slice.texts != first.texts; });
  if (stranger != slices.end()) {
    throw BadInput(fmt::format(
        "{} and {} are not slices of one numbered sequence; choose with a pattern such as "
        "'{}*.tif'",
        first.path.string(), stranger->name(), first.texts.front()));
  }
  if (differing.size() != 1) {
    throw BadInput(fmt::format(
        "{} and the other {} slices differ in {} numbers of their names, one was expected",
        first.path.string(), slices.size() - 1, differing.size()));
  }
  return differing.front();
}

std::vector<fs::path> ordered(std::vector<NumberedName> slices) {
  if (slices.size() > 1) {
    std::size_t const counter = find_counter(slices);
    std::ranges::sort(slices, {},
                      [&](NumberedName const& slice) { return slice.numbers[counter]; });
    for (std::size_t i = 1; i < slices.size(); ++i) {
      std::uint64_t const before = slices[i - 1].numbers[counter];
      std::uint64_t const number = slices[i].numbers[counter];
      if (number == before) {
        throw BadInput(fmt::format("{} and {} have the same number", slices[i - 1].path.string(),
                                   slices[i].name()));
      }
      if (number != before + 1) {
        std::string const missing =
            number == before + 2 ? fmt::format("slice {} is", before + 1)
                                 : fmt::format("slices {} to {} are", before + 1, number - 1);
        throw BadInput(fmt::format("{} missing between {} and {}", missing,
                                   slices[i - 1].path.string(), slices[i].name()));
      }
    }
  }
  std::vector<fs::path> paths(slices.size());
  std::ranges::transform(slices, paths.begin(), &NumberedName::path);
  return paths;
}

}  // namespace

std::vector<fs::path> find_slices(fs::path const& folder_or_pattern) {
  std::error_code ignored;
  bool const whole_folder = fs::is_directory(folder_or_pattern, ignored);
  fs::path folder = whole_folder ? folder_or_pattern : folder_or_pattern.parent_path();
  if (folder.empty()) folder = ".";
  auto slices = list_slices(folder, whole_folder ? "" : folder_or_pattern.filename().string());
  if (slices.empty())
    throw BadInput(fmt::format("{}: no TIFF or DICOM slices there", folder_or_pattern.string()));
  return ordered(std::move(slices));
}

std::vector<fs::path> in_numbered_order(std::vector<fs::path> const& paths) {
  std::vector<NumberedName> slices(paths.size());
  std::ranges::transform(paths, slices.begin(), take_apart);
  return ordered(std::move(slices));
}

Image read_slices(std::vector<fs::path> const& slices, std::optional<Int3> shape,
                  LayersWanted const& wanted) {
  Image image = read_tiff_image(slices.front(), std::nullopt);
  auto const require_flat = [](fs::path const& path, Image const& slice) {
    if (slice.shape.z == 1) return;
    throw BadInput(fmt::format("{} has {} pages, one slice a file was expected", path.string(),
                               slice.shape.z));
  };
  require_flat(slices.front(), image);
  Int3 const flat = image.shape;
  image.shape.z = static_cast<std::int64_t>(slices.size());
  image.files = slices;
  require_shape(slices.front().parent_path(), image.shape, shape);
  LayerRange const kept = note_layers(image, wanted);
  image.format = fmt::format("{} TIFF files, the first: {}", slices.size(), image.format);
  std::visit(
      [&]<typename T>(std::vector<T>& voxels) {
        checked_volume(image.shape, slices.front());
        if (kept.lower > 0 || kept.count() == 0) voxels.clear();  // the first one told the type
        voxels.reserve(static_cast<std::size_t>(flat.x * flat.y * kept.count()));
        auto const end = static_cast<std::size_t>(kept.upper);
        for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(kept.lower, 1)); i < end;
             ++i) {
          Image const slice = read_tiff_image(slices[i], std::nullopt);
          require_flat(slices[i], slice);
          auto const* const values = std::get_if<std::vector<T>>(&slice.voxels);
          if (values == nullptr || !(slice.shape == flat)) {
            throw BadInput(fmt::format("{} is {} x {} ({}), but {} is {} x {}", slices[i].string(),
                                       slice.shape.x, slice.shape.y, slice.format,
                                       slices.front().filename().string(), flat.x, flat.y));
          }
          voxels.insert(voxels.end(), values->begin(), values->end());
        }
      },
      image.voxels);
  return image;
}

}  // namespace tessera
