// SPDX-License-Identifier: MIT
#include "base/ranks/gathering.hpp"

#include <mpi.h>

#include <algorithm>

#include "base/ranks/communicators.hpp"
#include "base/ranks/message_size.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

constexpr int gathering_tag = 0;

}  // namespace

void Gathering::send_to_first(std::span<std::byte const> bytes) {
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

void Gathering::receive_from(int rank, std::vector<std::byte>& bytes) {
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

}  // namespace tessera
