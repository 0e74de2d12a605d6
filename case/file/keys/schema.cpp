// SPDX-License-Identifier: MIT
#include "case/file/keys/schema.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "case/file/expected.hpp"
#include "case/file/keys/keys.hpp"
#include "io/images/spelling.hpp"

namespace tessera {
namespace {

using nlohmann::json;

json number_schema(CaseKey const& key, char const* type) {
  json schema{{"type", type}};
  if (key.range == KeyRange::positive) schema["exclusiveMinimum"] = 0;
  if (key.range == KeyRange::not_negative) schema["minimum"] = 0;
  return schema;
}

json one_schema(CaseKey const& key) {
  json text{{"type", "string"}, {"minLength", 1}};
  switch (key.kind) {
    case KeyKind::text:
    case KeyKind::file:
      return text;
    case KeyKind::word:
      return {{"enum", key.words}};
    case KeyKind::flag:
      return {{"type", "boolean"}};
    case KeyKind::whole:
      return {{"anyOf", {number_schema(key, "integer"), text}}};
    case KeyKind::number:
    case KeyKind::steps:
    case KeyKind::space_formula:
    case KeyKind::time_formula:
    case KeyKind::field_formula:
    case KeyKind::text_or_number:
      break;
  }
  return {{"anyOf", {number_schema(key, "number"), text}}};
}

json counted_schema(CaseKey const& key) {
  json one = one_schema(key);
  json list{{"type", "array"}, {"items", one}};
  switch (key.count) {
    case KeyCount::one:
      break;
    case KeyCount::three:
      return {{"type", "array"}, {"items", one}, {"minItems", 3}, {"maxItems", 3}};
    case KeyCount::axes:
      return {{"type", "array"}, {"items", one}, {"minItems", 2}, {"maxItems", 3}};
    case KeyCount::list:
      return list;
    case KeyCount::one_or_list:
      return {{"anyOf", {one, list}}};
  }
  return one;
}

/// A default as JSON: a number, true or false, else text; of lists and vectors, each component.
json default_value(CaseKey const& key) {
  json value = std::string(key.fallback);
  if (key.kind == KeyKind::flag) value = key.fallback == "true";
  if (auto const number = number_in<double>(key.fallback)) value = *number;
  if (key.count == KeyCount::three || key.count == KeyCount::axes) return {value, value, value};
  if (key.count == KeyCount::list) return json::array({value});
  return value;
}

json key_schema(CaseKey const& key) {
  json schema = counted_schema(key);
  schema["description"] = key.meaning;
  if (!key.fallback.empty()) schema["default"] = default_value(key);
  return schema;
}

json empty_section(CaseSection const& section) {
  json schema{{"type", "object"},
              {"description", section.meaning},
              {"additionalProperties", false},
              {"properties", json::object()}};
  if (section.any_key) schema["additionalProperties"] = {{"type", {"number", "string"}}};
  return schema;
}

/// Where the keys of a section stand in the schema.
json& place_of(json& root, std::string_view path) {
  json* at = &root;
  for (std::string_view part : split(path, '.')) {
    json& inner = (*at)["properties"][std::string(part)];
    at = inner.contains("items") ? &inner["items"] : &inner;
  }
  return *at;
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// What the value is, as the documentation says it.
std::string type_cell(CaseKey const& key) {
  std::string text = value_in_words(key);
  std::string const unit = unit_of(key.dimension);
  if (!unit.empty()) text += fmt::format(" ({})", unit);
  return text;
}

}  // namespace

json case_schema(CaseMethod method) {
  json root;
  for (CaseSection const& section : case_sections(method)) {
    json schema = empty_section(section);
    for (CaseKey const& key : section.keys)
      schema["properties"][std::string(key.name)] = key_schema(key);
    if (section.path.empty()) {
      root = std::move(schema);
    } else if (section.repeated) {
      place_of(root, section.path) = {{"type", "array"}, {"items", std::move(schema)}};
    } else {
      place_of(root, section.path) = std::move(schema);
    }
  }
  return root;
}

json case_schema() {
  json const is_spectral{{"properties", {{"method", {{"const", "spectral"}}}}},
                         {"required", {"method"}}};
  json const spectral = case_schema(CaseMethod::spectral);
  json const lattice = case_schema(CaseMethod::lattice);
  // For those who do not look behind "if": all names that there may be.
  json names = json::object();
  for (json const& schema : {spectral, lattice}) {
    for (auto const& property : schema["properties"].items())
      names[property.key()] = json::object();
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Case file of tessera run"},
          {"properties", names},
          {"if", is_spectral},
          {"then", spectral},
          {"else", lattice}};
}

std::string case_key_tables(CaseMethod method) {
  std::string text;
  for (CaseSection const& section : case_sections(method)) {
    text += fmt::format("### {}\n\n{}\n\n",
                        section.path.empty() ? "Top" : fmt::format("`{}`", section.header()),
                        section.meaning);
    if (section.keys.empty()) continue;
    text += "| key | value | default | example | |\n|---|---|---|---|---|\n";
    for (CaseKey const& key : section.keys) {
      text += fmt::format("| `{}` | {} | {} | `{}` | {} |\n", key.name, cell(type_cell(key)),
                          key.fallback.empty() ? "" : fmt::format("`{}`", key.fallback),
                          cell(key.example), cell(key.meaning));
    }
    text += '\n';
  }
  return text;
}

}  // namespace tessera
