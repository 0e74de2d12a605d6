// SPDX-License-Identifier: MIT
// The keys of what flows: [geometry] to [initial].
#include <string>

#include "case/file/case_words.hpp"
#include "case/file/keys/key_tables.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {
namespace {

using enum KeyKind;

std::vector<std::string_view> type_words() {
  std::vector<std::string_view> words;
  words.reserve(std::size(boundary_types) + 1);
  for (BoundaryTypeTraits const& type : boundary_types) words.push_back(type.name);
  words.push_back(periodic_type);
  return words;
}

CaseSection units() {
  return {.path = "units",
          .meaning =
              "Where it stands, the case is in SI: see "
              "[units](#units-lattice-or-si). Give `time-step`, or `speed` and `lattice-speed`.",
          .keys = {key("voxel-size", number, "\"10um\"", "Edge of a voxel. Required.")
                       .of(dimension::length)
                       .positive(),
                   key("time-step", number, "\"2 us\"", "How long a step lasts.")
                       .of(dimension::time)
                       .positive(),
                   key("speed", number, "\"0.1 m/s\"",
                       "A speed of the flow, which is to be `lattice-speed`: sets the time step.")
                       .of(dimension::speed)
                       .positive(),
                   key("lattice-speed", number, "0.05", "`speed` in voxels a step.")
                       .positive()
                       .otherwise("0.05"),
                   key("density", number, "\"1000 kg/m3\"",
                       "Of the fluid at rest; 1000 kg/m3 unless said.")
                       .of(dimension::density)
                       .positive()}};
}

CaseSection geometry() {
  return {
      .path = "geometry",
      .meaning =
          "The box: `shape`, or an `image`, read with the options of `tessera permeability`. "
          "Faces that are not periodic and have no condition are walls.",
      .keys = {
          key("shape", number, "[440, 82, 1]",
              "Voxels along x, y, z. With nz = 1 the flow is plane. Of a raw image: the "
              "image's.")
              .three()
              .of(dimension::length)
              .positive(),
          key("image", file, "\"rock.tif\"",
              "Segmented or grey image of any format of docs/formats.md."),
          key("dtype", text, "\"uint16-be\"", "Raw image: type of a voxel.").otherwise("uint8"),
          key("header-bytes", whole, "512", "Raw image: bytes to skip.")
              .not_negative()
              .otherwise("0"),
          key("dataset", text, "\"segmented\"", "HDF5, NetCDF, npz, vti: which of several arrays."),
          key("axes", text, "\"zyx\"", "Image: order of the file's axes, fastest first.")
              .otherwise("xyz"),
          key("crop", text, "\"0:100,0:100,50:150\"", "Image: part to keep, x0:x1,y0:y1,z0:z1."),
          key("pore", text_or_number, "\"0,3-5\"", "Image: labels that are pore.").otherwise("0"),
          key("solid-labels", text_or_number, "1",
              "Image: labels that are solid. Unless said, the one label that is neither "
              "pore nor has a condition."),
          key("threshold", text_or_number, "\"<120\"",
              "Grey image: pore is below this value; or \">120\"."),
          key("periodic", word, "[\"z\"]", "Axes along which the box wraps.")
              .list()
              .one_of(words_of(axis_names))}};
}

CaseSection solid() {
  return {
      .path = "geometry.solid",
      .repeated = true,
      .meaning = "Something solid in the box; as many as there are.",
      .keys = {
          key("shape", word, "\"sphere\"", "Required.").one_of(words_of(solid_shape_names)),
          key("label", text, "\"ball\"",
              "Its name, for conditions and forces; solids that share it are one to them."),
          key("outside", flag, "true",
              "What is outside of the shape is solid: a cylinder becomes a pipe.")
              .otherwise("false"),
          key("center", number, "[20, 20, 20]",
              "Sphere, cylinder: from the lower corner of the box.")
              .three()
              .of(dimension::length),
          key("radius", number, "10", "Sphere, cylinder.").of(dimension::length).positive(),
          key("axis", word, "\"x\"", "Cylinder: direction of its axis.")
              .one_of(words_of(axis_names))
              .otherwise("z"),
          key("length", number, "40",
              "Cylinder: along its axis, half on either side of the center. Unless said, "
              "it never ends.")
              .of(dimension::length)
              .positive(),
          key("lower", number, "[10, 0, 0]", "Box: its lower corner.")
              .three()
              .of(dimension::length),
          key("upper", number, "[20, 30, 40]", "Box: its upper corner.")
              .three()
              .of(dimension::length),
          key("file", file, "\"artery.stl\"", "Stl: a closed surface."),
          key("scale", number, "\"1 mm\"", "Stl: how long the file's unit is; 1 voxel unless said.")
              .of(dimension::length)
              .positive(),
          key("translate", number, "[5, 5, 0]", "Stl: moved by, after the scaling.")
              .three()
              .of(dimension::length)
              .otherwise("0")}};
}

CaseSection fluid() {
  return {
      .path = "fluid",
      .meaning =
          "One of `viscosity`, `relaxation-time` and `reynolds`. `length` and `speed` "
          "define the Reynolds number, which sets the viscosity or is only reported.",
      .keys = {key("viscosity", number, "\"1e-6 m2/s\"", "Kinematic.")
                   .of(dimension::kinematic_viscosity)
                   .positive(),
               key("relaxation-time", number, "0.8",
                   "tau > 1/2 of the shear stresses, in steps: viscosity = (tau - 1/2) / 3, on "
                   "D3Q13 (tau - 1/2) / 2.")
                   .positive(),
               key("reynolds", number, "100", "speed * length / viscosity.").positive(),
               key("length", number, "20", "Reference length.").of(dimension::length).positive(),
               key("speed", number, "0.05", "Reference speed.").of(dimension::speed).positive()}};
}

CaseSection model() {
  static std::string const equilibrium =
      "stokes: creeping flow, linear. Unless said, navier-stokes; product for " +
      collisions_with_product() + ".";
  return {
      .path = "model",
      .meaning = "What goes together: [table](#what-goes-together).",
      .keys = {
          key("lattice", word, "\"D3Q27\"",
              "The velocity set. Unless said, D3Q19; D2Q9 where nz = 1; the one that the "
              "collision needs.")
              .one_of(words_of(lattice_names)),
          key("collision", word, "\"cumulants\"", "The collision operator.")
              .one_of(words_of(collision_names))
              .otherwise("trt"),
          key("equilibrium", word, "\"stokes\"", equilibrium).one_of(words_of(equilibrium_names)),
          key("magic", number, "0.25", "Lambda of trt and mrt, which says where walls stand.")
              .positive()
              .otherwise("0.1875"),
          key("smagorinsky", number, "0.1",
              "Large-eddy simulation with this constant C. Off unless said.")
              .positive(),
          key("precision", word, "\"double\"", "Of the populations; half is computed in single.")
              .one_of(words_of(precision_names))
              .otherwise("single")}};
}

CaseSection rates() {
  CaseSection section{
      .path = "model.rates",
      .meaning =
          "Relaxation rates between 0 and 2 of moments that are not shear stresses; "
          "chosen unless said."};
  for (RelaxationRate const& rate : relaxation_rates)
    section.keys.push_back(key(rate.name, number, "1.2", rate.meaning).positive());
  return section;
}

CaseSection boundary() {
  return {
      .path = "boundary",
      .repeated = true,
      .meaning =
          "A condition. Which keys belong to which type: "
          "[table](#boundary-conditions). Where there is none there is a wall.",
      .keys = {key("on", text, "\"x-\"",
                   "A face of the box (x- x+ y- y+ z- z+), the label of a solid, a list of "
                   "these; for type = \"periodic\" an axis.")
                   .one_or_list(),
               key("label", whole, "7", "A label of the image, instead of `on`."),
               key("type", word, "\"velocity\"", "Required.").one_of(type_words()),
               key("scheme", word, "\"zou-he\"",
                   "How it is done. Unless said, regularised for velocity and pressure on faces, "
                   "bounce-back and anti-bounce-back on labels, bounce-back for on-node walls, "
                   "convective for outflow.")
                   .one_of(words_of(scheme_names)),
               key("velocity", space_formula, "[\"4*U*y*(H-y)/H^2\", 0, 0]",
                   "Of the wall, or of the fluid.")
                   .three()
                   .of(dimension::speed),
               key("density", space_formula, "1.01", "type = \"pressure\": as a density.")
                   .of(dimension::density),
               key("pressure", space_formula, "\"2 Pa\"",
                   "type = \"pressure\": against that of the fluid at rest, (density - 1) / 3.")
                   .of(dimension::pressure),
               key("factor", time_formula, "\"sin(2*pi*t/1000)\"",
                   "The velocity, or the pressure, is multiplied by this.")
                   .otherwise("1"),
               key("density-drop", number, "0.001",
                   "type = \"periodic\": the density at the lower face less that at the upper.")
                   .of(dimension::density),
               key("pressure-drop", number, "\"0.5 Pa\"", "The same, as a pressure.")
                   .of(dimension::pressure)}};
}

CaseSection force() {
  return {.path = "force",
          .meaning = "A force on all of the fluid.",
          .keys = {key("body", number, "[1e-6, 0, 0]", "Force per mass.")
                       .three()
                       .of(dimension::acceleration)
                       .otherwise("0"),
                   key("factor", time_formula, "\"cos(t/500)\"", "The force is multiplied by this.")
                       .otherwise("1")}};
}

CaseSection initial() {
  return {.path = "initial",
          .meaning = "The fluid at step 0; at rest unless said.",
          .keys = {key("density", space_formula, "\"1 + 0.01*x/nx\"", "1 unless said.")
                       .of(dimension::density),
                   key("velocity", space_formula, "[\"0.05*sin(2*pi*y/ny)\", 0, 0]",
                       "At rest unless said.")
                       .three()
                       .of(dimension::speed)
                       .otherwise("0")}};
}

}  // namespace

std::vector<CaseSection> flow_sections() {
  return {top_section(), constants_section(), units(), geometry(), solid(), fluid(), model(),
          rates(),       boundary(),          force(), initial()};
}

}  // namespace tessera
