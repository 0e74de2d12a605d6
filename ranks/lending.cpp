// SPDX-License-Identifier: MIT
#include "ranks/lending.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "ranks/communicators.hpp"
#include "ranks/message_size.hpp"
#include "ranks/ranks.hpp"
#include "ranks/work_signs.hpp"

namespace tessera {
namespace {

constexpr int request_tag = 2;
constexpr int answer_tag = 3;

void send(Wanted wanted, int rank) {
  WorkSigns::Waiting const waiting;
  MPI_Send(&wanted, sizeof wanted, MPI_BYTE, rank, request_tag, communicator_of_all());
}

/// Sleeps meanwhile: the first rank may have use for the core.
Wanted next_wanted() {
  WorkSigns::Waiting const waiting;
  for (int there = 0; there == 0;) {
    MPI_Iprobe(0, request_tag, communicator_of_all(), &there, MPI_STATUS_IGNORE);
    if (there == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Wanted wanted;
  MPI_Recv(&wanted, sizeof wanted, MPI_BYTE, 0, request_tag, communicator_of_all(),
           MPI_STATUS_IGNORE);
  return wanted;
}

}  // namespace

void lend_to_first(std::function<std::span<std::byte const>(Wanted)> const& part) {
  for (Wanted wanted = next_wanted(); wanted.what >= 0; wanted = next_wanted()) {
    auto bytes = part(wanted);
    WorkSigns::Waiting const waiting;
    while (!bytes.empty()) {
      std::size_t const now = std::min(bytes.size(), most_bytes_at_once);
      MPI_Send(bytes.data(), static_cast<int>(now), MPI_BYTE, 0, answer_tag, communicator_of_all());
      bytes = bytes.subspan(now);
    }
  }
}

void borrow(Wanted wanted, int rank, std::span<std::byte> to) {
  send(wanted, rank);
  WorkSigns::Waiting const waiting;
  while (!to.empty()) {
    std::size_t const now = std::min(to.size(), most_bytes_at_once);
    MPI_Recv(to.data(), static_cast<int>(now), MPI_BYTE, rank, answer_tag, communicator_of_all(),
             MPI_STATUS_IGNORE);
    to = to.subspan(now);
  }
}

void dismiss_lenders() {
  for (int rank = 1; rank < Ranks::count(); ++rank) send({.what = -1}, rank);
}

}  // namespace tessera
