// SPDX-License-Identifier: MIT
// Cases for Python: functions of formulas, and looks at the running flow.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/api/tessera.hpp"
#include "interfaces/python/bindings.hpp"
#include "interfaces/python/watched.hpp"

namespace tessera::python {
namespace {

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

}  // namespace

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

}  // namespace tessera::python
