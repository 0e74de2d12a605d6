// SPDX-License-Identifier: MIT
#include "base/ranks/halo.hpp"

#include <mpi.h>

#include <vector>

#include "base/ranks/communicators.hpp"
#include "base/ranks/mpi/waiting.hpp"

namespace tessera {
namespace {

constexpr int halo_tag = 4;

}  // namespace

void HaloMessages::travel(std::vector<HaloMessage> const& to, std::byte const* sent,
                          std::vector<HaloMessage> const& from, std::byte* received) {
  std::vector<MPI_Request> requests;
  requests.reserve(to.size() + from.size());
  for (HaloMessage const& message : from)
    MPI_Irecv(received + message.begin, static_cast<int>(message.bytes), MPI_BYTE,
              static_cast<int>(message.rank), halo_tag, communicator_of_all(),
              &requests.emplace_back());
  for (HaloMessage const& message : to) {
    MPI_Isend(sent + message.begin, static_cast<int>(message.bytes), MPI_BYTE,
              static_cast<int>(message.rank), halo_tag, communicator_of_all(),
              &requests.emplace_back());
    bytes_ += static_cast<std::int64_t>(message.bytes);
  }
  messages_ += static_cast<std::int64_t>(to.size());
  wait_for(requests);
}

}  // namespace tessera
