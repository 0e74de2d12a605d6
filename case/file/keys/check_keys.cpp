// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "case/file/section_reader.hpp"
#include "io/nearest_word.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

/// The section directly in this one, or nullptr.
CaseSection const* section_in(CaseMethod method, CaseSection const& parent, std::string_view name) {
  std::string const path =
      parent.path.empty() ? std::string(name) : fmt::format("{}.{}", parent.path, name);
  CaseSection const* const found = find_case_section(method, path);
  return found == nullptr || found->path.empty() ? nullptr : found;
}

/// Keys, and sections directly in this one.
std::vector<std::string_view> names_in(CaseMethod method, CaseSection const& parent) {
  std::vector<std::string_view> names;
  names.reserve(parent.keys.size());
  for (CaseKey const& key : parent.keys) names.push_back(key.name);
  std::size_t const begin = parent.path.empty() ? 0 : parent.path.size() + 1;
  for (CaseSection const& section : case_sections(method)) {
    bool const inside = section.path.size() > begin && section.path.starts_with(parent.path) &&
                        (begin == 0 || section.path[begin - 1] == '.');
    if (inside && section.path.find('.', begin) == std::string_view::npos)
      names.push_back(section.path.substr(begin));
  }
  return names;
}

void check_table(CaseReading const& reading, CaseSection const& section, TomlNode const& table);

/// A section as it should be: a table, or several.
void check_section(CaseReading const& reading, CaseSection const& section, TomlEntry const& entry) {
  std::string const path(section.path);
  if (!section.repeated) {
    if (entry.node.table() == nullptr) {
      reading.refuse(entry.line,
                     fmt::format("'{}' is {}: expected a table, [{}]", path,
                                 entry.node.array() != nullptr ? "a list" : "a value", path));
    }
    return check_table(reading, section, entry.node);
  }
  if (entry.node.array() == nullptr) {
    reading.refuse(entry.line, fmt::format("'{}' is not a list: expected [[{}]], as there may be "
                                           "several",
                                           path, path));
  }
  for (TomlNode const& table : *entry.node.array()) {
    if (table.table() == nullptr)
      reading.refuse(table.line, fmt::format("{} in '{}': expected tables, [[{}]]", table.spelled(),
                                             path, path));
    check_table(reading, section, table);
  }
}

void check_table(CaseReading const& reading, CaseSection const& section, TomlNode const& table) {
  for (TomlEntry const& entry : *table.table()) {
    if (section.any_key) continue;
    if (CaseSection const* inner = section_in(reading.method, section, entry.key)) {
      check_section(reading, *inner, entry);
    } else if (std::ranges::find(section.keys, entry.key, &CaseKey::name) == section.keys.end()) {
      bool const is_section = entry.node.table() != nullptr || section.path.empty();
      reading.refuse(entry.line,
                     fmt::format("unknown {} '{}' in {}{}", is_section ? "section" : "key",
                                 printable(entry.key), section.header(),
                                 did_you_mean(entry.key, names_in(reading.method, section))));
    }
  }
}

}  // namespace

void check_keys(CaseReading const& reading) {
  check_table(reading, reading.section(""), reading.root);
}

}  // namespace tessera
