// SPDX-License-Identifier: MIT
// The processes (ranks) of a run: one, unless a launcher of MPI (mpirun, srun) has started several.
// A single process does not start MPI.
//
// What speaks MPI lies in mpi/. A build without MPI (TESSERA_MPI=OFF) takes alone/ instead, which
// has the same functions for a single process.
//
// All ranks must call the functions marked "collective", in the same order. With a single process
// they return at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

class Ranks {
 public:
  /// MPI_Init, if a launcher has started several processes. Throws EnvironmentError; in a build
  /// without MPI, BadInput.
  static void start();
  /// The rank, before start(); nothing without a launcher.
  static std::optional<int> rank_of_launcher();
  /// Collective: MPI_Finalize.
  static void end();
  /// MPI_Abort, which ends all processes within seconds. A single process returns.
  static void abort(int status);

  static int count();
  static int rank();
  /// Rank 0 prints, reads what all ranks need, and writes.
  static bool is_root() { return rank() == 0; }
  static bool alone() { return count() == 1; }
  /// Throws BadInput "--insitu: expected a single process, ..." if several compute.
  static void expect_alone(std::string_view for_what);
  /// Number and rank among the processes on this host.
  static int count_on_host();
  static int rank_on_host();

  /// "Open MPI v4.1.4"; empty in a build without MPI.
  static std::string mpi_version();

  /// While an object exists, collectives of this thread use a communicator of their own, so that
  /// they do not mix with those of other threads. A rank has one such thread at most. `alone`:
  /// whether the thread that started it was alone().
  class OfThread {
   public:
    explicit OfThread(bool alone);
    ~OfThread();
    OfThread(OfThread const&) = delete;
    OfThread& operator=(OfThread const&) = delete;
  };

  /// While an object exists, its thread does work that needs no other rank: alone() is true for
  /// this thread, and not for the others of the process. Where rank 0 alone has such work, the
  /// other ranks wait in broadcast_number().
  class ByItself {
   public:
    ByItself();
    ~ByItself();
    ByItself(ByItself const&) = delete;
    ByItself& operator=(ByItself const&) = delete;
  };
  /// Collective: broadcast of a number from rank 0. The other ranks wait without spinning.
  static std::int64_t broadcast_number(std::int64_t number);
  /// Collective: rank 0 does the work as a single process would, alone() on all its threads; the
  /// others wait without spinning. Returns what `work` has returned. If it throws, the others wait
  /// until rank 0 has ended them.
  static int first_alone(std::function<int()> const& work);

  /// Collective: element-wise sums over all ranks, on all ranks.
  static void sum(std::span<std::int64_t> words);
  /// Collective: the maximum over all ranks, on all ranks.
  static std::int64_t maximum(std::int64_t number);
  /// Collective: element-wise maxima over all ranks. None may be NaN.
  static void maximum(std::span<double> numbers);
  /// Collective: whether it is true on any rank.
  static bool any(bool here) { return maximum(here ? 1 : 0) != 0; }
  /// Collective: the values of all ranks, in their order.
  static std::vector<std::int64_t> all_gather(std::int64_t number);
  static std::vector<std::string> all_gather(std::string const& text);
  /// Collective: broadcast from `rank`, or from rank 0. The size is the same on all ranks.
  static void broadcast_from(int rank, std::span<std::byte> bytes);
  static void broadcast(std::span<std::byte> bytes) { broadcast_from(0, bytes); }
};

}  // namespace tessera
