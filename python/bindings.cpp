// SPDX-License-Identifier: MIT
// libtessera for Python: what python/tessera/ builds on. Computations run on a thread of their own,
// without the interpreter's lock; the thread that has asked for one waits for it, shows how far it
// is, and sees Ctrl-C.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera.hpp"

namespace py = pybind11;
using namespace tessera;

namespace {

py::dict dict_of(Stage const& stage) {
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

VoxelArray voxels_of(py::array const& array, std::string const& type) {
  VoxelArray voxels{.data = array.data(), .type = type};
  for (std::size_t a = 0; a < 3; ++a) voxels.shape[a] = array.shape(static_cast<py::ssize_t>(a));
  voxels.first_axis_fastest = (array.flags() & py::array::c_style) == 0;
  return voxels;
}

py::array array_of(FlowFields const& fields, float const* values, bool vectors) {
  std::vector<py::ssize_t> shape(fields.shape.begin(), fields.shape.end());
  if (vectors) shape.push_back(3);
  py::capsule const keeper(new std::shared_ptr<void const>(fields.keeper), [](void* kept) {
    delete static_cast<std::shared_ptr<void const>*>(kept);
  });
  return py::array_t<float>(shape, values, keeper);
}

py::dict dict_of(AxisPermeability const& found) {
  py::dict axis;
  if (!found.fields) return axis;
  axis["velocity"] = array_of(*found.fields, found.fields->velocity, true);
  axis["pressure"] = array_of(*found.fields, found.fields->pressure, false);
  axis["density"] = array_of(*found.fields, found.fields->density, false);
  axis["write"] = py::cpp_function(found.write_fields, py::call_guard<py::gil_scoped_release>());
  return axis;
}

}  // namespace

PYBIND11_MODULE(_tessera, module) {
  using Words = std::vector<std::string>;
  module.attr("version") = version_text();
  module.def("permeability", [](py::array const& image, std::string const& type,
                                Words const& options, py::object const& show) {
    VoxelArray const voxels = voxels_of(image, type);
    Permeability const found =
        watched(show, [&](Watch const& watch) { return permeability(voxels, options, watch); });
    py::dict fields;
    for (AxisPermeability const& axis : found.axes)
      fields[py::str(std::string(1, axis.axis))] = dict_of(axis);
    return py::make_tuple(found.results, found.warnings, fields);
  });
  module.def("sub_volumes", [](py::array const& image, std::string const& type,
                               Words const& options, py::object const& show) {
    VoxelArray const voxels = voxels_of(image, type);
    SubVolumes const found =
        watched(show, [&](Watch const& watch) { return sub_volumes(voxels, options, watch); });
    return py::make_tuple(found.results, found.warnings, found.csv);
  });
  module.def("generate", [](Words const& options) {
    GeneratedImage const made =
        watched(py::none(), [&](Watch const& /*watch*/) { return generate(options); });
    return py::array_t<std::uint8_t>({made.shape[0], made.shape[1], made.shape[2]},
                                     made.pore.data());
  });
  module.def("info", [](py::array const& image, std::string const& type, Words const& options) {
    return watched(py::none(),
                   [&](Watch const& /*watch*/) { return info(voxels_of(image, type), options); });
  });
}
