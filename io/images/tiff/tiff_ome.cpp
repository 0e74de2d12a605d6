// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_ome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/text.hpp"

namespace tessera {
namespace {

/// A node's name without the prefix of its name space.
std::string_view local_name(pugi::xml_node node) {
  std::string_view const name = node.name();
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

std::vector<pugi::xml_node> children_named(pugi::xml_node parent, std::string_view name) {
  std::vector<pugi::xml_node> found;
  for (pugi::xml_node const child : parent.children()) {
    if (local_name(child) == name) found.push_back(child);
  }
  return found;
}

pugi::xml_node child_named(pugi::xml_node parent, std::string_view name) {
  auto const found = children_named(parent, name);
  return found.empty() ? pugi::xml_node() : found.front();
}

}  // namespace

bool is_ome(std::string const& description) {
  return description.find("<OME") != std::string::npos ||
         description.find(":OME ") != std::string::npos;
}

OmeHeader::OmeHeader(TiffFile const& file) : file_(file) {
  if (!document_.load_string(file.description().c_str()))
    file.refuse("its OME header is damaged: XML was expected");
  root_ = child_named(document_.root(), "OME");
  auto const images = children_named(root_, "Image");
  if (auto const other = child_named(root_, "BinaryOnly")) {
    file.refuse(fmt::format("its OME header stands in {}: one file with all was expected",
                            printable(other.attribute("MetadataFile").as_string("another file"))));
  }
  if (images.size() != 1) {
    file.refuse(fmt::format("an OME-TIFF of {} images, one volume was expected", images.size()));
  }
  pixels_ = child_named(images.front(), "Pixels");
  for (auto const& [key, name] : {std::pair{"SizeC", "channels"}, {"SizeT", "times"}}) {
    auto const count = pixels_.attribute(key).as_llong(1);
    if (count != 1)
      file.refuse(fmt::format("an OME-TIFF of {} {}, one volume was expected", count, name));
  }
}

/// Whether planes are in this file. In a set of files they are given by file name and UUID; a
/// renamed file still has its UUID.
bool OmeHeader::is_here(pugi::xml_node data) const {
  pugi::xml_node const file = child_named(data, "UUID");
  if (!file) return true;
  std::string_view const number = file.child_value();
  std::string_view const own_number = root_.attribute("UUID").as_string();
  if (!own_number.empty() && !number.empty()) return number == own_number;
  std::string const name = file.attribute("FileName").as_string();
  return name.empty() || name == file_.path().filename().string();
}

std::string OmeHeader::elsewhere() const {
  for (pugi::xml_node const data : children_named(pixels_, "TiffData")) {
    if (is_here(data)) continue;
    return printable(child_named(data, "UUID").attribute("FileName").as_string("another file"));
  }
  return {};
}

std::vector<OmeHeader::Planes> OmeHeader::planes_here(std::int64_t pages) const {
  std::vector<Planes> found;
  for (pugi::xml_node const data : children_named(pixels_, "TiffData")) {
    if (!is_here(data)) continue;
    bool const says_page = static_cast<bool>(data.attribute("IFD"));
    found.push_back(
        {.first_slice = data.attribute("FirstZ").as_llong(0),
         .first_page = data.attribute("IFD").as_llong(0),
         .count = std::clamp<std::int64_t>(
             data.attribute("PlaneCount").as_llong(says_page ? 1 : pages), 0, pages + 1)});
  }
  return found;
}

std::vector<std::int64_t> OmeHeader::slice_of_page(PageLayout const& layout,
                                                   std::int64_t pages) const {
  auto const size = [&](char const* key, std::int64_t fallback) -> std::int64_t {
    return pixels_.attribute(key).as_llong(fallback);
  };
  if (size("SizeX", layout.width) != layout.width ||
      size("SizeY", layout.height) != layout.height) {
    file_.refuse(fmt::format("its OME header says slices of {} x {}, but its pages are {}",
                             size("SizeX", layout.width), size("SizeY", layout.height),
                             layout.text()));
  }
  std::int64_t const slices = size("SizeZ", pages);
  auto planes = planes_here(pages);
  std::string const other_file = elsewhere();
  if (planes.empty() && other_file.empty()) planes.push_back({.count = slices});
  std::int64_t here = 0;
  for (Planes const& run : planes) here += run.count;
  if (here < slices && !other_file.empty()) {
    file_.refuse(
        fmt::format("{} of its {} slices stand in other files ({}): one file with all "
                    "was expected",
                    slices - here, slices, other_file));
  }
  if (here != slices || slices != pages) {
    file_.refuse(
        fmt::format("its OME header says {} slices, but it holds {} pages, of which {} "
                    "are said to be slices",
                    slices, pages, here));
  }
  constexpr std::int64_t unsaid = -1;
  std::vector<std::int64_t> slice_of_page(static_cast<std::size_t>(pages), unsaid);
  std::vector<bool> there(static_cast<std::size_t>(slices), false);
  for (Planes const& run : planes) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      auto const page = static_cast<std::size_t>(run.first_page) + static_cast<std::size_t>(i);
      auto const slice = static_cast<std::size_t>(run.first_slice) + static_cast<std::size_t>(i);
      if (page >= slice_of_page.size() || slice >= there.size() || there[slice] ||
          slice_of_page[page] != unsaid) {
        file_.refuse(
            fmt::format("its OME header says page {} to be slice {}: each page once and "
                        "each slice once was expected",
                        page + 1, slice + 1));
      }
      slice_of_page[page] = static_cast<std::int64_t>(slice);
      there[slice] = true;
    }
  }
  return slice_of_page;
}

std::optional<std::int64_t> OmeHeader::place_of_page() const {
  // Slices that were saved one by one all claim to be the first: that tells nothing.
  if (pixels_.attribute("SizeZ").as_llong(1) <= 1) return std::nullopt;
  auto const planes = planes_here(1);
  if (planes.size() != 1 || planes.front().count != 1) return std::nullopt;
  return planes.front().first_slice;
}

}  // namespace tessera
