// SPDX-License-Identifier: MIT
// Computations run on a thread of their own, without the interpreter's lock; the thread that has
// asked for one waits for it, shows how far it is, and sees Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "interfaces/api/tessera.hpp"

namespace tessera::python {

namespace py = pybind11;

inline py::dict dict_of(Stage const& stage) {
  return py::dict(py::arg("axis") = std::string(1, stage.axis), py::arg("done") = stage.done,
                  py::arg("of") = stage.of, py::arg("k_lattice") = stage.k_lattice,
                  py::arg("error") = stage.error, py::arg("tolerance") = stage.tolerance,
                  py::arg("iterations") = stage.iterations);
}

/// What computes and what waits have in common.
class News {
 public:
  bool take(Stage const* news) {
    std::lock_guard const lock(mutex_);
    if (news != nullptr) latest_ = *news;
    return !stop_;
  }
  std::optional<Stage> give() {
    std::lock_guard const lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }
  void stop() {
    std::lock_guard const lock(mutex_);
    stop_ = true;
  }

 private:
  std::mutex mutex_;
  std::optional<Stage> latest_;
  bool stop_ = false;
};

/// Calls work(watch). `show`, a function of Python or None, gets the news; what it raises, and what
/// signals raise, ends the work and is raised when it has ended.
template <class Work>
auto watched(py::object const& show, Work const& work) {
  constexpr std::chrono::milliseconds between_looks(50);
  News news;
  std::exception_ptr raised;
  auto const look = [&] {
    if (raised) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      auto const stage = news.give();
      if (stage && !show.is_none()) show(dict_of(*stage));
    } catch (py::error_already_set const&) {
      raised = std::current_exception();
      news.stop();
    }
  };
  auto future = [&] {
    py::gil_scoped_release const release;
    auto running = std::async(std::launch::async, [&] {
      return work([&](Stage const* stage) { return news.take(stage); });
    });
    while (running.wait_for(between_looks) != std::future_status::ready) {
      py::gil_scoped_acquire const acquire;
      look();
    }
    return running;
  }();
  look();
  if (raised) std::rethrow_exception(raised);
  return future.get();
}

}  // namespace tessera::python
