// SPDX-License-Identifier: MIT
// The keys of how long it is computed, by whom, and what is written: [stop] to [run].
#include "case/file/case_words.hpp"
#include "case/file/keys/key_tables.hpp"
#include "io/fields/field_files.hpp"

namespace tessera {
namespace {

using enum KeyKind;

CaseSection stop() {
  return {
      .path = "stop",
      .meaning = "`steps`, or `stop.steady`, or both: what comes first.",
      .keys = {
          key("steps", steps, "20000", "The last step, or a time such as \"2 s\".").positive()}};
}

CaseSection steady() {
  return {.path = "stop.steady",
          .meaning =
              "The flow ends when it is steady: `steady = { tolerance = 1e-6, every = 500 "
              "}` in `[stop]`. A fluid that has come to rest is steady, too.",
          .keys = {key("tolerance", number, "1e-5", "Relative change of the velocities.")
                       .positive()
                       .otherwise("1e-6"),
                   key("every", steps, "500", "Between the states that are compared.")
                       .positive()
                       .otherwise("1000")}};
}

CaseSection output() {
  return {.path = "output",
          .meaning = "What is written beside results.json.",
          .keys = {key("fields-format", word, "\"npz\"", "Of the fields and of the averages.")
                       .one_of(words_of(field_format_names))
                       .otherwise("vtkhdf")}};
}

CaseSection fields() {
  return {
      .path = "output.fields",
      .meaning =
          "Velocity, density and pressure on all voxels, as fields.vtkhdf, or another "
          "`fields-format`.",
      .keys = {
          every_key("Steps from one to the next."),
          key("at", steps, "[0, 5000]", "At these steps; not with `every`.").list().not_negative(),
          key("final", flag, "false", "After the last step.").otherwise("true")}};
}

CaseSection probe() {
  return {.path = "output.probe",
          .repeated = true,
          .meaning = "Density and velocity at a point, against the step.",
          .keys = {name_key("\"wake\""),
                   key("at", number, "[100, 20, 0.5]", "Required.").three().of(dimension::length),
                   every_key("Steps from one value to the next.", "1")}};
}

CaseSection line() {
  return {
      .path = "output.line",
      .repeated = true,
      .meaning = "Density and velocity along a line.",
      .keys = {name_key("\"centre\""),
               key("from", number, "[64, 0, 0.5]", "Required.").three().of(dimension::length),
               key("to", number, "[64, 128, 0.5]", "Required.").three().of(dimension::length),
               key("points", whole, "129", "With both ends; unless said, one voxel apart or less.")
                   .positive(),
               every_key("Steps from one to the next."),
               key("final", flag, "false", "After the last step.").otherwise("true")}};
}

CaseSection force_output() {
  return {
      .path = "output.force",
      .repeated = true,
      .meaning =
          "The force of the fluid on a solid or on a face, against the step; with `speed` "
          "and `area` (or `length`) its coefficients F / (rho U^2 A / 2).",
      .keys = {
          name_key("\"drag\""), key("on", text, "\"ball\"", "A face or the label of a solid."),
          key("label", whole, "7", "A label of the image, instead of `on`."),
          every_key("Steps from one value to the next.", "1"),
          key("speed", number, "0.05", "Reference speed U.").of(dimension::speed).positive(),
          key("area", number, "\"pi * 10^2\"", "Reference area A.").of(dimension::area).positive(),
          key("length", number, "20", "Instead of the area: A is this times nz voxels.")
              .of(dimension::length)
              .positive(),
          key("about", number, "[64, 64, 64]", "The torque about this point is written, too.")
              .three()
              .of(dimension::length)}};
}

CaseSection averages() {
  return {.path = "output.averages",
          .meaning = "Means over time, on all voxels, written at the end.",
          .keys = {key("from", steps, "50000", "First step.").not_negative().otherwise("0"),
                   every_key("Steps from one state to the next.", "1"),
                   key("quantities", word, R"(["velocity", "reynolds-stresses"])", "Of what.")
                       .list()
                       .one_of(words_of(average_names))
                       .otherwise("velocity")}};
}

CaseSection strouhal() {
  return {
      .path = "output.strouhal",
      .repeated = true,
      .meaning = "The frequency of a signal: f * length / speed, in results.json.",
      .keys = {
          name_key("\"shedding\""),
          key("of", text, "\"drag\"", "Name of a probe or a force. Required."),
          key("signal", word, "\"y\"", "Component of the velocity or force; density of a probe.")
              .one_of(words_of(signal_names))
              .otherwise("y"),
          key("from", steps, "20000", "What was before is left out.").not_negative().otherwise("0"),
          key("length", number, "20", "Required.").of(dimension::length).positive(),
          key("speed", number, "0.05", "Required.").of(dimension::speed).positive()}};
}

}  // namespace

std::vector<CaseSection> output_sections() {
  return {stop(),           steady(),       output(),   fields(),   probe(),
          line(),           force_output(), averages(), strouhal(), checkpoint_section(),
          insitu_section(), run_section()};
}

}  // namespace tessera
