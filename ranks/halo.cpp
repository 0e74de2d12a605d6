// SPDX-License-Identifier: MIT
#include "ranks/halo.hpp"

#include <mpi.h>

#include <cstring>
#include <span>
#include <utility>

#include "ranks/communicators.hpp"
#include "ranks/exchange.hpp"
#include "ranks/ranks.hpp"
#include "ranks/waiting.hpp"

namespace tessera {
namespace {

constexpr int tag = 4;

using Indices = std::vector<std::int64_t>;

template <std::size_t bytes>
std::byte* gather(Indices const& indices, std::byte const* values, std::byte* to) {
  for (std::int64_t const i : indices) {
    std::memcpy(to, values + static_cast<std::size_t>(i) * bytes, bytes);
    to += bytes;
  }
  return to;
}
template <std::size_t bytes>
std::byte const* scatter(Indices const& indices, std::byte const* from, std::byte* values) {
  for (std::int64_t const i : indices) {
    std::memcpy(values + static_cast<std::size_t>(i) * bytes, from, bytes);
    from += bytes;
  }
  return from;
}

/// Calls use.template operator()<bytes>() for a size that is known when compiled.
template <class Use>
auto with_size(std::size_t bytes, Use const& use) {
  switch (bytes) {
    case 4:
      return use.template operator()<4>();
    case 8:
      return use.template operator()<8>();
    case 16:
      return use.template operator()<16>();
    default:
      return use.template operator()<32>();
  }
}

}  // namespace

Halo::Halo(std::vector<std::vector<std::int64_t>> wanted)
    : wanted_(std::move(wanted)), asked_(wanted_.size()) {
  struct Wish {
    std::int64_t rank;
    std::int64_t index;
  };
  Exchange exchange([this](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const wish = piece.take<Wish>();
      asked_[static_cast<std::size_t>(wish.rank)].push_back(wish.index);
    }
  });
  std::int64_t const own = Ranks::number();
  for (std::size_t r = 0; r < wanted_.size(); ++r) {
    for (std::int64_t const index : wanted_[r]) exchange.add(static_cast<int>(r), Wish{own, index});
  }
  exchange.finish();
}

std::int64_t Halo::values() const {
  std::int64_t sum = 0;
  for (auto const& of_rank : wanted_) sum += static_cast<std::int64_t>(of_rank.size());
  return sum;
}

void HaloMessages::exchange(std::initializer_list<Part> parts) {
  struct Message {
    std::size_t rank;
    std::size_t bytes;
  };
  auto const messages = [&parts](auto const& lists_of) {
    std::vector<Message> found;
    std::size_t const ranks = lists_of(*parts.begin()->halo).size();
    for (std::size_t r = 0; r < ranks; ++r) {
      std::size_t bytes = 0;
      for (Part const& part : parts) bytes += lists_of(*part.halo)[r].size() * part.value_bytes;
      if (bytes > 0) found.push_back({r, bytes});
    }
    return found;
  };
  auto const wanted = [](Halo const& halo) -> auto const& { return halo.wanted_; };
  auto const asked = [](Halo const& halo) -> auto const& { return halo.asked_; };
  auto const sum_of = [](std::vector<Message> const& all) {
    std::size_t sum = 0;
    for (Message const& message : all) sum += message.bytes;
    return sum;
  };
  std::vector<Message> const to = messages(asked);
  std::vector<Message> const from = messages(wanted);
  leaving_.resize(sum_of(to));
  coming_.resize(sum_of(from));
  std::vector<MPI_Request> requests;
  requests.reserve(to.size() + from.size());
  std::size_t at = 0;
  for (Message const& message : from) {
    MPI_Irecv(coming_.data() + at, static_cast<int>(message.bytes), MPI_BYTE,
              static_cast<int>(message.rank), tag, communicator_of_all(), &requests.emplace_back());
    at += message.bytes;
  }
  std::byte* end = leaving_.data();
  for (Message const& message : to) {
    std::byte const* const begin = end;
    for (Part const& part : parts) {
      end = with_size(part.value_bytes, [&]<std::size_t bytes>() {
        return gather<bytes>(part.halo->asked_[message.rank], part.values, end);
      });
    }
    MPI_Isend(begin, static_cast<int>(message.bytes), MPI_BYTE, static_cast<int>(message.rank), tag,
              communicator_of_all(), &requests.emplace_back());
    bytes_ += static_cast<std::int64_t>(message.bytes);
  }
  messages_ += static_cast<std::int64_t>(to.size());
  wait_for(requests);
  std::byte const* arrived = coming_.data();
  for (Message const& message : from) {
    for (Part const& part : parts) {
      arrived = with_size(part.value_bytes, [&]<std::size_t bytes>() {
        return scatter<bytes>(part.halo->wanted_[message.rank], arrived, part.values);
      });
    }
  }
}

}  // namespace tessera
