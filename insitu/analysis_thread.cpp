// SPDX-License-Identifier: MIT
#include "insitu/analysis_thread.hpp"

#include <chrono>
#include <utility>

namespace tessera {

AnalysisThread::AnalysisThread(Pressure pressure)
    : pressure_(pressure), thread_([this] { run(); }) {}

AnalysisThread::~AnalysisThread() {
  {
    std::lock_guard const lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<std::size_t> AnalysisThread::claim() {
  std::unique_lock lock(mutex_);
  auto const free = [&] { return !taken_[0] || !taken_[1]; };
  if (!free()) {
    if (pressure_ == Pressure::drop) {
      ++dropped_;
      return std::nullopt;
    }
    auto const start = std::chrono::steady_clock::now();
    changed_.wait(lock, free);
    ++waited_;
    waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
  changed_.wait(lock, [&] { return jobs_.empty() && !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void AnalysisThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return over_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
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
}

}  // namespace tessera
