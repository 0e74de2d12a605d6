// SPDX-License-Identifier: MIT
// Numbered 2-D slices as one volume. A missing or misplaced slice gives a plausible but wrong
// image, so the names have to be one whole sequence of numbers.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_format.hpp"
#include "io/images/image_readers.hpp"

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

std::vector<fs::path> files_in(fs::path const& folder) {
  std::error_code failure;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    files.push_back(it->path());
  }
  if (failure) throw BadInput(fmt::format("{}: {}", folder.string(), failure.message()));
  return files;
}

std::vector<NumberedName> slices_by_pattern(fs::path const& folder, std::string const& pattern) {
  std::vector<NumberedName> slices;
  for (fs::path const& file : files_in(folder)) {
    if (::fnmatch(pattern.c_str(), file.filename().c_str(), FNM_PERIOD) == 0)
      slices.push_back(take_apart(file));
  }
  return slices;
}

struct Stack {
  ImageFormat format;
  std::vector<fs::path> files;
};

/// Refuses pictures of another format whose names make them look like one more of the slices.
void require_end_of(Stack const& slices, Stack const& others) {
  auto const without_extension = [](fs::path const& path) {
    return take_apart(path.parent_path() / path.stem());
  };
  std::vector<NumberedName> found;
  found.reserve(slices.files.size());
  for (fs::path const& file : slices.files) found.push_back(without_extension(file));
  for (fs::path const& file : others.files) {
    NumberedName const other = without_extension(file);
    bool const alike = std::ranges::any_of(
        found, [&](NumberedName const& slice) { return slice.texts == other.texts; });
    bool const there = std::ranges::any_of(
        found, [&](NumberedName const& slice) { return slice.numbers == other.numbers; });
    if (!alike || there) continue;
    throw BadInput(
        fmt::format("{} is a {} file, and seems to be one more slice beside the {} {} "
                    "files there: slices of one format were expected",
                    file.string(), name_of_slice_format(others.format), slices.files.size(),
                    name_of_slice_format(slices.format)));
  }
}

/// Slices in a folder: the TIFF files, which often lie beside pictures made of them, or else the
/// files of the only format there.
std::vector<NumberedName> slices_of_folder(fs::path const& folder) {
  std::vector<Stack> stacks;
  for (ImageFormat const format : {ImageFormat::tiff, ImageFormat::png, ImageFormat::bmp}) {
    Stack stack{format, {}};
    for (fs::path const& file : files_in(folder)) {
      bool const hidden = file.filename().string().starts_with('.');
      if (!hidden && format_of_slice_name(file) == format) stack.files.push_back(file);
    }
    if (!stack.files.empty()) stacks.push_back(std::move(stack));
  }
  if (stacks.empty()) return {};
  bool const chosen = stacks.size() == 1 || (stacks.front().format == ImageFormat::tiff &&
                                             stacks.front().files.size() > 1);
  if (!chosen) {
    throw BadInput(
        fmt::format("{} holds {} {} and {} {} files: choose with a pattern such as '{}'",
                    folder.string(), stacks[0].files.size(), name_of_slice_format(stacks[0].format),
                    stacks[1].files.size(), name_of_slice_format(stacks[1].format),
                    (folder / ("*" + stacks[1].files.front().extension().string())).string()));
  }
  for (Stack const& others : stacks) {
    if (others.format != stacks.front().format) require_end_of(stacks.front(), others);
  }
  std::vector<NumberedName> slices(stacks.front().files.size());
  std::ranges::transform(stacks.front().files, slices.begin(), take_apart);
  return slices;
}

/// Which of the numbers in the names counts the slices: the only one that differs.
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
        "'{}[0-9]*{}'",
        first.path.string(), stranger->name(), first.texts.front(),
        first.path.extension().string()));
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
  auto slices = whole_folder ? slices_of_folder(folder)
                             : slices_by_pattern(folder, folder_or_pattern.filename().string());
  if (slices.empty()) {
    throw BadInput(
        fmt::format("{}: no TIFF, PNG, BMP or DICOM slices there", folder_or_pattern.string()));
  }
  return ordered(std::move(slices));
}

std::vector<fs::path> in_numbered_order(std::vector<fs::path> const& paths) {
  std::vector<NumberedName> slices(paths.size());
  std::ranges::transform(paths, slices.begin(), take_apart);
  return ordered(std::move(slices));
}

namespace {

SliceFile read_slice_file(fs::path const& path) {
  ImageFormat const format = format_of_slice(path);
  SliceFile slice = format == ImageFormat::png   ? read_png_slice(path)
                    : format == ImageFormat::bmp ? read_bmp_slice(path)
                                                 : read_tiff_slice(path);
  if (slice.image.shape.z == 1) return slice;
  throw BadInput(fmt::format("{} has {} pages, one slice a file was expected", path.string(),
                             slice.image.shape.z));
}

/// Refuses a slice whose shape, type or place does not go with those of the first slice.
void require_slice_like(SliceFile const& first, fs::path const& first_path, SliceFile const& slice,
                        fs::path const& path, std::size_t number) {
  Int3 const found = slice.image.shape;
  Int3 const expected = first.image.shape;
  if (!(found == expected) || slice.type != first.type) {
    throw BadInput(fmt::format("{} is {} x {} ({}), but {} is {} x {} ({})", path.string(), found.x,
                               found.y, slice.type, first_path.filename().string(), expected.x,
                               expected.y, first.type));
  }
  if (!first.place || !slice.place) return;
  auto const place = *slice.place - *first.place;
  if (place == static_cast<std::int64_t>(number)) return;
  throw BadInput(
      fmt::format("{} is slice {} by its OME header, but {} by its name and those of the "
                  "others",
                  path.string(), *slice.place, *first.place + static_cast<std::int64_t>(number)));
}

}  // namespace

Image read_slices(std::vector<fs::path> const& slices, std::optional<Int3> shape,
                  LayersWanted const& wanted) {
  SliceFile first = read_slice_file(slices.front());
  Image image = std::exchange(first.image, {.shape = first.image.shape});
  Int3 const flat = image.shape;
  image.shape.z = static_cast<std::int64_t>(slices.size());
  image.files = slices;
  require_shape(slices.front().parent_path(), image.shape, shape);
  LayerRange const kept = note_layers(image, wanted);
  if (slices.size() > 1) {
    auto const name = name_of_slice_format(format_of_slice(slices.front()));
    image.format = fmt::format("{} {} files, the first: {}", slices.size(), name, image.format);
  }
  std::visit(
      [&]<typename T>(std::vector<T>& voxels) {
        checked_volume(image.shape, slices.front());
        if (kept.lower > 0 || kept.count() == 0) voxels.clear();  // the first one told the type
        voxels.reserve(static_cast<std::size_t>(flat.x * flat.y * kept.count()));
        auto const end = static_cast<std::size_t>(kept.upper);
        for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(kept.lower, 1)); i < end;
             ++i) {
          SliceFile const slice = read_slice_file(slices[i]);
          require_slice_like(first, slices.front(), slice, slices[i], i);
          auto const& values = std::get<std::vector<T>>(slice.image.voxels);
          voxels.insert(voxels.end(), values.begin(), values.end());
        }
      },
      image.voxels);
  return image;
}

}  // namespace tessera
