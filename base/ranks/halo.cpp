// SPDX-License-Identifier: MIT
#include "base/ranks/halo.hpp"

#include <cstring>

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/value_size.hpp"

namespace tessera {
namespace {

Halo::List one_behind_the_other(std::vector<std::vector<std::int64_t>> const& by_rank) {
  Halo::List list;
  list.begins.push_back(0);
  for (auto const& of_rank : by_rank) {
    list.indices.insert(list.indices.end(), of_rank.begin(), of_rank.end());
    list.begins.push_back(list.indices.size());
  }
  return list;
}

}  // namespace

Halo::Halo(std::vector<std::vector<std::int64_t>> const& receives)
    : receives_(one_behind_the_other(receives)) {
  struct Request {
    std::int64_t rank;
    std::int64_t index;
  };
  std::vector<std::vector<std::int64_t>> sends(receives.size());
  AllToAll requests([&sends](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const request = piece.take<Request>();
      sends[static_cast<std::size_t>(request.rank)].push_back(request.index);
    }
  });
  std::int64_t const own = Ranks::rank();
  for (std::size_t r = 0; r < receives.size(); ++r) {
    for (std::int64_t const index : receives[r])
      requests.add(static_cast<int>(r), Request{own, index});
  }
  requests.finish();
  sends_ = one_behind_the_other(sends);
}

std::vector<HaloMessage> HaloMessages::messages(std::span<HaloPart const> parts,
                                                Halo::List const& (Halo::*list)() const) {
  constexpr std::size_t line = 64;
  std::vector<HaloMessage> found;
  std::size_t begin = 0;
  for (std::size_t r = 0; r < (parts.front().halo->*list)().ranks(); ++r) {
    std::size_t bytes = 0;
    for (HaloPart const& part : parts) bytes += (part.halo->*list)().size(r) * part.value_bytes;
    if (bytes == 0) continue;
    found.push_back({r, begin, bytes});
    begin += (bytes + line - 1) / line * line;
  }
  return found;
}

void HaloArrays::gather(HaloPart const& part, std::size_t rank, std::byte* to) {
  with_value_size(part.value_bytes, [&]<std::size_t bytes>() {
    for (std::int64_t const i : part.halo->sends().of(rank)) {
      std::memcpy(to, part.values + static_cast<std::size_t>(i) * bytes, bytes);
      to += bytes;
    }
  });
}

void HaloArrays::scatter(HaloPart const& part, std::size_t rank, std::byte const* from) {
  with_value_size(part.value_bytes, [&]<std::size_t bytes>() {
    for (std::int64_t const i : part.halo->receives().of(rank)) {
      std::memcpy(part.values + static_cast<std::size_t>(i) * bytes, from, bytes);
      from += bytes;
    }
  });
}

}  // namespace tessera
