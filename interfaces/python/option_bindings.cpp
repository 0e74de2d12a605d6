// SPDX-License-Identifier: MIT
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "interfaces/api/tessera.hpp"
#include "interfaces/python/bindings.hpp"

namespace tessera::python {

void bind_options(py::module_& module) {
  py::class_<Labels>(module, "Labels")
      .def(py::init())
      .def_readwrite("pore", &Labels::pore)
      .def_readwrite("solid", &Labels::solid)
      .def_readwrite("threshold", &Labels::threshold)
      .def_readwrite("outside", &Labels::outside);
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
      .def_readwrite("grey", &PermeabilityOptions::grey)
      .def_readwrite("grey_values", &PermeabilityOptions::grey_values)
      .def_readwrite("slip", &PermeabilityOptions::slip)
      .def_readwrite("gas", &PermeabilityOptions::gas)
      .def_readwrite("temperature", &PermeabilityOptions::temperature)
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
      .def_readwrite("seed", &RevOptions::seed)
      .def_readwrite("grey", &RevOptions::grey)
      .def_readwrite("grey_values", &RevOptions::grey_values)
      .def_readwrite("diffusion", &RevOptions::diffusion)
      .def_readwrite("conductivity", &RevOptions::conductivity);
  py::class_<ForchheimerOptions>(module, "ForchheimerOptions")
      .def(py::init())
      .def_readwrite("flow", &ForchheimerOptions::flow)
      .def_readwrite("reynolds", &ForchheimerOptions::reynolds)
      .def_readwrite("max_steps", &ForchheimerOptions::max_steps);
  py::class_<DiffusionOptions>(module, "DiffusionOptions")
      .def(py::init())
      .def_readwrite("flow", &DiffusionOptions::flow)
      .def_readwrite("conductivity", &DiffusionOptions::conductivity)
      .def_readwrite("values_conduct", &DiffusionOptions::values_conduct)
      .def_readwrite("diffusivity", &DiffusionOptions::diffusivity)
      .def_readwrite("refine", &DiffusionOptions::refine)
      .def_readwrite("max_iterations", &DiffusionOptions::max_iterations)
      .def_readwrite("fields", &DiffusionOptions::fields);
  py::class_<PhasesOptions>(module, "PhasesOptions")
      .def(py::init())
      .def_readwrite("flow", &PhasesOptions::flow)
      .def_readwrite("phase", &PhasesOptions::phase);
}

}  // namespace tessera::python
