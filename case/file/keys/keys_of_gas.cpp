// SPDX-License-Identifier: MIT
// The keys of cases of spectral differences.
#include "case/file/case_words.hpp"
#include "case/file/gas_words.hpp"
#include "case/file/keys/key_tables.hpp"

namespace tessera {
namespace {

using enum KeyKind;

CaseSection mesh() {
  return {
      .path = "mesh",
      .meaning =
          "A `box` of `cells`, in two or three dimensions, bent as the formulas say; or a `file`. "
          "Sides that are not periodic need a condition each.",
      .keys = {
          key("file", file, "\"bump.msh\"",
              "Mesh of Gmsh, version 2.2 or 4.1: quadrilaterals or hexahedra of order 1 to 3. "
              "Physical groups name the sides; periodic ones are."),
          key("box", number, "[10, 10]", "Size of the box.").axes().positive(),
          key("origin", number, "[-5, -5]", "Its lower corner.").axes().otherwise("0"),
          key("cells", whole, "[20, 20]", "Elements along each axis of the box.").axes().positive(),
          key("bend", space_formula, R"(["x", "y + x^2/10"])", "Where a point of the box goes.")
              .axes(),
          key("map-degree", whole, "3",
              "Degree of the curved elements that a bent box is made of, 1 to 4. Unless said, 3; "
              "1 without `bend`.")
              .positive(),
          key("degree", space_formula, "\"3 + 2*(x > 5)\"",
              "Of the polynomials that the flow is in an element, 0 to 8: perhaps a formula of its "
              "middle, in the box before it is bent.")
              .not_negative()
              .otherwise("3"),
          key("periodic", word, R"(["x", "y"])", "Axes along which the box wraps.")
              .list()
              .one_of(words_of(axis_names))}};
}

CaseSection formulas() {
  return {.path = "formulas",
          .any_key = true,
          .meaning =
              "Names for formulas of x, y, z and, in [initial] (where it is 0) and "
              "[output.exact], t: `r2 = \"(x-5)^2 + y^2\"`. One may use constants and those above "
              "it."};
}

CaseSection gas() {
  return {
      .path = "gas",
      .meaning = "A perfect gas without viscosity.",
      .keys = {
          key("gamma", number, "1.4", "Ratio of its heat capacities.").positive().otherwise("1.4"),
          key("R", number, "287.05",
              "Gas constant, pressure = density R temperature: with it, fields have a "
              "temperature.")
              .positive()}};
}

CaseSection gas_model() {
  return {.path = "model",
          .meaning = "How fluxes are found, and with which numbers.",
          .keys = {key("riemann", word, "\"hllc\"", "The flux between two elements.")
                       .one_of(words_of(riemann_names))
                       .otherwise("roe"),
                   key("entropy-fix", number, "0.1",
                       "Roe: below this share of the speed of sound, speeds of acoustic waves are "
                       "rounded off (Harten).")
                       .not_negative()
                       .otherwise("0"),
                   key("precision", word, "\"single\"", "Of all numbers.")
                       .one_of(words_of(gas_precision_names))
                       .otherwise("double")}};
}

CaseSection gas_initial() {
  return {.path = "initial",
          .meaning = "The gas at time 0.",
          .keys = {key("density", space_formula, "\"1 + 0.2*sin(2*pi*x)\"", "Required.").positive(),
                   key("velocity", space_formula, "[0.5, \"0.1*y\"]", "At rest unless said.")
                       .axes()
                       .otherwise("0"),
                   key("pressure", space_formula, "1", "Required.").positive()}};
}

CaseSection gas_boundary() {
  return {
      .path = "boundary",
      .repeated = true,
      .meaning =
          "A condition; which values belong to which type: [spectral.md](#boundary-conditions).",
      .keys = {key("on", text, R"(["y-", "y+"])",
                   "A side of the box (x- x+ y- y+ z- z+), a physical group of the file, or a list "
                   "of these. Required.")
                   .one_or_list(),
               key("type", word, "\"far-field\"", "Required.").one_of(words_of(gas_boundary_names)),
               key("density", space_formula, "1.2", "Outside.").positive(),
               key("velocity", space_formula, "[0.5, 0]", "Outside.").axes(),
               key("pressure", space_formula, "1", "Outside.").positive()}};
}

CaseSection stepping() {
  return {.path = "time",
          .meaning = "How it is stepped: by `cfl`, or with a fixed `dt`.",
          .keys = {key("integrator", word, "\"ssp-rk3\"", "Of Runge and Kutta's kind.")
                       .one_of(words_of(integrator_names))
                       .otherwise("carpenter-kennedy"),
                   key("cfl", number, "0.9", "A step as a share of the longest stable one.")
                       .positive()
                       .otherwise("0.5"),
                   key("dt", number, "0.01", "A step, always the same.").positive(),
                   key("exact", flag, "true",
                       "With `cfl`: by the state that the step begins with, for which all tiles "
                       "wait. Unless said by the one a step before, which costs nothing.")
                       .otherwise("false")}};
}

CaseSection gas_stop() {
  return {.path = "stop",
          .meaning = "`time`, or `steps`, or both: what comes first.",
          .keys = {key("time", number, "10", "Reached exactly, by a shorter last step.").positive(),
                   key("steps", whole, "480", "The last step.").positive()}};
}

CaseSection gas_output() {
  return {.path = "output",
          .meaning = "What is written beside results.json.",
          .keys = {key("records-every", whole, "10",
                       "Steps between the rows of records.csv: mass, momentum, energy, entropy; "
                       "of errors.csv, if there is [output.exact].")
                       .positive()
                       .otherwise("100")}};
}

CaseSection gas_fields() {
  return {.path = "output.fields",
          .meaning = "Density, velocity and pressure on the elements, as fields.vtkhdf.",
          .keys = {every_key("Steps from one to the next."),
                   key("final", flag, "false", "After the last step.").otherwise("true")}};
}

CaseSection exact() {
  return {.path = "output.exact",
          .meaning = "What the flow should be: errors.csv has how far it is from that.",
          .keys = {key("density", field_formula, "\"1 + 0.2*sin(2*pi*(x - t))\"", "Required."),
                   key("velocity", field_formula, "[1, 0]", "0 unless said.").axes().otherwise("0"),
                   key("pressure", field_formula, "1", "Required.")}};
}

CaseSection gas_probe() {
  return {.path = "output.probe",
          .repeated = true,
          .meaning = "Density, velocity and pressure at a point, against the time.",
          .keys = {name_key("\"wake\""), key("at", number, "[5, 2.5]", "Required.").axes(),
                   every_key("Steps from one value to the next.", "1")}};
}

}  // namespace

std::vector<CaseSection> gas_sections() {
  return {top_section(),    constants_section(), formulas(),     mesh(),      gas(),
          gas_model(),      gas_initial(),       gas_boundary(), stepping(),  gas_stop(),
          gas_output(),     gas_fields(),        exact(),        gas_probe(), checkpoint_section(),
          insitu_section(), run_section()};
}

}  // namespace tessera
