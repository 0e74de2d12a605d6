// SPDX-License-Identifier: MIT
#include "graph/tasks/rank_inboxes.hpp"

#include "graph/tasks/messages.hpp"

namespace tessera {
namespace {

std::size_t parity(std::int64_t stage) { return static_cast<std::size_t>(stage & 1); }

std::int64_t tag_of(std::int64_t number, std::size_t parity) {
  return 2 * number + static_cast<std::int64_t>(parity);
}

}  // namespace

void submit_send(StageBox const& box, std::int64_t number, int rank, std::int64_t stage) {
  std::size_t const now = parity(stage);
  submit_send(box[now], rank, tag_of(number, now));
}

void RankInboxes::add(std::int64_t number, int rank, std::size_t values,
                      std::size_t bytes_of_value) {
  Coming& coming = boxes_.emplace_back(Coming{{}, number, rank});
  for (std::size_t p : {0U, 1U}) {
    coming.box[p] = DataHandle::vector(values, bytes_of_value);
    expect_messages(coming.box[p], rank, tag_of(number, p));
  }
}

std::size_t RankInboxes::bytes() const {
  std::size_t bytes = 0;
  for (Coming const& coming : boxes_) bytes += coming.box[0].bytes() + coming.box[1].bytes();
  return bytes;
}

DataHandle const& RankInboxes::at(std::size_t i, std::int64_t stage) const {
  return boxes_[i].box[parity(stage)];
}

void RankInboxes::submit_receive(std::size_t i, std::int64_t stage) {
  Coming& coming = boxes_[i];
  if (coming.received >= stage) return;
  coming.received = stage;
  std::size_t const now = parity(stage);
  tessera::submit_receive(coming.box[now], coming.rank, tag_of(coming.number, now));
}

void RankInboxes::forget_stages() {
  for (Coming& coming : boxes_) coming.received = -1;
}

}  // namespace tessera
