// SPDX-License-Identifier: MIT
#include "io/images/vtk/vti_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/vtk/vti_array.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Points from `lower` up to, but not including, `upper`.
struct VtiBox {
  Int3 lower;
  Int3 upper;

  bool empty() const { return upper.x <= lower.x || upper.y <= lower.y || upper.z <= lower.z; }
  bool operator==(VtiBox const&) const = default;
};

/// The cells between these points; of an axis of one point there is one, too.
VtiBox cells_between(VtiBox points) {
  for (Axis const axis : all_axes) {
    if (points.upper[axis] - points.lower[axis] > 1) --points.upper[axis];
  }
  return points;
}

VtiBox common(VtiBox const& a, VtiBox const& b) {
  VtiBox box;
  for (Axis const axis : all_axes) {
    box.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    box.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
  }
  return box;
}

/// Whether boxes that may overlap leave nothing of `whole` free: where their corners cut it, each
/// part is in one of them or in none.
bool fill(VtiBox const& whole, std::vector<VtiBox> const& boxes) {
  std::array<std::vector<std::int64_t>, 3> cuts;
  for (Axis const axis : all_axes) {
    auto& along = cuts[index_of(axis)];
    for (VtiBox const& box : boxes) along.insert(along.end(), {box.lower[axis], box.upper[axis]});
    along.insert(along.end(), {whole.lower[axis], whole.upper[axis]});
    std::ranges::sort(along);
    along.erase(std::ranges::unique(along).begin(), along.end());
  }
  auto const parts = [&](Axis axis) {
    return static_cast<std::int64_t>(cuts[index_of(axis)].size()) - 1;
  };
  Int3 const grid{parts(Axis::x), parts(Axis::y), parts(Axis::z)};
  auto const place = [&](Axis axis, std::int64_t cut) {
    auto const& along = cuts[index_of(axis)];
    return std::ranges::lower_bound(along, cut) - along.begin();
  };
  std::vector<bool> taken(static_cast<std::size_t>(volume(grid)), false);
  auto const for_each_part = [&](VtiBox const& box, auto&& take) {
    for (auto z = place(Axis::z, box.lower.z); z < place(Axis::z, box.upper.z); ++z) {
      for (auto y = place(Axis::y, box.lower.y); y < place(Axis::y, box.upper.y); ++y) {
        for (auto x = place(Axis::x, box.lower.x); x < place(Axis::x, box.upper.x); ++x)
          take(linear_index(grid, {x, y, z}));
      }
    }
  };
  for (VtiBox const& box : boxes) for_each_part(box, [&](std::size_t i) { taken[i] = true; });
  bool all = true;
  for_each_part(whole, [&](std::size_t i) { all = all && taken[i]; });
  return all;
}

/// An XML image, of which the values behind <AppendedData> stay in the file.
class VtiFile {
 public:
  explicit VtiFile(fs::path const& path)
      : path_(path), stored_(readable_file_size(path)), stream_(path, std::ios::binary) {
    header_ = text_before_appended();
    if (!document_.load_buffer_inplace(header_.data(), header_.size()))
      refuse("truncated or damaged: it is not the XML of an image");
    root_ = document_.child("VTKFile");
    image_ = root_.child("ImageData");
    encoding_ = {
        .big_endian = std::string_view(root_.attribute("byte_order").as_string()) == "BigEndian",
        .packed = *root_.attribute("compressor").as_string() != '\0',
        .word = std::string_view(root_.attribute("header_type").as_string()) == "UInt64"
                    ? std::size_t{8}
                    : std::size_t{4}};
  }

  void require_whole() {
    if (auto const times = words(image_.attribute("TimeValues").as_string()).size(); times > 1)
      refuse(fmt::format("{} times, one was expected", times));
    VtiBox const whole = box_of(image_, "WholeExtent");
    checked_volume(whole.upper - whole.lower, path_);
    std::vector<VtiBox> boxes;
    for (pugi::xml_node const piece : image_.children("Piece")) {
      VtiBox const box = box_of(piece, "Extent");
      if (box.empty()) continue;
      ++piece_;
      if (common(box, whole) != box)
        refuse(fmt::format("piece {} reaches beyond the whole", piece_));
      boxes.push_back(box);
      require_arrays(piece, box);
    }
    require_filled(whole, boxes);
    // VTK copies the bytes of one piece into those of the whole.
    if (piece_ > 1 && bits_) refuse("bits in several pieces: bytes, or one piece, were expected");
  }

 private:
  [[noreturn]] void refuse(std::string const& why) const {
    throw BadInput(fmt::format("{}: {}", path_.string(), why));
  }

  std::string bytes_at(std::uint64_t at, std::size_t count) {
    std::string bytes(
        static_cast<std::size_t>(std::min<std::uint64_t>(count, stored_ - std::min(at, stored_))),
        '\0');
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(at));
    stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  /// Also finds where the values begin and end, if they stand behind.
  std::string text_before_appended() {
    constexpr std::string_view tag = "<AppendedData";
    constexpr std::size_t block = 1U << 20U;
    std::string text;
    for (std::size_t from = 0; text.find(tag, from) == std::string::npos;) {
      if (text.size() >= stored_) return text;
      from = text.size() - std::min(text.size(), tag.size());
      text += bytes_at(text.size(), block);
    }
    std::size_t const begin = text.find(tag);
    std::string const rest = bytes_at(begin, block);
    std::size_t const mark = rest.find('_', rest.find('>'));
    std::size_t const tail = std::min<std::size_t>(stored_, block);
    std::size_t const end = bytes_at(stored_ - tail, tail).rfind("</AppendedData>");
    if (mark == std::string::npos || end == std::string::npos)
      refuse("truncated or damaged: its values have no end");
    appended_raw_ = rest.substr(0, mark).find("raw") != std::string::npos;
    appended_begin_ = begin + mark + 1;
    appended_end_ = stored_ - tail + end;
    return text.substr(0, begin) + "</VTKFile>";
  }

  static std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    constexpr std::string_view between = " \t\r\n";
    for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
      std::size_t const end = std::min(text.find_first_of(between, at), text.size());
      found.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(between, end);
    }
    return found;
  }

  VtiBox box_of(pugi::xml_node node, char const* key) const {
    std::string_view const text = node.attribute(key).as_string();
    std::vector<std::int32_t> numbers;
    for (std::string_view const word : words(text)) {
      std::int32_t number = 0;
      char const* const end = std::to_address(word.end());
      if (auto const read = std::from_chars(std::to_address(word.begin()), end, number);
          read.ptr == end && read.ec == std::errc{})
        numbers.push_back(number);
    }
    if (numbers.size() != 6) {
      refuse(fmt::format("{} '{}' of its {}: six whole numbers were expected", key, printable(text),
                         node.name()));
    }
    VtiBox box;
    for (Axis const axis : all_axes) {
      box.lower[axis] = numbers[2 * index_of(axis)];
      box.upper[axis] = std::int64_t{numbers[2 * index_of(axis) + 1]} + 1;
    }
    return box;
  }

  /// Each array of the piece, and the same ones as in the first.
  void require_arrays(pugi::xml_node piece, VtiBox const& points) {
    std::vector<std::string> found;
    for (char const* const of : {"PointData", "CellData"}) {
      VtiBox const box = *of == 'P' ? points : cells_between(points);
      auto const values = static_cast<std::uint64_t>(volume(box.upper - box.lower));
      for (pugi::xml_node const array : piece.child(of).children("DataArray")) {
        std::string const name = array.attribute("Name").as_string();
        std::string const type = array.attribute("type").as_string();
        found.push_back(fmt::format("{} {} ({})", of, printable(name), printable(type)));
        if (std::ranges::count(found, found.back()) > 1)
          refuse(fmt::format("several arrays {} in a piece, as of several times", found.back()));
        auto const each =
            std::max<std::uint64_t>(array.attribute("NumberOfComponents").as_ullong(1), 1);
        auto const fault = fault_of(array, type, values * each);
        if (!fault.empty())
          refuse(fmt::format("array {} of piece {} {}", printable(name), piece_, fault));
      }
    }
    if (piece_ == 1) arrays_ = found;
    if (found == arrays_) return;
    refuse(fmt::format("piece {} has the arrays {}, but the first has {}", piece_,
                       joined(found, ", "), joined(arrays_, ", ")));
  }

  std::string fault_of(pugi::xml_node array, std::string const& type, std::uint64_t values) {
    std::string_view const format = array.attribute("format").as_string();
    std::string_view const text = array.text().get();
    std::size_t const bytes_each = bytes_of_vti_type(type);
    bool const bits = type == "Bit";
    bits_ = bits_ || bits;
    if (bytes_each == 0 && !bits) return fmt::format("is of an unknown type {}", printable(type));
    if (format == "ascii") return fault_of_vti_text(text, type, values);
    std::uint64_t const bytes = bits ? (values + 7) / 8 : values * bytes_each;
    VtiBytes stored;
    if (format == "appended") {
      std::uint64_t const at = appended_begin_ + array.attribute("offset").as_ullong(0);
      if (at > appended_end_) return "begins behind the end of all";
      stored = {.base64 = !appended_raw_,
                .stored = appended_end_ - at,
                .first = [this, at](std::size_t count) { return bytes_at(at, count); }};
    } else {
      std::size_t const begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
      std::string_view const encoded = text.substr(begin);
      stored = {.base64 = true, .stored = encoded.size(), .first = [encoded](std::size_t count) {
                  return std::string(encoded.substr(0, count));
                }};
    }
    return fault_of_vti_bytes(stored, encoding_, bytes);
  }

  void require_filled(VtiBox const& whole, std::vector<VtiBox> const& pieces) const {
    bool const of_points = std::ranges::any_of(
        arrays_, [](std::string const& array) { return array.starts_with("PointData"); });
    bool const of_cells = std::ranges::any_of(
        arrays_, [](std::string const& array) { return array.starts_with("CellData"); });
    std::vector<VtiBox> cells(pieces.size());
    std::ranges::transform(pieces, cells.begin(), cells_between);
    bool const filled =
        (!of_points || fill(whole, pieces)) && (!of_cells || fill(cells_between(whole), cells));
    if (!filled) {
      refuse(fmt::format("its {} piece{} not fill its whole extent: a part is missing",
                         pieces.size(), pieces.size() == 1 ? " does" : "s do"));
    }
  }

  fs::path path_;
  std::uint64_t stored_;
  std::ifstream stream_;
  bool appended_raw_ = false;
  std::uint64_t appended_begin_ = 0;
  std::uint64_t appended_end_ = 0;
  std::string header_;  ///< in which the document stands
  pugi::xml_document document_;
  pugi::xml_node root_;
  pugi::xml_node image_;
  VtiEncoding encoding_;
  std::size_t piece_ = 0;  ///< that is looked at, from 1
  bool bits_ = false;
  std::vector<std::string> arrays_;
};

}  // namespace

void require_whole_vti(fs::path const& path) { VtiFile(path).require_whole(); }

}  // namespace tessera
