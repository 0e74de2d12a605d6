// SPDX-License-Identifier: MIT
#include "case/file/keys/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "case/file/keys/key_tables.hpp"

namespace tessera {

CaseKey const& CaseSection::key(std::string_view name) const {
  auto const found = std::ranges::find(keys, name, &CaseKey::name);
  if (found == keys.end()) throw std::logic_error(fmt::format("no key {} in [{}]", name, path));
  return *found;
}

std::string CaseSection::header() const {
  if (path.empty()) return "the file";
  return fmt::format("{}{}{}", repeated ? "[[" : "[", path, repeated ? "]]" : "]");
}

std::vector<CaseSection> const& case_sections(CaseMethod method) {
  static std::vector<CaseSection> const of_lattice = [] {
    std::vector<CaseSection> sections = flow_sections();
    std::ranges::move(output_sections(), std::back_inserter(sections));
    return sections;
  }();
  static std::vector<CaseSection> const of_gas = gas_sections();
  return method == CaseMethod::lattice ? of_lattice : of_gas;
}

CaseSection const* find_case_section(CaseMethod method, std::string_view path) {
  std::vector<CaseSection> const& all = case_sections(method);
  auto const found = std::ranges::find(all, path, &CaseSection::path);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tessera
