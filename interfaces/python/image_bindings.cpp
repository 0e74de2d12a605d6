// SPDX-License-Identifier: MIT
// Permeabilities, studies and images for Python.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interfaces/api/tessera.hpp"
#include "interfaces/python/bindings.hpp"
#include "interfaces/python/watched.hpp"

namespace tessera::python {
namespace {

using AxisNames = std::array<std::string, 3>;

VoxelArray voxels_of(py::array const& array, std::string const& type, AxisNames const& axes) {
  VoxelArray voxels{.data = array.data(), .type = type};
  voxels.axis_names = axes;
  for (std::size_t a = 0; a < 3; ++a) voxels.shape[a] = array.shape(static_cast<py::ssize_t>(a));
  voxels.first_axis_fastest = (array.flags() & py::array::c_style) == 0;
  return voxels;
}

/// An array on the voxels that FlowFields or DiffusionFields are of.
template <class Fields>
py::array array_of(Fields const& fields, float const* values, bool vectors) {
  std::vector<py::ssize_t> shape(fields.shape.begin(), fields.shape.end());
  if (vectors) shape.push_back(3);
  py::capsule const keeper(new std::shared_ptr<void const>(fields.keeper), [](void* kept) {
    delete static_cast<std::shared_ptr<void const>*>(kept);
  });
  return py::array_t<float>(shape, values, keeper);
}

py::dict fields_of(AxisPermeability const& found) {
  if (!found.fields) return {};
  py::dict axis = dict_of(*found.fields);
  axis["write"] = py::cpp_function(found.write_fields, py::call_guard<py::gil_scoped_release>());
  return axis;
}

py::tuple permeability_of(py::array const& image, std::string const& type, AxisNames const& axes,
                          PermeabilityOptions const& options, py::object const& show) {
  VoxelArray const voxels = voxels_of(image, type, axes);
  Permeability const found =
      watched(show, [&](Watch const& watch) { return permeability(voxels, options, watch); });
  py::dict fields;
  for (AxisPermeability const& axis : found.axes)
    fields[py::str(std::string(1, axis.axis))] = fields_of(axis);
  return py::make_tuple(found.results, found.convergence, found.warnings, fields);
}

py::tuple sub_volumes_of(py::array const& image, std::string const& type, AxisNames const& axes,
                         RevOptions const& options, py::object const& show) {
  VoxelArray const voxels = voxels_of(image, type, axes);
  SubVolumes const found =
      watched(show, [&](Watch const& watch) { return sub_volumes(voxels, options, watch); });
  return py::make_tuple(found.results, found.warnings, found.csv);
}

template <class Options, Study (*compute)(VoxelArray const&, Options const&, Watch const&)>
py::tuple study_of(py::array const& image, std::string const& type, AxisNames const& axes,
                   Options const& options, py::object const& show) {
  VoxelArray const voxels = voxels_of(image, type, axes);
  Study const found =
      watched(show, [&](Watch const& watch) { return compute(voxels, options, watch); });
  return py::make_tuple(found.results, found.warnings, found.complete);
}

py::tuple diffusion_of(py::array const& image, std::string const& type, AxisNames const& axes,
                       DiffusionOptions const& options, py::object const& show) {
  VoxelArray const voxels = voxels_of(image, type, axes);
  Diffusion const found =
      watched(show, [&](Watch const& watch) { return diffusion(voxels, options, watch); });
  py::dict fields;
  for (DiffusionFields const& axis : found.fields) {
    fields[py::str(std::string(1, axis.axis))] =
        py::make_tuple(array_of(axis, axis.concentration, false), array_of(axis, axis.flux, true));
  }
  return py::make_tuple(found.results, found.warnings, found.complete, fields);
}

py::array generated(std::vector<std::string> const& options) {
  GeneratedImage const made =
      watched(py::none(), [&](Watch const& /*watch*/) { return generate(options); });
  return py::array_t<std::uint8_t>({made.shape[0], made.shape[1], made.shape[2]}, made.pore.data());
}

std::string info_of(py::array const& image, std::string const& type, AxisNames const& axes,
                    Labels const& labels) {
  VoxelArray const voxels = voxels_of(image, type, axes);
  return watched(py::none(), [&](Watch const& /*watch*/) { return info(voxels, labels); });
}

}  // namespace

py::dict dict_of(FlowFields const& fields) {
  return py::dict(py::arg("velocity") = array_of(fields, fields.velocity, true),
                  py::arg("pressure") = array_of(fields, fields.pressure, false),
                  py::arg("density") = array_of(fields, fields.density, false));
}

void bind_images(py::module_& module) {
  module.def("permeability", permeability_of);
  module.def("sub_volumes", sub_volumes_of);
  module.def("forchheimer", study_of<ForchheimerOptions, forchheimer>);
  module.def("phases", study_of<PhasesOptions, phases>);
  module.def("diffusion", diffusion_of);
  module.def("generate", generated);
  module.def("info", info_of);
}

}  // namespace tessera::python
