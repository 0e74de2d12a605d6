// SPDX-License-Identifier: MIT
#include "base/ranks/all_gather_ranges.hpp"

#include <mpi.h>

#include <vector>

#include "base/ranks/communicators.hpp"
#include "base/ranks/mpi/waiting.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

void all_gather_bytes(std::byte* values, std::size_t value_bytes,
                      std::span<std::int64_t const> bounds, int arrays) {
  if (Ranks::alone()) return;
  std::vector<int> counts, begins;
  for (std::size_t r = 0; r + 1 < bounds.size(); ++r) {
    begins.push_back(static_cast<int>(bounds[r]));
    counts.push_back(static_cast<int>(bounds[r + 1] - bounds[r]));
  }
  // A value of each array, as if the next ones began right behind the first.
  auto const bytes = static_cast<MPI_Aint>(value_bytes);
  MPI_Datatype apart = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(arrays, static_cast<int>(value_bytes), bounds.back() * bytes, MPI_BYTE,
                          &apart);
  MPI_Type_create_resized(apart, 0, bytes, &type);
  MPI_Type_commit(&type);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, counts.data(), begins.data(), type,
                  communicator_of_all(), &request);
  wait_for({&request, 1});
  MPI_Type_free(&type);
  MPI_Type_free(&apart);
}

}  // namespace tessera
