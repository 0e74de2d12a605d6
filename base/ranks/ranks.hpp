// SPDX-License-Identifier: MIT
// The processes of a run: one, unless a launcher of MPI (mpirun, srun) has started several. What
// one alone does needs no MPI, and starts none.
//
// Functions that say "all" are to be called by all processes, in the same order; one process comes
// through them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

class Ranks {
 public:
  /// Joins the other processes, if there are any. Throws EnvironmentError.
  static void start();
  /// Before that: nothing if no launcher has started others.
  static std::optional<int> number_said_by_launcher();
  /// All: the processes have come to their end.
  static void end();
  /// Ends all processes within seconds, if there are several; else it returns.
  static void abort(int status);

  static int count();
  static int number();
  /// Who speaks, reads what all need, and writes: rank 0.
  static bool is_first() { return number() == 0; }
  static bool alone() { return count() == 1; }
  /// Throws BadInput "--insitu: expected a single process, ..." if several compute.
  static void expect_alone(std::string_view for_what);
  /// Of the processes on this host.
  static int count_on_host();
  static int number_on_host();

  /// "Open MPI v4.1.4"
  static std::string mpi_version();

  /// While it lives, what "all" say on this thread they say apart from their other threads: each
  /// has one such thread, begun by one that was alone() or not.
  class OfThread {
   public:
    explicit OfThread(bool alone);
    ~OfThread();
    OfThread(OfThread const&) = delete;
    OfThread& operator=(OfThread const&) = delete;
  };

  /// While it lives, the first one does something by itself on this thread, which finds it alone;
  /// its other threads do not. The others wait for what it says then (said_by_first()).
  class ByItself {
   public:
    ByItself();
    ~ByItself();
    ByItself(ByItself const&) = delete;
    ByItself& operator=(ByItself const&) = delete;
  };
  /// All: the number of the first one, for which the others may sleep long.
  static std::int64_t said_by_first(std::int64_t number);

  /// All: adds words up, one by one; each process gets the sums.
  static void add_up(std::span<std::int64_t> words);
  /// All: the largest of the processes' numbers.
  static std::int64_t largest(std::int64_t number);
  /// All: one by one the largest of the processes' numbers, of which none is NaN.
  static void take_largest(std::span<double> numbers);
  /// All: whether it is so for any of them.
  static bool any(bool here) { return largest(here ? 1 : 0) != 0; }
  /// All: what each of them says, in their order.
  static std::vector<std::int64_t> all_numbers(std::int64_t number);
  static std::vector<std::string> all_texts(std::string const& text);
  /// All: each gets what this rank has there; as many bytes for all.
  static void take_from(int rank, std::span<std::byte> bytes);
  static void take_from_first(std::span<std::byte> bytes) { take_from(0, bytes); }
};

}  // namespace tessera
