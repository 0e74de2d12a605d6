// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "case/file/case_parts.hpp"
#include "case/file/overrides.hpp"

namespace tessera {

CaseMethod method_of_case(std::filesystem::path const& path) {
  CaseReading reading{.file = path.string(), .root = read_toml(path), .units = {}, .constants = {}};
  return SectionReader(reading, "").word_in(case_method_names, "method");
}

namespace {
void check_method(CaseReading const& reading) {
  SectionReader const top(reading, "");
  if (top.word_in(case_method_names, "method") == reading.method) return;
  top.refuse_value("method", std::string(name_in(case_method_names, reading.method)));
}
}  // namespace

CaseReading begin_reading(std::filesystem::path const& path,
                          std::vector<std::string> const& overrides, CaseMethod method) {
  CaseReading reading{.file = path.string(),
                      .root = read_toml(path),
                      .method = method,
                      .units = {},
                      .constants = {},
                      .overrides = overrides};
  check_method(reading);
  check_keys(reading);
  if (overrides.empty()) return reading;
  override_values(reading);
  check_method(reading);
  check_keys(reading);
  return reading;
}

Case read_case(std::filesystem::path const& path, std::vector<std::string> const& overrides,
               std::filesystem::path const& other_folder) {
  CaseReading reading = begin_reading(path, overrides, CaseMethod::lattice);
  std::filesystem::path const folder = other_folder.empty() ? path.parent_path() : other_folder;

  Case c;
  c.file = path;
  c.overrides = overrides;
  c.input = reading.root;
  SectionReader const top(reading, "");
  if (top.given("title")) c.title = top.text("title");
  c.units = reading.units = read_units(reading);
  c.constants = read_constants(reading);
  c.geometry = read_geometry(reading, folder);
  add_box_constants(reading, c.geometry.shape);
  c.model = read_model(reading, c.geometry.shape);
  c.fluid = read_fluid(reading, c.model.lattice);
  read_boundaries(reading, c);
  complete_pore_rule(reading, c);
  c.force = read_force(reading);
  c.initial = read_initial(reading);
  c.stop = read_stop(reading);
  c.output = read_output(reading, c);
  c.insitu = read_insitu(reading, folder);
  c.run = read_run(reading);
  check_case(reading, c);
  return c;
}

}  // namespace tessera
