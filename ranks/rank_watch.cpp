// SPDX-License-Identifier: MIT
#include "ranks/rank_watch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "lattice/errors.hpp"
#include "ranks/communicators.hpp"
#include "ranks/ranks.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int tag = 0;
constexpr int failed = 1;

std::atomic<int> stepping{0};
std::atomic<std::int64_t> steps{0};

/// What a rank says of itself.
struct Sign {
  std::int64_t steps;
  std::int32_t is_stepping;
  std::int32_t leaves;  ///< has nothing more to say
};

/// What is known of another one.
struct Seen {
  Sign last{};
  Clock::time_point heard = Clock::now();
};

}  // namespace

class RankWatch::Thread {
 public:
  Thread(double limit, std::vector<std::string> names,
         std::function<void(std::string const& line)> cry)
      : limit_(limit),
        period_(std::min(limit / 20, 5.0)),
        names_(std::move(names)),
        cry_(std::move(cry)),
        rank_(Ranks::number()),
        seen_(names_.size()),
        sending_(names_.size(), MPI_REQUEST_NULL),
        signs_(names_.size()) {
    MPI_Comm_dup(communicator_of_all(), &ours_);
    thread_ = std::thread([this] { watch(); });
  }
  Thread(Thread const&) = delete;
  Thread& operator=(Thread const&) = delete;
  ~Thread() {
    {
      std::lock_guard const lock(mutex_);
      over_ = true;
    }
    ends_.notify_all();
    thread_.join();
  }

 private:
  void watch() {
    Clock::time_point woken = Clock::now();
    start_anew(woken);
    while (true) {
      bool over = false;
      {
        std::unique_lock lock(mutex_);
        over = ends_.wait_for(lock, Seconds(period_), [this] { return over_; });
      }
      auto const now = Clock::now();
      // Who has been asleep himself, as after Ctrl-Z, knows nothing of the others.
      if (now - woken > Seconds(limit_ / 2)) start_anew(now);
      woken = now;
      listen(now);
      if (over) break;
      speak(false);
      judge(now);
    }
    say_farewell();
  }

  /// Waits a little for those who do not listen.
  void say_farewell() {
    speak(true);
    auto const until = Clock::now() + std::chrono::seconds(1);
    for (int sent = 0; sent == 0 && Clock::now() < until;) {
      MPI_Testall(static_cast<int>(sending_.size()), sending_.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void start_anew(Clock::time_point now) {
    for (Seen& seen : seen_) seen.heard = now;
    moved_ = now;
  }

  /// The first one with all others, these with the first one.
  bool hears_of(std::size_t rank) const {
    auto const other = static_cast<int>(rank);
    return other != rank_ && (rank_ == 0 || other == 0);
  }

  void listen(Clock::time_point now) {
    for (int looks = 0, there = 1; there != 0 || looks < 10; ++looks) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, tag, ours_, &there, &status);
      if (there == 0) continue;
      Seen& seen = seen_[static_cast<std::size_t>(status.MPI_SOURCE)];
      MPI_Recv(&seen.last, sizeof(Sign), MPI_BYTE, status.MPI_SOURCE, tag, ours_,
               MPI_STATUS_IGNORE);
      seen.heard = now;
    }
  }

  void speak(bool leaves) {
    Sign& own = seen_[static_cast<std::size_t>(rank_)].last;
    own = {steps.load(), stepping.load() > 0 ? 1 : 0, leaves ? 1 : 0};
    for (std::size_t r = 0; r < names_.size(); ++r) {
      if (!hears_of(r) || seen_[r].last.leaves != 0) continue;
      int sent = 1;
      MPI_Test(&sending_[r], &sent, MPI_STATUS_IGNORE);
      if (sent == 0) continue;  // who does not listen gets no more
      signs_[r] = own;
      MPI_Isend(&signs_[r], sizeof(Sign), MPI_BYTE, static_cast<int>(r), tag, ours_, &sending_[r]);
    }
  }

  void judge(Clock::time_point now) {
    for (std::size_t r = 0; r < names_.size(); ++r) {
      if (!hears_of(r) || seen_[r].last.leaves != 0) continue;
      // The lowest one that lives speaks; the others would say the same.
      double const turn = rank_ == 0 ? 0 : 4 * period_ * (rank_ - 1);
      double const silent = Seconds(now - seen_[r].heard).count();
      if (silent > limit_ + turn)
        end_all(fmt::format("{} has been silent for {:.0f} s: it is stopped, or its host is gone",
                            names_[r], silent));
    }
    if (rank_ == 0) judge_steps(now);
  }

  void judge_steps(Clock::time_point now) {
    std::int64_t sum = 0;
    bool all = true;
    for (Seen const& seen : seen_) {
      sum += seen.last.steps;
      all = all && seen.last.is_stepping != 0;
    }
    if (sum != sum_ || !all) {
      // Where steps take long, so does what is no step.
      if (all) longest_ = std::max(longest_, Seconds(now - moved_).count());
      sum_ = sum;
      moved_ = now;
      return;
    }
    double const still = Seconds(now - moved_).count();
    if (still < std::max(limit_, 10 * longest_)) return;
    auto const last =
        std::ranges::min_element(seen_, {}, [](Seen const& seen) { return seen.last.steps; });
    auto const r = static_cast<std::size_t>(last - seen_.begin());
    end_all(fmt::format("{} hangs: no process has come on for {:.0f} s, and it is least far",
                        names_[r], still));
  }

  [[noreturn]] void end_all(std::string const& line) {
    cry_(line);
    MPI_Abort(MPI_COMM_WORLD, failed);
    std::_Exit(failed);
  }

  double limit_, period_;
  std::vector<std::string> names_;
  std::function<void(std::string const& line)> cry_;
  int rank_;
  MPI_Comm ours_ = MPI_COMM_NULL;
  std::vector<Seen> seen_;  ///< by rank, the own one with what it says
  std::vector<MPI_Request> sending_;
  std::vector<Sign> signs_;
  // Steps of all together: since when there are so many, and how long it took at most.
  std::int64_t sum_ = 0;
  Clock::time_point moved_;
  double longest_ = 0;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool over_ = false;
  std::thread thread_;
};

double RankWatch::limit_of_environment() {
  char const* const said = std::getenv("TESSERA_RANK_TIMEOUT");
  if (said == nullptr) return 300;
  std::string_view const text(said);
  double seconds = -1;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0))
    throw BadInput(
        fmt::format("TESSERA_RANK_TIMEOUT={}: expected seconds, or 0 for no watch", said));
  return seconds;
}

RankWatch::RankWatch(double limit_seconds, std::vector<std::string> names,
                     std::function<void(std::string const& line)> cry) {
  if (Ranks::alone()) return;
  double const limit =
      1e-3 * static_cast<double>(Ranks::said_by_first(std::llround(1e3 * limit_seconds)));
  if (limit > 0) thread_ = std::make_unique<Thread>(limit, std::move(names), std::move(cry));
}
RankWatch::~RankWatch() = default;

RankWatch::Stepping::Stepping() { ++stepping; }
RankWatch::Stepping::~Stepping() { --stepping; }
RankWatch::Aside::Aside() { --stepping; }
RankWatch::Aside::~Aside() { ++stepping; }
void RankWatch::note_step() { ++steps; }

}  // namespace tessera
