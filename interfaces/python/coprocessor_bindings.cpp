// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interfaces/api/coprocessor.hpp"
#include "interfaces/python/bindings.hpp"

namespace tessera::python {
namespace {

using CellsInPython = std::tuple<std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>;

std::vector<CellsInPython> in_python(std::vector<Cells> const& cells) {
  std::vector<CellsInPython> list;
  list.reserve(cells.size());
  for (Cells const& c : cells) list.emplace_back(c.begin, c.size);
  return list;
}

std::vector<Cells> from_python(std::vector<CellsInPython> const& cells) {
  std::vector<Cells> list;
  list.reserve(cells.size());
  for (auto const& [begin, size] : cells) list.push_back({begin, size});
  return list;
}

/// Populations in a NumPy array [x, y, z, velocity], which are not copied.
Populations populations_of(py::array array, bool writable) {
  Populations found;
  found.data = writable ? array.mutable_data() : const_cast<void*>(std::as_const(array).data());
  // Not array.itemsize(): pybind11 before 2.12 reads it wrongly from NumPy 2.
  auto const bytes = py::cast<py::ssize_t>(array.attr("itemsize"));
  found.double_precision = bytes == sizeof(double);
  for (py::ssize_t a = 0; a < 4; ++a)  // NumPy may say anything along an axis of one element
    found.strides[static_cast<std::size_t>(a)] = array.shape(a) == 1 ? 1 : array.strides(a) / bytes;
  return found;
}

}  // namespace

void bind_coprocessor(py::module_& module) {
  using Released = py::call_guard<py::gil_scoped_release>;
  py::class_<CoProcessorOptions>(module, "CoProcessorOptions")
      .def(py::init<>())
      .def_readwrite("velocities", &CoProcessorOptions::velocities)
      .def_readwrite("lattice", &CoProcessorOptions::lattice)
      .def_readwrite("order", &CoProcessorOptions::order)
      .def_readwrite("shifted", &CoProcessorOptions::shifted)
      .def_readwrite("before_collision", &CoProcessorOptions::before_collision)
      .def_readwrite("relaxation_rate", &CoProcessorOptions::relaxation_rate)
      .def_readwrite("odd_rate", &CoProcessorOptions::odd_rate)
      .def_readwrite("force", &CoProcessorOptions::force)
      .def_readwrite("linear", &CoProcessorOptions::linear)
      .def_readwrite("double_precision", &CoProcessorOptions::double_precision)
      .def_readwrite("gpus", &CoProcessorOptions::gpus)
      .def_readwrite("cores", &CoProcessorOptions::cores);
  py::class_<CoProcessor>(module, "CoProcessor")
      .def(py::init<CoProcessorOptions const&>(), Released())
      .def("add_box", &CoProcessor::add_box)
      .def("whole", [](CoProcessor const& c, int box) { return in_python({c.whole(box)}); })
      .def("computed", [](CoProcessor const& c, int box) { return in_python({c.computed(box)}); })
      .def("outer_envelope",
           [](CoProcessor const& c, int box) { return in_python(c.outer_envelope(box)); })
      .def("inner_envelope",
           [](CoProcessor const& c, int box) { return in_python(c.inner_envelope(box)); })
      .def("send",
           [](CoProcessor& c, int box, py::array const& array,
              std::vector<CellsInPython> const& cells) {
             Populations const from = populations_of(array, false);
             py::gil_scoped_release const release;
             c.send(box, from, from_python(cells));
           })
      .def("collide_and_stream", &CoProcessor::collide_and_stream, Released())
      .def("receive",
           [](CoProcessor& c, int box, py::array const& array,
              std::vector<CellsInPython> const& cells) {
             Populations const to = populations_of(array, true);
             py::gil_scoped_release const release;
             c.receive(box, to, from_python(cells));
           })
      .def("wait", &CoProcessor::wait, Released())
      .def_static("gpus", &CoProcessor::gpus)
      .def("workers", &CoProcessor::workers);
}

}  // namespace tessera::python
