// SPDX-License-Identifier: MIT
#include "base/ranks/ranks.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "base/errors.hpp"
#include "base/ranks/communicators.hpp"
#include "base/ranks/message_size.hpp"
#include "base/ranks/processes.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

struct Communicators {
  MPI_Comm ours = MPI_COMM_NULL;
  MPI_Comm of_thread = MPI_COMM_NULL;
  MPI_Comm of_looks = MPI_COMM_NULL;
  MPI_Comm of_tasks = MPI_COMM_NULL;
};

Communicators& communicators() {
  static Communicators all;
  return all;
}

}  // namespace

void Ranks::start() {
  if (!rank_of_launcher()) return;
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  Processes& all = processes();
  Communicators& speak = communicators();
  MPI_Comm_size(MPI_COMM_WORLD, &all.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &all.number);
  if (all.count > 1 && level < MPI_THREAD_MULTIPLE)
    throw EnvironmentError("this MPI does not let several threads speak at a time");
  MPI_Comm_dup(MPI_COMM_WORLD, &speak.ours);
  MPI_Comm_dup(MPI_COMM_WORLD, &speak.of_thread);
  MPI_Comm_dup(MPI_COMM_WORLD, &speak.of_looks);
  MPI_Comm_dup(MPI_COMM_WORLD, &speak.of_tasks);
  MPI_Comm on_host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, all.number, MPI_INFO_NULL, &on_host);
  MPI_Comm_size(on_host, &all.count_on_host);
  MPI_Comm_rank(on_host, &all.rank_on_host);
  MPI_Comm_free(&on_host);
}

void Ranks::end() {
  if (communicators().ours != MPI_COMM_NULL) MPI_Finalize();
}

void Ranks::abort(int status) {
  if (!alone()) MPI_Abort(MPI_COMM_WORLD, status);
}

std::string Ranks::mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string const version(text.data(), static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));
}

MPI_Comm communicator_of_all() {
  return speaks_apart() ? communicators().of_thread : communicators().ours;
}
MPI_Comm communicator_of_looks() { return communicators().of_looks; }
MPI_Comm communicator_of_tasks() { return communicators().of_tasks; }

std::int64_t Ranks::broadcast_number(std::int64_t number) {
  if (alone()) return number;
  WorkSigns::Waiting const waiting;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&number, 1, MPI_INT64_T, 0, communicator_of_all(), &request);
  for (int there = 0; there == 0;) {
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    // Who waits in MPI takes a core for it, which the first one may need.
    if (there == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // is over
  return number;
}

void Ranks::sum(std::span<std::int64_t> words) {
  if (alone()) return;
  WorkSigns::Waiting const waiting;
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_INT64_T, MPI_SUM,
                communicator_of_all());
}

std::int64_t Ranks::maximum(std::int64_t number) {
  if (alone()) return number;
  WorkSigns::Waiting const waiting;
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT64_T, MPI_MAX, communicator_of_all());
  return number;
}

void Ranks::maximum(std::span<double> numbers) {
  if (alone()) return;
  WorkSigns::Waiting const waiting;
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_MAX,
                communicator_of_all());
}

std::vector<std::int64_t> Ranks::all_gather(std::int64_t number) {
  std::vector<std::int64_t> all{number};
  if (alone()) return all;
  all.resize(static_cast<std::size_t>(count()));
  WorkSigns::Waiting const waiting;
  MPI_Allgather(&number, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, communicator_of_all());
  return all;
}

std::vector<std::string> Ranks::all_gather(std::string const& text) {
  if (alone()) return {text};
  auto const sizes = all_gather(static_cast<std::int64_t>(text.size()));
  auto const longest = static_cast<std::size_t>(*std::ranges::max_element(sizes));
  std::string padded = text;
  padded.resize(longest);
  std::string together(longest * sizes.size(), '\0');
  auto const each = static_cast<int>(longest);
  WorkSigns::Waiting const waiting;
  MPI_Allgather(padded.data(), each, MPI_CHAR, together.data(), each, MPI_CHAR,
                communicator_of_all());
  std::vector<std::string> all;
  all.reserve(sizes.size());
  for (std::size_t r = 0; r < sizes.size(); ++r)
    all.push_back(together.substr(r * longest, static_cast<std::size_t>(sizes[r])));
  return all;
}

void Ranks::broadcast_from(int rank, std::span<std::byte> bytes) {
  if (alone()) return;
  WorkSigns::Waiting const waiting;
  while (!bytes.empty()) {
    std::size_t const now = std::min(bytes.size(), most_bytes_at_once);
    MPI_Bcast(bytes.data(), static_cast<int>(now), MPI_BYTE, rank, communicator_of_all());
    bytes = bytes.subspan(now);
  }
}

}  // namespace tessera
