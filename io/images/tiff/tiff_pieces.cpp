// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_pieces.hpp"

#include <fmt/format.h>
#include <isa-l.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace tessera {
namespace {

std::uint32_t pieces_of(TiffFile const& file) {
  return TIFFIsTiled(file.get()) != 0 ? TIFFNumberOfTiles(file.get())
                                      : TIFFNumberOfStrips(file.get());
}

/// Bytes of a piece once unpacked: of its own rows, and of as many as any other one has. Some
/// programs fill the last strip up.
struct PieceBytes {
  std::uintmax_t own = 0;
  std::uintmax_t full = 0;

  bool fit(std::uintmax_t bytes) const { return bytes == own || bytes == full; }
};

PieceBytes bytes_of_piece(TiffFile const& file, PageLayout const& layout, std::uint32_t piece) {
  if (TIFFIsTiled(file.get()) != 0) {
    std::uintmax_t const tile = TIFFTileSize64(file.get());
    return {tile, tile};
  }
  auto const height = static_cast<std::uintmax_t>(layout.height);
  std::uintmax_t const rows =
      std::min<std::uintmax_t>(file.tag<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, 1), height);
  std::uintmax_t const first = std::min(piece * rows, height);
  return {std::min(rows, height - first) * layout.row_bytes(), rows * layout.row_bytes()};
}

constexpr std::uintmax_t most_by_zlib = 1100;  // deflate packs zeros to 1/1032

[[noreturn]] void refuse_packed(TiffFile const& file) {
  file.refuse("truncated or damaged TIFF file: what zlib packed does not give its voxels");
}

/// How many bytes a whole stream of zlib unpacks to; nothing if it is damaged or has more than fit.
std::optional<std::size_t> unpacked_bytes(std::vector<std::uint8_t>& packed,
                                          std::vector<std::uint8_t>& to) {
  inflate_state state{};
  isal_inflate_init(&state);
  state.next_in = packed.data();
  state.avail_in = static_cast<std::uint32_t>(packed.size());
  state.next_out = to.data();
  state.avail_out = static_cast<std::uint32_t>(to.size());
  state.crc_flag = ISAL_ZLIB;
  if (isal_inflate(&state) != ISAL_DECOMP_OK || state.block_state != ISAL_BLOCK_FINISH)
    return std::nullopt;
  return state.total_out;
}

}  // namespace

/// Behind a directory stands where the next one is, or that there is none. Of a file that ends
/// before, libtiff would take it for the last one.
void TiffPieces::add_directory(TiffFile const& file, std::int64_t page) {
  bool const big_tiff = TIFFIsBigTIFF(file.get()) != 0;
  std::ptrdiff_t const count_bytes = big_tiff ? 8 : 2;
  std::uint64_t const begin = TIFFCurrentDirOffset(file.get());
  std::array<std::uint8_t, 8> bytes{};
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(begin));
  stream_.read(reinterpret_cast<char*>(bytes.data()), count_bytes);
  if (TIFFIsBigEndian(file.get()) == 0) std::reverse(bytes.begin(), bytes.begin() + count_bytes);
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_bytes); ++i)
    entries = entries << 8U | bytes[i];
  std::uint64_t const bytes_each = big_tiff ? 20 : 12;
  std::uint64_t const next = big_tiff ? 8 : 4;
  std::uint64_t const end =
      begin + static_cast<std::uint64_t>(count_bytes) + entries * bytes_each + next;
  if (entries > stored_ || end > stored_)
    file.refuse(fmt::format("truncated: page {} has no end", page));
  directories_.push_back({begin, end, page});
}

void TiffPieces::add(TiffFile const& file, PageLayout const& layout, std::int64_t page) {
  add_directory(file, page);
  for (std::uint32_t i = 0; i < pieces_of(file); ++i) {
    std::uint64_t const begin = TIFFGetStrileOffset(file.get(), i);
    std::uint64_t const bytes = TIFFGetStrileByteCount(file.get(), i);
    if (bytes == 0) file.refuse(fmt::format("page {}: a part of its voxels is missing", page));
    if (begin > stored_ || bytes > stored_ - begin) {
      file.refuse(fmt::format("truncated: {} bytes, but voxels of page {} stand at bytes {} to {}",
                              stored_, page, begin, begin + bytes));
    }
    PieceBytes const expected = bytes_of_piece(file, layout, i);
    if (layout.compression == COMPRESSION_NONE && !expected.fit(bytes)) {
      file.refuse(fmt::format("page {}: {} bytes of voxels, but its header says {}", page, bytes,
                              expected.own));
    }
    voxels_.push_back({begin, begin + bytes, page});
  }
}

void TiffPieces::require_apart(TiffFile const& file) const {
  constexpr std::uint64_t head = 8;
  std::vector<Piece> all{{0, head, 0}};
  all.insert(all.end(), directories_.begin(), directories_.end());
  all.insert(all.end(), voxels_.begin(), voxels_.end());
  std::ranges::sort(all, {}, &Piece::begin);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].begin >= all[i - 1].end) continue;
    auto const [first, second] = std::minmax(all[i - 1].page, all[i].page);
    file.refuse(first == second || first == 0
                    ? fmt::format("damaged: voxels of page {} at bytes of its header", second)
                    : fmt::format("damaged: pages {} and {} have the same bytes, from {} on", first,
                                  second, all[i].begin));
  }
}

std::uint64_t TiffPieces::end() const {
  std::uint64_t last = 0;
  for (Piece const& piece : voxels_) last = std::max(last, piece.end);
  return last;
}

void require_checksums(TiffFile const& file, PageLayout const& layout) {
  bool const by_zlib =
      layout.compression == COMPRESSION_ADOBE_DEFLATE || layout.compression == COMPRESSION_DEFLATE;
  // Bytes that stand the other way round are libtiff's to turn.
  if (!by_zlib || file.tag<std::uint16_t>(TIFFTAG_FILLORDER) == FILLORDER_LSB2MSB) return;
  std::vector<std::uint8_t> packed;
  std::vector<std::uint8_t> voxels;
  for (std::uint32_t i = 0; i < pieces_of(file); ++i) {
    packed.resize(TIFFGetStrileByteCount(file.get(), i));
    PieceBytes const expected = bytes_of_piece(file, layout, i);
    if (expected.own / most_by_zlib > packed.size()) refuse_packed(file);
    voxels.resize(expected.full);
    auto const bytes = static_cast<tmsize_t>(packed.size());
    bool const there = (TIFFIsTiled(file.get()) != 0
                            ? TIFFReadRawTile(file.get(), i, packed.data(), bytes)
                            : TIFFReadRawStrip(file.get(), i, packed.data(), bytes)) == bytes;
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();  // that ISA-L counts
    if (there && std::max(packed.size(), voxels.size()) > most) continue;
    auto const unpacked = there ? unpacked_bytes(packed, voxels) : std::nullopt;
    if (!unpacked || !expected.fit(*unpacked)) refuse_packed(file);
  }
}

}  // namespace tessera
