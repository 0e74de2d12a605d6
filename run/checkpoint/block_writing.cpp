// SPDX-License-Identifier: MIT
#include "run/checkpoint/block_writing.hpp"

#include <numeric>

#include "base/errors.hpp"
#include "base/ranks/gathering.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "run/fields/shared_writing.hpp"

namespace tessera {
namespace {

struct Counts {
  std::size_t entries;
  std::size_t remembered;
};

}  // namespace

BlockWriting::BlockWriting(CheckpointWriter* writer, std::size_t tiles, std::int64_t bytes,
                           std::size_t value_bytes)
    : writer_(writer) {
  if (Ranks::alone()) return;
  auto const place = place_of_first();
  if (!place) {
    writer_ = nullptr;
    return;
  }
  if (!all_can_write_to(place->file)) {
    gathering_.emplace(tiles, into(writer));
    return;
  }
  auto const of_all = Ranks::all_gather(bytes);
  std::int64_t const before =
      std::accumulate(of_all.begin(), of_all.begin() + Ranks::rank(), std::int64_t{0});
  of_all_ranks_ = true;
  write_own(
      [&] { part_.emplace(*place, before / static_cast<std::int64_t>(value_bytes), value_bytes); });
}

/// All: where the first one has made room; nothing if it has not.
std::optional<CheckpointPlace> BlockWriting::place_of_first() {
  std::optional<MarkedFile> file;
  std::uint64_t begin = 0;
  if (writer_ != nullptr) {
    write_own([&] {
      CheckpointPlace const place = writer_->place();
      file = place.file;
      begin = place.begin;
    });
  }
  file = file_of_first(file);
  if (!file) return std::nullopt;
  Ranks::broadcast(std::as_writable_bytes(std::span(&begin, 1)));
  return CheckpointPlace{*file, begin};
}

/// Unless that has failed before; the others go on all the same.
template <class Write>
void BlockWriting::write_own(Write const& write) {
  if (!failed_.empty()) return;
  try {
    write();
  } catch (EnvironmentError const& error) {
    failed_ = error.what();
  }
}

void BlockWriting::add(std::int32_t number, std::span<std::byte const> bytes,
                       std::span<double const> remembered) {
  if (gathering_) return gathering_->add(number, bytes, remembered);
  if (of_all_ranks_) return write_own([&] { part_->add_block(number, bytes, remembered); });
  if (writer_ != nullptr) writer_->add_block(number, bytes, remembered);
}

void BlockWriting::end_tile() {
  if (gathering_) gathering_->end_tile();
}

void BlockWriting::finish() {
  if (gathering_) return gathering_->finish();
  if (!of_all_ranks_) {
    if (!failed_.empty()) throw EnvironmentError(failed_);
    return;
  }
  WrittenBlocks own;
  write_own([&] { own = part_->finish(); });
  if (all_well(failed_)) gather_written(own);
}

void BlockWriting::gather_written(WrittenBlocks const& own) {
  Gathering gathering(1, [&](std::span<std::byte const> bytes) {
    PieceReader piece(bytes);
    auto const counts = piece.take<Counts>();
    WrittenBlocks blocks;
    blocks.sum = piece.take<Checksum>();
    blocks.entries = piece.take<WrittenBlocks::Entry>(counts.entries);
    blocks.remembered = piece.take<double>(counts.remembered);
    writer_->add_written(blocks);
  });
  PieceWriter piece;
  piece.add(Counts{own.entries.size(), own.remembered.size()});
  piece.add(own.sum);
  piece.add(std::span<WrittenBlocks::Entry const>(own.entries));
  piece.add(std::span<double const>(own.remembered));
  gathering.add(piece.bytes());
  gathering.finish();
}

}  // namespace tessera
