// SPDX-License-Identifier: MIT
#include "base/ranks/all_to_all.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ranks/communicators.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

constexpr int exchange_tag = 1;

struct Announced {
  std::int64_t bytes;
  std::int64_t more;  ///< whether there will be another round
};

}  // namespace

bool AllToAll::travel_between_ranks(bool last_of_ours) {
  auto const own = static_cast<std::size_t>(Ranks::rank());
  MPI_Comm const communicator =
      talk_ == Talk::of_all ? communicator_of_all() : communicator_of_looks();
  // The sizes say at the same time who has more.
  std::vector<Announced> announced;
  announced.reserve(pieces_.size());
  for (PieceWriter const& piece : pieces_)
    announced.push_back({static_cast<std::int64_t>(piece.bytes().size()), last_of_ours ? 0 : 1});
  std::vector<Announced> coming(announced.size());
  std::optional<WorkSigns::Waiting> waiting(std::in_place);
  MPI_Alltoall(announced.data(), 2, MPI_INT64_T, coming.data(), 2, MPI_INT64_T, communicator);
  waiting.reset();
  std::vector<MPI_Request> requests;
  std::vector<std::vector<std::byte>> arrived(coming.size());
  for (std::size_t r = 0; r < coming.size(); ++r) {
    if (r == own) continue;
    auto const rank = static_cast<int>(r);
    arrived[r].resize(static_cast<std::size_t>(coming[r].bytes));
    if (coming[r].bytes > 0) {
      MPI_Irecv(arrived[r].data(), static_cast<int>(coming[r].bytes), MPI_BYTE, rank, exchange_tag,
                communicator, &requests.emplace_back());
    }
    if (announced[r].bytes > 0) {
      MPI_Isend(pieces_[r].bytes().data(), static_cast<int>(announced[r].bytes), MPI_BYTE, rank,
                exchange_tag, communicator, &requests.emplace_back());
    }
  }
  if (announced[own].bytes > 0) take_(pieces_[own].bytes());
  waiting.emplace();
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  waiting.reset();
  for (auto const& piece : arrived) {
    if (!piece.empty()) take_(piece);
  }
  for (PieceWriter& piece : pieces_) piece = {};
  return std::ranges::none_of(coming, [](Announced const& of_rank) { return of_rank.more != 0; });
}

}  // namespace tessera
