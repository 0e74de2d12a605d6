// SPDX-License-Identifier: MIT
// The strips or tiles of a TIFF file's pages, and their directories: checks that all exist, each of
// the size in the page's header, before any is unpacked. Not for use outside io/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "io/images/tiff/tiff_file.hpp"
#include "io/images/tiff/tiff_pages.hpp"

namespace tessera {

class TiffPieces {
 public:
  TiffPieces(std::filesystem::path const& path, std::uintmax_t stored)
      : stream_(path, std::ios::binary), stored_(stored) {}

  /// Adds the pieces of the current page. Throws BadInput if one is missing, reaches beyond the
  /// file or, if it is not packed, has another size than its voxels.
  void add(TiffFile const& file, PageLayout const& layout, std::int64_t page);
  /// Throws BadInput if two pieces share bytes, as the place of one of them is wrong then.
  void require_apart(TiffFile const& file) const;
  /// The end of the last voxels in the file.
  std::uint64_t end() const;

 private:
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::int64_t page = 0;
  };
  void add_directory(TiffFile const& file, std::int64_t page);

  std::ifstream stream_;
  std::uintmax_t stored_;
  std::vector<Piece> voxels_;
  std::vector<Piece> directories_;
};

/// Unpacks the pieces of the current page if zlib has packed them, as libtiff does not read the
/// checksum behind the last voxel. Throws BadInput if the checksum differs, or if there are fewer
/// or more voxels than in the header.
void require_checksums(TiffFile const& file, PageLayout const& layout);

}  // namespace tessera
