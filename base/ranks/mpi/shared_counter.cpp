// SPDX-License-Identifier: MIT
#include "base/ranks/shared_counter.hpp"

#include <mpi.h>

#include <chrono>
#include <thread>

#include "base/ranks/communicators.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

constexpr int request_tag = 5;
constexpr int number_tag = 6;
/// Between looks for a message. Flows take tens of milliseconds and more.
constexpr std::chrono::microseconds rest{200};

}  // namespace

std::int64_t SharedCounter::ask_first() {
  std::int64_t number = none_left;
  WorkSigns::Waiting const waiting;
  MPI_Send(nullptr, 0, MPI_INT64_T, 0, request_tag, communicator_of_all());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&number, 1, MPI_INT64_T, 0, number_tag, communicator_of_all(), &request);
  for (int there = 0; there == 0;) {
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    if (there == 0) std::this_thread::sleep_for(rest);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // is over
  return number;
}

/// Until every other rank has been told that there are none left.
void SharedCounter::hand_out() {
  WorkSigns::Waiting const waiting;
  for (int left = Ranks::count() - 1; left > 0;) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, request_tag, communicator_of_all(), &there, &status);
    if (there == 0) {
      std::this_thread::sleep_for(rest);
      continue;
    }
    MPI_Recv(nullptr, 0, MPI_INT64_T, status.MPI_SOURCE, request_tag, communicator_of_all(),
             MPI_STATUS_IGNORE);
    std::int64_t number = next_++;
    if (number >= count_) number = none_left;
    MPI_Send(&number, 1, MPI_INT64_T, status.MPI_SOURCE, number_tag, communicator_of_all());
    if (number == none_left) --left;
  }
}

}  // namespace tessera
