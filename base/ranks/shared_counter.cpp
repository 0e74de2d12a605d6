// SPDX-License-Identifier: MIT
#include "base/ranks/shared_counter.hpp"

#include "base/ranks/ranks.hpp"

namespace tessera {

SharedCounter::SharedCounter(std::int64_t count) : count_(count) {
  if (Ranks::is_root() && !Ranks::alone()) handing_out_ = std::thread([this] { hand_out(); });
}

SharedCounter::~SharedCounter() {
  while (!Ranks::is_root() && !is_at_end_) take();
  if (handing_out_.joinable()) {
    next_ = count_;
    handing_out_.join();
  }
}

std::optional<std::int64_t> SharedCounter::take() {
  if (is_at_end_) return std::nullopt;
  std::int64_t const number = Ranks::is_root() ? next_++ : ask_first();
  is_at_end_ = number == none_left || number >= count_;
  return is_at_end_ ? std::nullopt : std::optional(number);
}

}  // namespace tessera
