// SPDX-License-Identifier: MIT
// The parts of the module, each of which adds what it has.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "interfaces/api/tessera.hpp"

namespace tessera::python {

namespace py = pybind11;

/// Labels, and the options of permeabilities and studies.
void bind_options(py::module_& module);
/// Permeabilities, studies, images.
void bind_images(py::module_& module);
/// Runs of case files.
void bind_case(py::module_& module);
/// Boxes of another program's lattice.
void bind_coprocessor(py::module_& module);

/// Velocity, pressure and density as arrays, which keep what they lie in.
py::dict dict_of(FlowFields const& fields);

}  // namespace tessera::python
