// SPDX-License-Identifier: MIT
#include "base/ranks/rank_watch.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "base/ranks/communicators.hpp"
#include "base/ranks/rank_signs.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/work_signs.hpp"

namespace tessera {
namespace {

using Clock = RankSigns::Clock;
using Seconds = std::chrono::duration<double>;

constexpr int watch_tag = 0;
constexpr int failed = 1;

}  // namespace

class RankWatch::Thread {
 public:
  Thread(double limit, std::vector<std::string> names,
         std::function<void(std::string const& line)> cry)
      : limit_(limit),
        period_(std::min(limit / 20, 5.0)),
        cry_(std::move(cry)),
        rank_(Ranks::rank()),
        sending_(names.size(), MPI_REQUEST_NULL),
        sent_(names.size()),
        signs_(limit, std::move(names), Clock::now()) {
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
    signs_.start_anew(woken);
    while (true) {
      bool over = false;
      {
        std::unique_lock lock(mutex_);
        over = ends_.wait_for(lock, Seconds(period_), [this] { return over_; });
      }
      auto const now = Clock::now();
      // Who has been asleep himself, as after Ctrl-Z, knows nothing of the others.
      if (now - woken > Seconds(limit_ / 2)) signs_.start_anew(now);
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

  /// The first one with all others, these with the first one.
  bool hears_of(std::size_t rank) const {
    auto const other = static_cast<int>(rank);
    return other != rank_ && (rank_ == 0 || other == 0);
  }

  void listen(Clock::time_point now) {
    for (int looks = 0, there = 1; there != 0 || looks < 10; ++looks) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, watch_tag, ours_, &there, &status);
      if (there == 0) continue;
      RankSign sign;
      MPI_Recv(&sign, sizeof sign, MPI_BYTE, status.MPI_SOURCE, watch_tag, ours_,
               MPI_STATUS_IGNORE);
      signs_.hear(static_cast<std::size_t>(status.MPI_SOURCE), sign, now);
    }
  }

  void speak(bool leaves) {
    if (work_signs_.since_last()) ++work_;
    RankSign const own{.steps = steps.load(),
                       .work = work_,
                       .is_stepping = stepping.load() > 0 ? 1 : 0,
                       .is_waiting = WorkSigns::anybody_waits() ? 1 : 0,
                       .is_free = at_leisure.load() > 0 ? 1 : 0,
                       .leaves = leaves ? 1 : 0};
    signs_.hear(static_cast<std::size_t>(rank_), own, Clock::now());
    for (std::size_t r = 0; r < sent_.size(); ++r) {
      if (!hears_of(r) || signs_.last(r).leaves != 0) continue;
      int sent = 1;
      MPI_Test(&sending_[r], &sent, MPI_STATUS_IGNORE);
      if (sent == 0) continue;  // who does not listen gets no more
      sent_[r] = own;
      MPI_Isend(&sent_[r], sizeof(RankSign), MPI_BYTE, static_cast<int>(r), watch_tag, ours_,
                &sending_[r]);
    }
  }

  void judge(Clock::time_point now) {
    for (std::size_t r = 0; r < sent_.size(); ++r) {
      if (!hears_of(r) || signs_.last(r).leaves != 0) continue;
      // The lowest one that lives speaks; the others would say the same.
      double const turn = rank_ == 0 ? 0 : 4 * period_ * (rank_ - 1);
      if (auto const line = signs_.silence_of(r, turn, now)) end_all(*line);
    }
    if (rank_ != 0) return;
    if (auto const line = signs_.standstill(now)) end_all(*line);
  }

  [[noreturn]] void end_all(std::string const& line) {
    cry_(line);
    MPI_Abort(MPI_COMM_WORLD, failed);
    std::_Exit(failed);
  }

  double limit_, period_;
  std::function<void(std::string const& line)> cry_;
  int rank_;
  MPI_Comm ours_ = MPI_COMM_NULL;
  std::vector<MPI_Request> sending_;  ///< by rank
  std::vector<RankSign> sent_;
  RankSigns signs_;
  WorkSigns work_signs_;
  std::int64_t work_ = 0;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool over_ = false;
  std::thread thread_;
};

RankWatch::RankWatch(double limit_seconds, std::vector<std::string> names,
                     std::function<void(std::string const& line)> cry) {
  if (Ranks::alone()) return;
  double const limit =
      1e-3 * static_cast<double>(Ranks::broadcast_number(std::llround(1e3 * limit_seconds)));
  if (limit > 0) thread_ = std::make_unique<Thread>(limit, std::move(names), std::move(cry));
}
RankWatch::~RankWatch() = default;

}  // namespace tessera
