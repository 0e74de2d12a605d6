// SPDX-License-Identifier: MIT
#include "base/ranks/gathering.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

#include "base/ranks/communicators.hpp"
#include "base/ranks/message_size.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

constexpr int gathering_tag = 0;

void send_to_first(std::span<std::byte const> bytes) {
  WorkSigns::Waiting const waiting;
  auto const size = static_cast<std::uint64_t>(bytes.size());
  MPI_Send(&size, 1, MPI_UINT64_T, 0, gathering_tag, communicator_of_all());
  while (!bytes.empty()) {
    std::size_t const now = std::min(bytes.size(), most_bytes_at_once);
    MPI_Send(bytes.data(), static_cast<int>(now), MPI_BYTE, 0, gathering_tag,
             communicator_of_all());
    bytes = bytes.subspan(now);
  }
}

void receive_from(int rank, std::vector<std::byte>& bytes) {
  WorkSigns::Waiting const waiting;
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, rank, gathering_tag, communicator_of_all(), MPI_STATUS_IGNORE);
  bytes.resize(size);
  for (std::size_t at = 0; at < size; at += most_bytes_at_once) {
    auto const now = static_cast<int>(std::min(size - at, most_bytes_at_once));
    MPI_Recv(bytes.data() + at, now, MPI_BYTE, rank, gathering_tag, communicator_of_all(),
             MPI_STATUS_IGNORE);
  }
}

}  // namespace

Gathering::Gathering(std::size_t pieces, Take take)
    : take_(std::move(take)), counts_(Ranks::all_gather(static_cast<std::int64_t>(pieces))) {}

void Gathering::add(std::span<std::byte const> piece) {
  if (Ranks::is_root()) {
    take_unless_failed(piece);
  } else {
    send_to_first(piece);
  }
}

void Gathering::finish() {
  if (!Ranks::is_root()) return;
  std::vector<std::byte> piece;
  for (int rank = 1; rank < Ranks::count(); ++rank) {
    for (std::int64_t i = 0; i < counts_[static_cast<std::size_t>(rank)]; ++i) {
      receive_from(rank, piece);
      take_unless_failed(piece);
    }
  }
  if (failed_) std::rethrow_exception(failed_);
}

void Gathering::take_unless_failed(std::span<std::byte const> piece) {
  try {
    if (!failed_) take_(piece);
  } catch (...) {
    failed_ = std::current_exception();  // the others send all the same
  }
}

}  // namespace tessera
