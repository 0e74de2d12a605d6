// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

/// Adds the co-processor to the module.
void bind_coprocessor(pybind11::module_& module);
