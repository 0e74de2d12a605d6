// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint_part.hpp"

#include <utility>

namespace tessera {

CheckpointPart::CheckpointPart(CheckpointPlace const& place, std::int64_t value,
                               std::size_t value_bytes)
    : file_(place.file.path), begin_(place.begin), value_(value), value_bytes_(value_bytes) {}

void CheckpointPart::add_block(std::int32_t block, std::span<std::byte const> populations,
                               std::span<double const> remembered) {
  written_.entries.push_back({block, value_, 0, static_cast<std::int64_t>(remembered.size())});
  written_.remembered.insert(written_.remembered.end(), remembered.begin(), remembered.end());
  add_to_block(populations);
}

void CheckpointPart::add_to_block(std::span<std::byte const> populations) {
  auto const count = static_cast<std::int64_t>(populations.size() / value_bytes_);
  written_.sum.add(populations);
  file_.write(begin_ + static_cast<std::uint64_t>(value_) * value_bytes_, populations);
  written_.entries.back().count += count;
  value_ += count;
}

WrittenBlocks CheckpointPart::finish() {
  file_.finish();
  return std::move(written_);
}

}  // namespace tessera
