// SPDX-License-Identifier: MIT
// libtessera for Python: what python/tessera/ builds on. Computations run on a thread of their own,
// without the interpreter's lock; the thread that has asked for one waits for it, shows how far it
// is, and sees Ctrl-C.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <exception>
#include <future>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/api/tessera.hpp"
#include "interfaces/python/coprocessor_bindings.hpp"

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

/// A function of Python that formulas call. What it raises is raised when the work has ended.
class Called {
 public:
  Called(py::object function, std::exception_ptr& raised)
      : function_(std::move(function)), raised_(raised) {}

  double operator()(double const* arguments, int count) const {
    py::gil_scoped_acquire const acquire;
    try {
      py::tuple values(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i)
        values[static_cast<std::size_t>(i)] = py::float_(arguments[i]);
      return py::cast<double>(function_(*values));
    } catch (py::error_already_set const&) {
      raised_ = std::current_exception();
    } catch (py::cast_error const&) {
      raised_ =
          std::make_exception_ptr(py::type_error("a function of a formula: expected a number"));
    }
    return std::numeric_limits<double>::quiet_NaN();  // which no case takes for a value
  }

 private:
  py::object function_;
  std::exception_ptr& raised_;
};

using AxisNames = std::array<std::string, 3>;

VoxelArray voxels_of(py::array const& array, std::string const& type, AxisNames const& axes) {
  VoxelArray voxels{.data = array.data(), .type = type};
  voxels.axis_names = axes;
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

py::dict dict_of(FlowFields const& fields) {
  return py::dict(py::arg("velocity") = array_of(fields, fields.velocity, true),
                  py::arg("pressure") = array_of(fields, fields.pressure, false),
                  py::arg("density") = array_of(fields, fields.density, false));
}

py::dict dict_of(AxisPermeability const& found) {
  if (!found.fields) return {};
  py::dict axis = dict_of(*found.fields);
  axis["write"] = py::cpp_function(found.write_fields, py::call_guard<py::gil_scoped_release>());
  return axis;
}

void bind_options(py::module_& module) {
  py::class_<Labels>(module, "Labels")
      .def(py::init())
      .def_readwrite("pore", &Labels::pore)
      .def_readwrite("solid", &Labels::solid)
      .def_readwrite("threshold", &Labels::threshold);
  py::class_<RockFlowOptions>(module, "RockFlowOptions")
      .def_readwrite("labels", &RockFlowOptions::labels)
      .def_readwrite("voxel_size", &RockFlowOptions::voxel_size)
      .def_readwrite("axis", &RockFlowOptions::axis)
      .def_readwrite("periodic", &RockFlowOptions::periodic)
      .def_readwrite("mirror", &RockFlowOptions::mirror)
      .def_readwrite("buffer_layers", &RockFlowOptions::buffer_layers)
      .def_readwrite("precision", &RockFlowOptions::precision)
      .def_readwrite("tolerance", &RockFlowOptions::tolerance)
      .def_readwrite("gpus", &RockFlowOptions::gpus)
      .def_readwrite("cores", &RockFlowOptions::cores)
      .def_readwrite("scheduler", &RockFlowOptions::scheduler);
  py::class_<PermeabilityOptions>(module, "PermeabilityOptions")
      .def(py::init())
      .def_readwrite("flow", &PermeabilityOptions::flow)
      .def_readwrite("lattice", &PermeabilityOptions::lattice)
      .def_readwrite("collision", &PermeabilityOptions::collision)
      .def_readwrite("equilibrium", &PermeabilityOptions::equilibrium)
      .def_readwrite("magic", &PermeabilityOptions::magic)
      .def_readwrite("relaxation_time", &PermeabilityOptions::relaxation_time)
      .def_readwrite("body_force", &PermeabilityOptions::body_force)
      .def_readwrite("solver", &PermeabilityOptions::solver)
      .def_readwrite("max_steps", &PermeabilityOptions::max_steps)
      .def_readwrite("refine", &PermeabilityOptions::refine)
      .def_readwrite("balance", &PermeabilityOptions::balance)
      .def_readwrite("tiles", &PermeabilityOptions::tiles)
      .def_readwrite("steps_per_sweep", &PermeabilityOptions::steps_per_sweep)
      .def_readwrite("fields", &PermeabilityOptions::fields)
      .def_readwrite("viscosity", &PermeabilityOptions::viscosity)
      .def_readwrite("density", &PermeabilityOptions::density);
  py::class_<RevOptions>(module, "RevOptions")
      .def(py::init())
      .def_readwrite("flow", &RevOptions::flow)
      .def_readwrite("edges", &RevOptions::edges)
      .def_readwrite("samples", &RevOptions::samples)
      .def_readwrite("seed", &RevOptions::seed);
  py::class_<ForchheimerOptions>(module, "ForchheimerOptions")
      .def(py::init())
      .def_readwrite("flow", &ForchheimerOptions::flow)
      .def_readwrite("reynolds", &ForchheimerOptions::reynolds)
      .def_readwrite("max_steps", &ForchheimerOptions::max_steps);
  py::class_<PhasesOptions>(module, "PhasesOptions")
      .def(py::init())
      .def_readwrite("flow", &PhasesOptions::flow)
      .def_readwrite("phase", &PhasesOptions::phase);
}

void bind_case(py::module_& module) {
  module.def(
      "run_case",
      [](std::string const& file, std::string const& folder, std::vector<std::string> const& set,
         std::string const& out, bool resume, std::vector<py::object> const& functions,
         std::int64_t look_every, py::object const& look, py::object const& show) {
        std::exception_ptr raised;
        CaseRequest request{.file = file,
                            .folder = folder,
                            .set = set,
                            .out = out,
                            .resume = resume,
                            .functions = {},
                            .look_every = look_every};
        // By reference: they belong to the thread that has the interpreter's lock.
        std::vector<Called> called;
        called.reserve(functions.size());
        for (py::object const& function : functions) {
          Called const& one = called.emplace_back(function, raised);
          request.functions.emplace_back(
              [&one](double const* arguments, int count) { return one(arguments, count); });
        }
        auto const look_at = [&](CaseLook const& seen) {
          py::gil_scoped_acquire const acquire;
          try {
            py::dict forces;
            for (auto const& [name, force] : seen.forces) forces[py::str(name)] = force;
            return py::cast<bool>(look(seen.step, seen.time, dict_of(seen.fields), forces));
          } catch (py::error_already_set const&) {
            raised = std::current_exception();
            return false;
          }
        };
        try {
          CaseRun const found =
              watched(show, [&](Watch const& watch) { return run_case(request, watch, look_at); });
          if (raised) std::rethrow_exception(raised);
          return py::make_tuple(found.results, found.warnings,
                                found.fields ? py::object(dict_of(*found.fields)) : py::none());
        } catch (std::invalid_argument const&) {  // which may be what a function has led to
          if (raised) std::rethrow_exception(raised);
          throw;
        }
      });
}

}  // namespace

PYBIND11_MODULE(_tessera, module) {
  using Words = std::vector<std::string>;
  module.attr("version") = version_text();
  bind_coprocessor(module);
  bind_options(module);
  module.def(
      "permeability", [](py::array const& image, std::string const& type, AxisNames const& axes,
                         PermeabilityOptions const& options, py::object const& show) {
        VoxelArray const voxels = voxels_of(image, type, axes);
        Permeability const found =
            watched(show, [&](Watch const& watch) { return permeability(voxels, options, watch); });
        py::dict fields;
        for (AxisPermeability const& axis : found.axes)
          fields[py::str(std::string(1, axis.axis))] = dict_of(axis);
        return py::make_tuple(found.results, found.convergence, found.warnings, fields);
      });
  module.def(
      "sub_volumes", [](py::array const& image, std::string const& type, AxisNames const& axes,
                        RevOptions const& options, py::object const& show) {
        VoxelArray const voxels = voxels_of(image, type, axes);
        SubVolumes const found =
            watched(show, [&](Watch const& watch) { return sub_volumes(voxels, options, watch); });
        return py::make_tuple(found.results, found.warnings, found.csv);
      });
  auto const add_study = [&]<class Options>(
                             char const* name,
                             Study (*compute)(VoxelArray const&, Options const&, Watch const&)) {
    module.def(
        name, [compute](py::array const& image, std::string const& type, AxisNames const& axes,
                        Options const& options, py::object const& show) {
          VoxelArray const voxels = voxels_of(image, type, axes);
          Study const found =
              watched(show, [&](Watch const& watch) { return compute(voxels, options, watch); });
          return py::make_tuple(found.results, found.warnings, found.complete);
        });
  };
  add_study("forchheimer", forchheimer);
  add_study("phases", phases);
  bind_case(module);
  module.def("generate", [](Words const& options) {
    GeneratedImage const made =
        watched(py::none(), [&](Watch const& /*watch*/) { return generate(options); });
    return py::array_t<std::uint8_t>({made.shape[0], made.shape[1], made.shape[2]},
                                     made.pore.data());
  });
  module.def("info", [](py::array const& image, std::string const& type, AxisNames const& axes,
                        Labels const& labels) {
    VoxelArray const voxels = voxels_of(image, type, axes);
    return watched(py::none(), [&](Watch const& /*watch*/) { return info(voxels, labels); });
  });
}
