// SPDX-License-Identifier: MIT
#include "graph/balance/rank_meeting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

struct Found {
  double seconds;  ///< since the last meeting
  std::size_t domains;
};

std::string in_bytes(double seconds, BalanceFindings const& found) {
  PieceWriter piece;
  piece.add(Found{seconds, found.loads.size()});
  piece.add(std::span<DomainLoad const>(found.loads));
  piece.add(std::span<DomainLoad const>(found.moved));
  auto const bytes = piece.bytes();
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace

void RankMeeting::begin_at(std::int64_t step) {
  last_ = step;
  next_ = step + least_steps;
  met_ = Clock::now();
}

BalanceFindings RankMeeting::findings_of_all(std::int64_t step, BalanceFindings own) {
  double const seconds = std::chrono::duration<double>(Clock::now() - met_).count();
  double longest = 0;
  bool all_know = true;
  BalanceFindings all{.moves = std::move(own.moves)};
  std::int32_t rank = 0;
  for (std::string const& said : Ranks::all_gather(in_bytes(seconds, own))) {
    PieceReader piece(std::as_bytes(std::span(said)));
    auto const found = piece.take<Found>();
    longest = std::max(longest, found.seconds);
    all_know = all_know && found.domains > 0;
    for (auto* const loads : {&all.loads, &all.moved}) {
      for (DomainLoad& load : piece.take<DomainLoad>(found.domains)) {
        load.rank = rank;
        loads->push_back(load);
      }
    }
    ++rank;
  }
  next_ = step + steps_until_meeting(least_steps, step - last_, longest);
  last_ = step;
  met_ = Clock::now();
  return all_know ? all : BalanceFindings{};
}

std::int64_t steps_until_meeting(std::int64_t least, std::int64_t steps, double seconds) {
  constexpr double interval = 0.2;
  constexpr double most = 1000;
  double const wanted = std::ceil(interval * static_cast<double>(steps) / seconds);
  auto const until = static_cast<std::int64_t>(std::clamp(wanted, 1.0, most));
  return (until + least - 1) / least * least;
}

NewShares shares_by_rank(std::vector<double> const& shares, std::vector<DomainLoad> const& loads,
                         int rank, int ranks) {
  NewShares by_rank{std::vector<double>(static_cast<std::size_t>(ranks)), {}};
  for (std::size_t d = 0; d < shares.size(); ++d) {
    by_rank.of_ranks[static_cast<std::size_t>(loads[d].rank)] += shares[d];
    if (loads[d].rank == rank) by_rank.of_domains.push_back(shares[d]);
  }
  for (double& share : by_rank.of_domains)
    share /= by_rank.of_ranks[static_cast<std::size_t>(rank)];
  // Shares add up to one but for rounding: a process that is alone has all, exactly.
  double const all = std::accumulate(by_rank.of_ranks.begin(), by_rank.of_ranks.end(), 0.0);
  for (double& share : by_rank.of_ranks) share /= all;
  return by_rank;
}

}  // namespace tessera
