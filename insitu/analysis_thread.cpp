// SPDX-License-Identifier: MIT
#include "insitu/analysis_thread.hpp"

#include <chrono>
#include <utility>

#include "insitu/crash_guard.hpp"

namespace tessera {

AnalysisThread::AnalysisThread(WhenBehind when_behind)
    : when_behind_(when_behind), thread_([this] { run(); }) {}

AnalysisThread::~AnalysisThread() {
  {
    std::lock_guard const lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  std::unique_lock lock(mutex_);
  wait_until(lock, [this] { return gone_; });
  lock.unlock();
  gone_ ? thread_.join() : thread_.detach();
}

template <class Condition>
void AnalysisThread::wait_until(std::unique_lock<std::mutex>& lock, Condition const& is_so) {
  constexpr std::chrono::milliseconds often{50};  // a thread that crashes tells nobody
  while (!is_so() && crash() == nullptr) changed_.wait_for(lock, often);
}

std::optional<std::size_t> AnalysisThread::claim() {
  std::unique_lock lock(mutex_);
  if (crash() != nullptr) return std::nullopt;
  auto const free = [&] { return !taken_[0] || !taken_[1]; };
  if (!free()) {
    if (when_behind_ == WhenBehind::skip) {
      ++dropped_;
      return std::nullopt;
    }
    auto const start = std::chrono::steady_clock::now();
    wait_until(lock, free);
    ++waited_;
    waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!free()) return std::nullopt;
  }
  std::size_t const set = taken_[0] ? 1 : 0;
  taken_[set] = true;
  return set;
}

void AnalysisThread::start(std::function<void()> job) {
  {
    std::lock_guard const lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void AnalysisThread::release(std::size_t set) {
  {
    std::lock_guard const lock(mutex_);
    taken_[set] = false;
  }
  changed_.notify_all();
}

void AnalysisThread::wait() {
  std::unique_lock lock(mutex_);
  wait_until(lock, [&] { return jobs_.empty() && !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void AnalysisThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return over_ || !jobs_.empty(); });
    if (jobs_.empty()) break;
    auto const job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (failure && !failure_) failure_ = failure;
    changed_.notify_all();
  }
  gone_ = true;
  changed_.notify_all();
}

}  // namespace tessera
