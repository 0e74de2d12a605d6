// SPDX-License-Identifier: MIT
#include "graph/tasks/messages.hpp"

#include <starpu_mpi.h>

#include "base/ranks/communicators.hpp"
#include "graph/tasks/starpu_call.hpp"

namespace tessera {

void start_starpu_with_messages(starpu_conf& conf) {
  check_starpu(starpu_mpi_init_conf(nullptr, nullptr, 0, communicator_of_tasks(), &conf),
               "starpu_mpi_init_conf");
}
void end_starpu_with_messages() { starpu_mpi_shutdown(); }

void expect_messages(DataHandle const& data, int rank, std::int64_t tag) {
  starpu_mpi_data_register_comm(data.get(), tag, rank, communicator_of_tasks());
}

void submit_send(DataHandle const& data, int rank, std::int64_t tag) {
  // Without a callback: then sends of a datum to several ranks share one transfer.
  check_starpu(
      starpu_mpi_isend_detached(data.get(), rank, tag, communicator_of_tasks(), nullptr, nullptr),
      "starpu_mpi_isend_detached");
}

void submit_receive(DataHandle const& data, int rank, std::int64_t tag) {
  check_starpu(
      starpu_mpi_irecv_detached(data.get(), rank, tag, communicator_of_tasks(), nullptr, nullptr),
      "starpu_mpi_irecv_detached");
}

}  // namespace tessera
