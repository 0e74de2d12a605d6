// SPDX-License-Identifier: MIT
#include "base/ranks/ranks.hpp"

#include "base/errors.hpp"
#include "base/ranks/processes.hpp"

namespace tessera {

void Ranks::start() {
  std::optional<int> const number = rank_of_launcher();
  if (!number) return;
  // Each would compute all of it, and write to the files of the others. The first one says so.
  processes().number = *number;
  throw BadInput(
      "this build has no MPI, but a launcher (mpirun, srun) has started several processes: "
      "expected a single process, or a build with MPI (TESSERA_MPI=ON)");
}

void Ranks::end() {}
void Ranks::abort(int) {}
std::string Ranks::mpi_version() { return {}; }

std::int64_t Ranks::broadcast_number(std::int64_t number) { return number; }
void Ranks::sum(std::span<std::int64_t>) {}
std::int64_t Ranks::maximum(std::int64_t number) { return number; }
void Ranks::maximum(std::span<double>) {}
std::vector<std::int64_t> Ranks::all_gather(std::int64_t number) { return {number}; }
std::vector<std::string> Ranks::all_gather(std::string const& text) { return {text}; }
void Ranks::broadcast_from(int, std::span<std::byte>) {}

}  // namespace tessera
