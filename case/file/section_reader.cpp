// SPDX-License-Identifier: MIT
#include "case/file/section_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "case/file/expected.hpp"
#include "io/nearest_word.hpp"
#include "io/text.hpp"

namespace tessera {

void CaseReading::refuse(int line, std::string const& what) const {
  if (line >= 0) throw BadInput(fmt::format("{}:{}: {}", file, line, what));
  std::string const& text = overrides.at(static_cast<std::size_t>(-1 - line));
  throw BadInput(fmt::format("{} {}: {}", setting_name("set", "settings"), printable(text), what));
}

CaseSection const& CaseReading::section(std::string_view path) const {
  CaseSection const* const found = find_case_section(method, path);
  if (found == nullptr) throw std::logic_error(fmt::format("no section [{}] in case files", path));
  return *found;
}

SectionReader::SectionReader(CaseReading const& reading, std::string_view path)
    : reading_(&reading), keys_(&reading.section(path)), table_(&reading.root) {
  for (std::size_t at = 0; at < path.size() && table_ != nullptr;) {
    std::size_t const dot = std::min(path.find('.', at), path.size());
    table_ = table_->find(path.substr(at, dot - at));
    at = dot + 1;
  }
}

SectionReader::SectionReader(CaseReading const& reading, CaseSection const& keys,
                             TomlNode const& table)
    : reading_(&reading), keys_(&keys), table_(&table) {}

std::vector<SectionReader> SectionReader::all(CaseReading const& reading, std::string_view path) {
  std::vector<SectionReader> readers;
  SectionReader const whole(reading, path);
  if (whole.table_ == nullptr) return readers;
  for (TomlNode const& table : *whole.table_->array())
    readers.emplace_back(reading, *whole.keys_, table);
  return readers;
}

TomlNode const* SectionReader::find(std::string_view key) const {
  key_of(key);  // has to be in the table
  return table_ == nullptr ? nullptr : table_->find(key);
}

int SectionReader::line(std::string_view key) const {
  TomlNode const* node = key.empty() ? nullptr : find(key);
  return node != nullptr ? node->line : table_ != nullptr ? table_->line : 1;
}

void SectionReader::refuse(std::string_view key, std::string const& what) const {
  reading_->refuse(line(key), what);
}

void SectionReader::refuse_value(std::string_view key, std::string const& expected) const {
  TomlNode const node = value(key);
  reading_->refuse(node.line, fmt::format("{} = {}: expected {}", key, node.spelled(), expected));
}

void SectionReader::refuse_node(CaseKey const& key, TomlNode const& node,
                                std::string const& why) const {
  reading_->refuse(node.line, fmt::format("{} = {}{}: expected {}", key.name, node.spelled(), why,
                                          expected(key, reading_->units.si)));
}

void SectionReader::allow_only(std::vector<std::string_view> const& keys,
                               std::string const& why) const {
  for (CaseKey const& key : keys_->keys) {
    if (!given(key.name) || std::ranges::find(keys, key.name) != keys.end()) continue;
    std::vector<std::string> const names(keys.begin(), keys.end());
    refuse(key.name,
           fmt::format("'{}' {}: expected {}", key.name, why,
                       names.empty() ? "no other key" : "no key but " + joined(names, ", ")));
  }
}

TomlNode SectionReader::value(std::string_view name) const {
  if (TomlNode const* node = find(name)) return *node;
  CaseKey const& key = key_of(name);
  if (!key.fallback.empty()) {
    if (key.kind == KeyKind::flag) return {line(), key.fallback == "true"};
    TomlNode one{line(), std::string(key.fallback)};
    if (key.count == KeyCount::three || key.count == KeyCount::axes)
      return {line(), TomlArray{one, one, one}};
    if (key.count == KeyCount::list) return {line(), TomlArray{one}};
    return one;
  }
  std::string const wanted = expected(key, reading_->units.si);
  if (table_ == nullptr)
    reading_->refuse(
        1, fmt::format("there is no {}: expected one with {}, {}", keys_->header(), name, wanted));
  reading_->refuse(line(),
                   fmt::format("{} has no '{}': expected {}", keys_->header(), name, wanted));
}

TomlArray SectionReader::elements(std::string_view name) const {
  TomlNode node = value(name);
  if (node.array() != nullptr) return *node.array();
  CaseKey const& key = key_of(name);
  if (key.count != KeyCount::one_or_list) refuse_node(key, node);
  return {node};
}

TomlArray SectionReader::components(std::string_view name) const {
  TomlNode const node = value(name);
  if (node.array() == nullptr || node.array()->size() != 3) refuse_node(key_of(name), node);
  return *node.array();
}

TomlArray SectionReader::axis_nodes(std::string_view name, std::size_t axes) const {
  TomlNode const node = value(name);
  if (node.array() == nullptr) refuse_node(key_of(name), node);
  TomlArray nodes = *node.array();
  if (!given(name)) nodes.resize(axes == 0 ? nodes.size() : axes);  // the default
  bool const fits = axes == 0 ? nodes.size() == 2 || nodes.size() == 3 : nodes.size() == axes;
  if (!fits && (nodes.size() == 2 || nodes.size() == 3))
    refuse_value(name, fmt::format("{} values, as the case has {} axes", axes, axes));
  if (!fits) refuse_node(key_of(name), node);
  return nodes;
}

std::string SectionReader::text_of(CaseKey const& key, TomlNode const& node) const {
  if (key.kind == KeyKind::text_or_number && node.is_number()) return node.spelled();
  if (node.text() == nullptr || node.text()->empty()) refuse_node(key, node);
  return *node.text();
}

std::string SectionReader::text(std::string_view name) const {
  return text_of(key_of(name), value(name));
}

std::vector<std::string> SectionReader::texts(std::string_view name) const {
  std::vector<std::string> found;
  for (TomlNode const& node : elements(name)) found.push_back(text_of(key_of(name), node));
  return found;
}

std::filesystem::path SectionReader::file(std::string_view name,
                                          std::filesystem::path const& folder) const {
  std::filesystem::path file = folder / text(name);
  std::error_code error;
  bool const pattern = file.filename().string().find('*') != std::string::npos;
  if (!std::filesystem::exists(file, error) && !pattern) {
    refuse(name, fmt::format("{} = \"{}\": there is no such file: expected one, as seen from the "
                             "folder of the case",
                             name, printable(text(name))));
  }
  return file;
}

std::string_view SectionReader::word_of(CaseKey const& key, TomlNode const& node) const {
  if (node.text() == nullptr) refuse_node(key, node);
  auto const found = std::ranges::find(key.words, *node.text());
  if (found == key.words.end()) {
    reading_->refuse(node.line,
                     fmt::format("{} = {}: expected {}{}", key.name, node.spelled(),
                                 one_of(key.words), did_you_mean(*node.text(), key.words)));
  }
  return *found;
}

std::string_view SectionReader::word(std::string_view name) const {
  return word_of(key_of(name), value(name));
}

std::vector<std::string_view> SectionReader::words(std::string_view name) const {
  std::vector<std::string_view> found;
  for (TomlNode const& node : elements(name)) found.push_back(word_of(key_of(name), node));
  return found;
}

bool SectionReader::flag(std::string_view name) const {
  TomlNode const node = value(name);
  if (auto const* flag = std::get_if<bool>(&node.value)) return *flag;
  refuse_node(key_of(name), node);
}

std::int64_t SectionReader::whole(std::string_view name) const {
  TomlNode const node = value(name);
  return whole_of(key_of(name), node, number_of(key_of(name), node));
}

double SectionReader::number(std::string_view name) const {
  return number_of(key_of(name), value(name));
}

std::optional<double> SectionReader::number_if_given(std::string_view name) const {
  return given(name) ? std::optional(number(name)) : std::nullopt;
}

std::size_t SectionReader::count_of(std::string_view name) const {
  TomlNode const node = value(name);
  return node.array() == nullptr ? 1 : node.array()->size();
}

bool SectionReader::is_plain_number(std::string_view name) const {
  TomlNode const* node = find(name);
  return node != nullptr && node->is_number();
}

std::array<double, 3> SectionReader::three(std::string_view name) const {
  TomlArray const nodes = components(name);
  CaseKey const& key = key_of(name);
  return {number_of(key, nodes[0]), number_of(key, nodes[1]), number_of(key, nodes[2])};
}

std::int64_t SectionReader::steps(std::string_view name) const {
  return steps_of(key_of(name), value(name));
}

std::vector<std::int64_t> SectionReader::steps_list(std::string_view name) const {
  std::vector<std::int64_t> found;
  for (TomlNode const& node : elements(name)) found.push_back(steps_of(key_of(name), node));
  return found;
}

SpaceFormula SectionReader::space(std::string_view name) const {
  return space_of(key_of(name), value(name));
}

std::array<SpaceFormula, 3> SectionReader::space_three(std::string_view name) const {
  TomlArray const nodes = components(name);
  CaseKey const& key = key_of(name);
  return {space_of(key, nodes[0]), space_of(key, nodes[1]), space_of(key, nodes[2])};
}

std::vector<double> SectionReader::axes(std::string_view name, std::size_t axes) const {
  std::vector<double> found;
  for (TomlNode const& node : axis_nodes(name, axes))
    found.push_back(number_of(key_of(name), node));
  return found;
}

std::array<SpaceFormula, 3> SectionReader::space_axes(std::string_view name,
                                                      std::size_t axes) const {
  std::array<SpaceFormula, 3> found;
  TomlArray const nodes = axis_nodes(name, axes);
  for (std::size_t a = 0; a < axes; ++a) found[a] = space_of(key_of(name), nodes[a]);
  return found;
}

FieldFormula SectionReader::field(std::string_view name) const {
  return field_of(key_of(name), value(name));
}

std::array<FieldFormula, 3> SectionReader::field_axes(std::string_view name,
                                                      std::size_t axes) const {
  std::array<FieldFormula, 3> found;
  TomlArray const nodes = axis_nodes(name, axes);
  for (std::size_t a = 0; a < axes; ++a) found[a] = field_of(key_of(name), nodes[a]);
  return found;
}

TimeFormula SectionReader::time(std::string_view name) const {
  TomlNode const node = value(name);
  CaseKey const& key = key_of(name);
  if (node.is_number()) return {in_range(key, node, node.number())};
  if (node.text() == nullptr) refuse_node(key, node);
  auto const [text, unit] = spelled_value(*node.text());
  if (unit) refuse_node(key, node, " has a unit");
  Formula formula = formula_of(key, node, text, {"t"});
  if (!formula.varies()) return {in_range(key, node, formula(std::array{0.0}))};
  return {std::move(formula), reading_->units.step_s};
}

}  // namespace tessera
