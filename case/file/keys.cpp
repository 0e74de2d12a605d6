// SPDX-License-Identifier: MIT
#include "case/file/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "case/file/key_tables.hpp"

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

std::vector<CaseSection> const& case_sections() {
  static std::vector<CaseSection> const all = [] {
    std::vector<CaseSection> sections = flow_sections();
    std::ranges::move(output_sections(), std::back_inserter(sections));
    return sections;
  }();
  return all;
}

CaseSection const& case_section(std::string_view path) {
  auto const found = std::ranges::find(case_sections(), path, &CaseSection::path);
  if (found == case_sections().end())
    throw std::logic_error(fmt::format("no section [{}] in case files", path));
  return *found;
}

}  // namespace tessera
