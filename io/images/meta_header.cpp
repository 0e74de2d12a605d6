// SPDX-License-Identifier: MIT
#include "io/images/meta_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string_view without_blanks(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct NamedElement {
  std::string_view name;
  ElementType type;
};
constexpr std::array<NamedElement, 12> make_met_types() {
  using Kind = ElementType::Kind;
  return {{{"MET_CHAR", {Kind::signed_integer, 1}},
           {"MET_UCHAR", {Kind::unsigned_integer, 1}},
           {"MET_SHORT", {Kind::signed_integer, 2}},
           {"MET_USHORT", {Kind::unsigned_integer, 2}},
           {"MET_INT", {Kind::signed_integer, 4}},
           {"MET_UINT", {Kind::unsigned_integer, 4}},
           {"MET_LONG", {Kind::signed_integer, 4}},
           {"MET_ULONG", {Kind::unsigned_integer, 4}},
           {"MET_LONG_LONG", {Kind::signed_integer, 8}},
           {"MET_ULONG_LONG", {Kind::unsigned_integer, 8}},
           {"MET_FLOAT", {Kind::real, 4}},
           {"MET_DOUBLE", {Kind::real, 8}}}};
}
constexpr std::array met_types = make_met_types();

template <typename Number>
std::optional<Number> meta_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class MetaLines {
 public:
  explicit MetaLines(fs::path const& path) : path_(path), file_(path, std::ios::binary) {
    constexpr int most_lines = 1000;
    std::string line;
    for (int i = 0; i < most_lines && std::getline(file_, line); ++i) {
      std::string_view const whole = line;
      auto const sign = whole.find_first_of("=:");
      if (sign == std::string_view::npos) continue;
      std::string const key(without_blanks(whole.substr(0, sign)));
      std::string const value(without_blanks(whole.substr(sign + 1)));
      if (!values_.emplace(key, value).second)
        refuse(fmt::format("the line {} stands in it twice", printable(key)));
      if (key == "ElementDataFile") return;
    }
    throw BadInput(fmt::format("{}: a MetaImage without the line ElementDataFile", path.string()));
  }

  MetaHeader header() {
    require_image();
    MetaHeader header;
    read_shape(header);
    read_type(header);
    header.text = !flag("BinaryData").value_or(true);
    if (flag("CompressedData").value_or(false)) header.packing = Packing::deflate;
    header.skipped = whole("HeaderSize").value_or(0);
    if (header.skipped < -1 ||
        (header.skipped != 0 && (header.text || header.packing != Packing::none)))
      refuse(fmt::format("HeaderSize = {}: not understood here", header.skipped));
    read_spacing(header);
    read_files(header);
    if (header.text && header.packing != Packing::none) refuse("its voxels are text, and packed");
    if (header.files.size() > 1 && (header.text || header.packing != Packing::none))
      refuse("its voxels stand in several files, packed or as text: one was expected");
    return header;
  }

 private:
  [[noreturn]] void refuse(std::string const& why) const {
    throw BadInput(fmt::format("{}: {}", path_.string(), why));
  }

  /// A value as it may stand in a message.
  std::string shown(std::string const& key) const { return printable(value(key).substr(0, 80)); }

  std::string value(std::string const& key) const {
    auto const found = values_.find(key);
    return found == values_.end() ? std::string() : found->second;
  }

  /// Numbers of a line; none if it is not there.
  template <typename Number>
  std::vector<Number> numbers(std::string const& key) const {
    std::istringstream words(value(key));
    std::vector<Number> numbers;
    for (std::string word; words >> word;) {
      auto const number = meta_number<Number>(word);
      if (!number) refuse(fmt::format("{} = {}: expected numbers", key, shown(key)));
      numbers.push_back(*number);
    }
    return numbers;
  }

  std::optional<std::int64_t> whole(std::string const& key) const {
    auto const all = numbers<std::int64_t>(key);
    if (all.size() > 1) refuse(fmt::format("{}: expected one number", key));
    return all.empty() ? std::nullopt : std::optional(all.front());
  }

  std::optional<double> real(std::string const& key) const {
    auto const all = numbers<double>(key);
    if (all.size() > 1) refuse(fmt::format("{}: expected one number", key));
    return all.empty() ? std::nullopt : std::optional(all.front());
  }

  std::optional<bool> flag(std::string const& key) const {
    std::string const said = value(key);
    if (said.empty()) return std::nullopt;
    if (said.starts_with('T') || said.starts_with('t') || said == "1") return true;
    if (said.starts_with('F') || said.starts_with('f') || said == "0") return false;
    refuse(fmt::format("{} = {}: expected True or False", key, printable(said.substr(0, 80))));
  }

  void require_image() const {
    std::string const kind = value("ObjectType");
    if (!kind.empty() && kind != "Image")
      refuse(fmt::format("ObjectType = {}: expected Image", printable(kind.substr(0, 60))));
    if (auto const channels = whole("ElementNumberOfChannels"); channels && *channels != 1)
      refuse(fmt::format("{} values a voxel, one was expected", *channels));
    bool const scaled = real("ElementToIntensityFunctionSlope").value_or(1) != 1 ||
                        real("ElementToIntensityFunctionOffset").value_or(0) != 0;
    if (scaled)
      refuse(
          "ElementToIntensityFunctionSlope and Offset: values that are to be scaled are not "
          "read, store the scaled ones");
  }

  void read_shape(MetaHeader& header) const {
    auto const extents = numbers<std::int64_t>("DimSize");
    auto const axes = whole("NDims");
    if (extents.empty() || (axes && *axes != static_cast<std::int64_t>(extents.size())))
      refuse(fmt::format("NDims = {} and DimSize = {}: expected as many numbers", shown("NDims"),
                         shown("DimSize")));
    for (std::size_t a = all_axes.size(); a < extents.size(); ++a) {
      if (extents[a] != 1)
        refuse(fmt::format("{} axes (DimSize = {}), one volume was expected", extents.size(),
                           shown("DimSize")));
    }
    header.shape = {1, 1, 1};
    for (Axis const axis : all_axes) {
      if (index_of(axis) < extents.size()) header.shape[axis] = extents[index_of(axis)];
    }
  }

  void read_type(MetaHeader& header) const {
    std::string const said = value("ElementType");
    auto const* const known = std::ranges::find(met_types, said, &NamedElement::name);
    if (known == met_types.end()) {
      refuse(fmt::format("ElementType = {}: expected one of numbers, such as MET_UCHAR",
                         printable(said.substr(0, 80))));
    }
    header.type = known->type;
    header.long_is_4_or_8 = said == "MET_LONG" || said == "MET_ULONG";
    auto const big = flag("BinaryDataByteOrderMSB");
    auto const also = flag("ElementByteOrderMSB");
    if (big && also && *big != *also)
      refuse("BinaryDataByteOrderMSB and ElementByteOrderMSB say two orders of bytes");
    header.type.big_endian = big.value_or(also.value_or(false));
  }

  void read_spacing(MetaHeader& header) const {
    auto said = numbers<double>("ElementSpacing");
    if (said.empty()) said = numbers<double>("ElementSize");
    if (said.size() == 2) said.push_back(said.back());  // of a plane
    if (said.size() >= 3) std::copy_n(said.begin(), 3, header.spacing.begin());
  }

  fs::path beside(std::string const& name) const {
    if (std::ranges::any_of(name, [](unsigned char c) { return c < ' '; }))
      refuse(fmt::format("a file of voxels is called \"{}\"", printable(name.substr(0, 80))));
    fs::path const file = name;
    return file.is_absolute() ? file : path_.parent_path() / file;
  }

  void read_files(MetaHeader& header) {
    std::string const said = value("ElementDataFile");
    if (said == "LOCAL" || said == "Local" || said == "local") {
      header.files = {path_};
      if (!file_.good()) refuse("truncated: it ends before its voxels");
      if (header.skipped == 0) header.skipped = static_cast<std::int64_t>(file_.tellg());
    } else if (said.starts_with("LIST")) {
      if (auto const axes = without_blanks(said.substr(4)); !axes.empty() && axes != "2")
        refuse(fmt::format("ElementDataFile = {}: expected a plane in each file", printable(said)));
      for (std::string line; std::getline(file_, line);) {
        if (auto const name = without_blanks(line); !name.empty())
          header.files.push_back(beside(std::string(name)));
      }
      require_planes(header);
    } else if (said.find('%') != std::string::npos) {
      read_pattern(header, said);
      require_planes(header);
    } else {
      header.files = {beside(said)};
    }
  }

  /// "slice%03d.raw 1 16 1": first, last and step of the numbers.
  void read_pattern(MetaHeader& header, std::string const& said) const {
    std::istringstream words(said);
    std::string pattern;
    std::int64_t first = 0;
    std::int64_t last = -1;
    std::int64_t step = 1;
    words >> pattern >> first >> last;
    bool const whole_line = static_cast<bool>(words);
    words >> step;
    auto const begin = pattern.find('%');
    auto const end = pattern.find('d', begin);
    std::string const width =
        pattern.substr(begin + 1, end == std::string::npos ? 0 : end - begin - 1);
    bool const known = whole_line && step > 0 && end != std::string::npos &&
                       width.find_first_not_of("0123456789") == std::string::npos &&
                       width.size() <= 2 && (last - first) / step < header.shape.z;
    if (!known)
      refuse(
          fmt::format("ElementDataFile = {}: expected the name of a file, or one such as "
                      "slice%03d.raw 1 {} 1",
                      printable(said.substr(0, 80)), header.shape.z));
    std::string const format = fmt::format("{{:{}d}}", width);
    for (std::int64_t number = first; number <= last; number += step)
      header.files.push_back(beside(pattern.substr(0, begin) +
                                    fmt::format(fmt::runtime(format), number) +
                                    pattern.substr(end + 1)));
  }

  void require_planes(MetaHeader const& header) const {
    if (static_cast<std::int64_t>(header.files.size()) == header.shape.z) return;
    refuse(fmt::format("{} files of voxels, but {} planes", header.files.size(), header.shape.z));
  }

  fs::path path_;
  std::ifstream file_;  ///< behind the line ElementDataFile
  std::map<std::string, std::string> values_;
};

}  // namespace

MetaHeader read_meta_header(fs::path const& path) { return MetaLines(path).header(); }

}  // namespace tessera
