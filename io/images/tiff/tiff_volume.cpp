// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "io/images/image_readers.hpp"
#include "io/images/tiff/tiff_ome.hpp"
#include "io/images/tiff/tiff_pieces.hpp"
#include "io/images/tiff/tiff_voxel_size.hpp"
#include "io/json.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

std::vector<std::int64_t> without_ones(std::vector<std::int64_t> extents) {
  std::erase(extents, 1);
  return extents;
}

/// The array that tifffile describes beside a page. Old versions wrote shape=(16, 20, 24).
std::optional<TiffArray> array_of_page(TiffFile const& file, std::int64_t page) {
  std::string text = file.description();
  if (constexpr std::string_view early = "shape=("; text.starts_with(early)) {
    std::string extents = text.substr(early.size(), text.find(')') - early.size());
    if (extents.ends_with(',')) extents.pop_back();
    text = fmt::format("{{\"shape\": [{}]}}", extents);
  }
  if (!text.starts_with('{') || text.find("\"shape\":") == std::string::npos) return std::nullopt;
  TiffArray array{.page = page, .shape = {}, .axes = {}};
  try {
    auto const said = nlohmann::json::parse(text);
    array.shape = said.at("shape").get<std::vector<std::int64_t>>();
    if (said.contains("axes") && said["axes"].is_string()) array.axes = said["axes"];
    if (said.value("truncated", false)) {
      file.refuse("several slices in one page in the manner of tifffile; save it page by page");
    }
  } catch (nlohmann::json::exception const&) {
    file.refuse(fmt::format("its description is damaged: {}", printable(text)));
  }
  return array;
}

/// Refuses MetaMorph's stacks: one page stands for all slices, which follow its own.
void require_no_metamorph_stack(TiffFile const& file) {
  constexpr std::uint32_t tag_uic2 = 33629;
  std::uint32_t slices = 0;
  void* values = nullptr;
  if (TIFFGetField(file.get(), tag_uic2, &slices, &values) == 1 && slices > 1) {
    file.refuse(
        fmt::format("a MetaMorph stack of {} slices in one page; save it page by page", slices));
  }
}

void require_slice_of(TiffFile const& file, PageLayout const& first, std::int64_t page) {
  PageLayout const found = layout_of_page(file);
  if (found.goes_with(first)) return;
  file.refuse(
      fmt::format("page {} is {}, but the first page is {}", page, found.text(), first.text()));
}

/// Extents as in "2 x 16 x 20 x 24".
std::string extents_text(std::vector<std::int64_t> const& shape) {
  std::vector<std::string> extents;
  extents.reserve(shape.size());
  for (std::int64_t const extent : shape) extents.push_back(fmt::format("{}", extent));
  return joined(extents, " x ");
}

/// How many pages an array takes. Throws BadInput unless they are slices of one volume.
std::int64_t pages_of(TiffFile const& file, PageLayout const& layout, TiffArray const& array) {
  auto const said = without_ones(array.shape);
  auto const page = without_ones({layout.height, layout.width});
  if (said.size() < page.size() || !std::equal(page.rbegin(), page.rend(), said.rbegin())) {
    file.refuse(fmt::format("its header says an array of {}, but its pages are {}",
                            extents_text(array.shape), layout.text()));
  }
  std::size_t const across = said.size() - page.size();
  if (across > 1) {
    file.refuse(fmt::format("an array of {} in it, one volume [z, y, x] was expected",
                            extents_text(array.shape)));
  }
  auto const along = std::ranges::find_if(array.shape, [](std::int64_t n) { return n != 1; });
  auto const letter = static_cast<std::size_t>(along - array.shape.begin());
  if (across == 1 && letter < array.axes.size() && array.axes[letter] == 'C') {
    file.refuse(fmt::format("{} channels, an image of one channel was expected", said.front()));
  }
  return across == 1 ? said.front() : 1;
}

/// Refuses several arrays, unless each has one page: these are slices written one by one.
void require_one_array(TiffFile const& file, TiffPages const& pages) {
  if (pages.arrays.empty()) return;
  std::vector<std::int64_t> slices;
  slices.reserve(pages.arrays.size());
  for (TiffArray const& array : pages.arrays) slices.push_back(pages_of(file, pages.layout, array));
  bool const one_by_one = std::ranges::all_of(slices, [](std::int64_t n) { return n == 1; }) &&
                          static_cast<std::int64_t>(slices.size()) == pages.count;
  if (one_by_one || (slices.size() == 1 && slices.front() == pages.count)) return;
  if (slices.size() > 1) {
    file.refuse(
        fmt::format("{} arrays in it, the first of {} and one of {} from page {} on; one "
                    "volume was expected",
                    slices.size(), extents_text(pages.arrays[0].shape),
                    extents_text(pages.arrays[1].shape), pages.arrays[1].page + 1));
  }
  file.refuse(fmt::format("its header says an array of {}, but it holds {} pages",
                          extents_text(pages.arrays.front().shape), pages.count));
}

/// A number of ImageJ's description as a count; 0 if it is out of range.
std::int64_t imagej_count(std::string_view description, std::string_view key,
                          std::int64_t fallback) {
  double const count = imagej_number(description, key, static_cast<double>(fallback));
  constexpr double most = 1e15;
  return count > -most && count < most ? static_cast<std::int64_t>(count) : 0;
}

/// How many slices ImageJ says there are; nothing where it does not say so.
std::optional<std::int64_t> imagej_slices(TiffFile const& file, std::string const& description) {
  if (!description.starts_with("ImageJ=")) return std::nullopt;
  constexpr std::int64_t unsaid = -1;
  auto const images = imagej_count(description, "images", unsaid);
  auto const channels = imagej_count(description, "channels", 1);
  auto const slices = imagej_count(description, "slices", 1);
  auto const frames = imagej_count(description, "frames", 1);
  if (channels > 1)
    file.refuse(fmt::format("{} channels, an image of one channel was expected", channels));
  if (frames > 1 && slices > 1)
    file.refuse(fmt::format("{} frames in time, one volume was expected", frames));
  std::int64_t const along = std::max(slices, frames);
  if (images == unsaid) return along > 1 ? std::optional(along) : std::nullopt;
  if (along > 1 && along != images) {
    file.refuse(fmt::format("its ImageJ header says {} images, but {} slices", images, along));
  }
  return images;
}

/// Number of slices where one page stands for all of them. Other bytes may stand behind the page,
/// but no further slices that the header does not mention.
std::int64_t slices_in_one_page(TiffFile const& file, TiffPages const& pages, std::uintmax_t stored,
                                std::optional<std::int64_t> said) {
  auto const page = pages.layout.page_bytes();
  bool const plain = pages.layout.compression == COMPRESSION_NONE &&
                     TIFFCurrentDirOffset(file.get()) < pages.end_of_voxels;
  std::uintmax_t const behind = stored - std::min<std::uintmax_t>(pages.end_of_voxels, stored);
  if (said.value_or(1) > 1) return *said;
  if (plain && behind >= page && behind % page == 0) {
    file.refuse(
        fmt::format("one page of {}, but the {} bytes behind it would be {} more, of which "
                    "its header does not speak",
                    pages.layout.text(), behind, behind / page));
  }
  return 1;
}

/// Refuses pages numbered 0 to n - 1 in another order than they stand in. Other numbers come from
/// elsewhere and say nothing.
void require_order_of_numbers(TiffFile const& file, TiffPages const& pages) {
  auto const count = static_cast<std::size_t>(pages.count);
  constexpr std::uint16_t too_many = 65535;  // the largest number of the tag
  if (count < 2 || pages.numbers.size() != count || count > too_many) return;
  std::vector<std::uint16_t> expected(count);
  std::iota(expected.begin(), expected.end(), std::uint16_t{0});
  bool const in_order = pages.numbers == expected;
  if (in_order && pages.numbered_of > count && pages.numbered_of != too_many) {
    file.refuse(
        fmt::format("its pages are numbered as the first {} of {}", count, pages.numbered_of));
  }
  if (in_order || !std::ranges::is_permutation(pages.numbers, expected)) return;
  auto const first = std::ranges::mismatch(pages.numbers, expected).in1;
  file.refuse(fmt::format("its pages are numbered in another order: page {} is number {}",
                          first - pages.numbers.begin() + 1, *first + 1));
}

}  // namespace

TiffPages look_through_pages(TiffFile const& file, std::uintmax_t stored) {
  TiffPages pages;
  pages.layout = layout_of_page(file);
  // The file has to hold as many bytes before memory is allocated for what the header says.
  if (pages.layout.compression == COMPRESSION_NONE && pages.layout.page_bytes() > stored) {
    file.refuse(fmt::format("truncated: {} bytes, but a page alone has {}", stored,
                            pages.layout.page_bytes()));
  }
  pages.description = file.description();
  TiffPieces pieces(file.path(), stored);
  for (std::int64_t page = 0;; ++page) {
    if (!file.complaint().empty()) file.refuse("truncated or damaged TIFF file");
    require_slice_of(file, pages.layout, page + 1);
    pieces.add(file, pages.layout, page + 1);
    require_no_metamorph_stack(file);
    if (auto array = array_of_page(file, page)) pages.arrays.push_back(std::move(*array));
    std::uint16_t number = 0;
    if (TIFFGetField(file.get(), TIFFTAG_PAGENUMBER, &number, &pages.numbered_of) == 1)
      pages.numbers.push_back(number);
    pages.count = page + 1;
    if (TIFFLastDirectory(file.get()) != 0) break;
    if (TIFFReadDirectory(file.get()) != 1) file.refuse("truncated or damaged TIFF file");
  }
  if (TIFFSetDirectory(file.get(), 0) != 1) file.refuse("truncated or damaged TIFF file");
  pieces.require_apart(file);
  pages.end_of_voxels = pieces.end();
  return pages;
}

TiffVolume volume_of(TiffFile const& file, TiffPages const& pages, bool one_of_many) {
  TiffVolume volume;
  volume.slices = pages.count;
  volume.slice_of_page.resize(static_cast<std::size_t>(pages.count));
  std::iota(volume.slice_of_page.begin(), volume.slice_of_page.end(), 0);
  if (!one_of_many || pages.count > 1) require_one_array(file, pages);
  require_order_of_numbers(file, pages);
  if (is_ome(pages.description)) {
    OmeHeader const header(file);
    if (one_of_many && pages.count == 1) {
      volume.place = header.place_of_page();
    } else {
      volume.slice_of_page = header.slice_of_page(pages.layout, pages.count);
    }
    return volume;
  }
  auto const said = imagej_slices(file, pages.description);
  if (pages.count == 1) {
    volume.slices = slices_in_one_page(file, pages, readable_file_size(file.path()), said);
  } else if (said.value_or(1) > 1 && *said != pages.count) {
    file.refuse(
        fmt::format("its ImageJ header says {} images, but it holds {} pages", *said, pages.count));
  }
  return volume;
}

}  // namespace tessera
