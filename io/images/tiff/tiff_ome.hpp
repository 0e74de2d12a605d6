// SPDX-License-Identifier: MIT
// OME-XML, which OME-TIFF files have in the description of their first page. Not for use outside
// io/.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "io/images/tiff/tiff_file.hpp"
#include "io/images/tiff/tiff_pages.hpp"

namespace tessera {

/// Whether a description is OME-XML.
bool is_ome(std::string const& description);

/// The <Pixels> of the only image. Throws BadInput if there are several, or if they are described
/// in another file.
class OmeHeader {
 public:
  explicit OmeHeader(TiffFile const& file);

  pugi::xml_node pixels() const { return pixels_; }

  /// The slice of each page. Throws BadInput if the pages are not one volume with all its slices.
  std::vector<std::int64_t> slice_of_page(PageLayout const& layout, std::int64_t pages) const;
  /// The number of the only page of this file among the slices of several files, if given.
  std::optional<std::int64_t> place_of_page() const;

 private:
  struct Planes {
    std::int64_t first_slice = 0;
    std::int64_t first_page = 0;
    std::int64_t count = 0;
  };
  std::vector<Planes> planes_here(std::int64_t pages) const;
  std::string elsewhere() const;
  bool is_here(pugi::xml_node data) const;

  TiffFile const& file_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  pugi::xml_node pixels_;
};

}  // namespace tessera
