// SPDX-License-Identifier: MIT
// libtessera for Python: what python/tessera/ builds on.
#include "interfaces/python/bindings.hpp"

PYBIND11_MODULE(_tessera, module) {
  using namespace tessera::python;
  module.attr("version") = tessera::version_text();
  bind_options(module);
  bind_images(module);
  bind_case(module);
  bind_coprocessor(module);
}
