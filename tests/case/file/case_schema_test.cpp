// SPDX-License-Identifier: MIT
// The schema of case files, their documentation and the examples: all from one table, and true.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "case/file/gas_case.hpp"
#include "case/file/keys/keys.hpp"
#include "case/file/keys/schema.hpp"
#include "case/file/toml_tree.hpp"
#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path const source = TESSERA_SOURCE_DIR;

json as_json(TomlNode const& node) {
  if (auto const* table = node.table()) {
    json object = json::object();
    for (TomlEntry const& entry : *table) object[entry.key] = as_json(entry.node);
    return object;
  }
  if (auto const* array = node.array()) {
    json list = json::array();
    for (TomlNode const& element : *array) list.push_back(as_json(element));
    return list;
  }
  if (auto const* flag = std::get_if<bool>(&node.value)) return *flag;
  if (auto const* whole = std::get_if<std::int64_t>(&node.value)) return *whole;
  if (auto const* number = std::get_if<double>(&node.value)) return *number;
  return *node.text();
}

bool has_type(json const& value, std::string const& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// As much of JSON schema as the schema of case files uses.
bool valid(json const& schema, json const& value) {
  if (schema.contains("type")) {
    json const types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
    if (std::ranges::none_of(types, [&](json const& t) { return has_type(value, t); }))
      return false;
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return false;
  if (schema.contains("anyOf") &&
      std::ranges::none_of(schema["anyOf"], [&](json const& one) { return valid(one, value); })) {
    return false;
  }
  if (value.is_number()) {
    if (schema.contains("exclusiveMinimum") && !(value > schema["exclusiveMinimum"])) return false;
    if (schema.contains("minimum") && value < schema["minimum"]) return false;
  }
  if (value.is_array() && schema.contains("items")) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) return false;
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return false;
    for (json const& element : value) {
      if (!valid(schema["items"], element)) return false;
    }
  }
  if (!value.is_object()) return true;
  bool all = true;
  for (auto const& [key, element] : value.items()) {
    bool const known = schema.contains("properties") && schema["properties"].contains(key);
    json const others = schema.value("additionalProperties", json::object());
    all = all && (known || others != false) &&
          valid(known ? schema["properties"][key] : others, element);
  }
  return all;
}

std::vector<fs::path> examples(char const* kind = "cases") {
  std::vector<fs::path> files;
  for (auto const& folder : fs::directory_iterator(source / "examples" / kind))
    files.push_back(folder.path() / "case.toml");
  return files;
}

/// The first block of ```toml that begins with "title": the full example.
std::string documented_example() {
  std::string const text = test::read_bytes(source / "docs" / "case-files.md");
  std::string const begin = "```toml\ntitle";
  std::size_t const at = text.find(begin);
  if (at == std::string::npos) return {};
  std::size_t const first = at + std::string_view("```toml\n").size();
  return text.substr(first, text.find("```", first) - first);
}

TEST(CaseSchema, TakesTheExamples) {
  json const schema = case_schema(CaseMethod::lattice);
  EXPECT_GE(examples().size(), 3U);
  for (fs::path const& file : examples())
    EXPECT_TRUE(valid(schema, as_json(read_toml(file)))) << file;
  json const of_gas = case_schema(CaseMethod::spectral);
  for (fs::path const& file : examples("spectral"))
    EXPECT_TRUE(valid(of_gas, as_json(read_toml(file)))) << file;
}

TEST(CaseSchema, RefusesWhatTheReaderRefuses) {
  json const schema = case_schema(CaseMethod::lattice);
  json const good = as_json(read_toml(examples().front()));
  auto const refused = [&](char const* section, char const* key, json const& value) {
    json bad = good;
    bad[section][key] = value;
    return !valid(schema, bad);
  };
  EXPECT_TRUE(refused("fluid", "viscocity", 0.1));
  EXPECT_TRUE(refused("fluid", "length", -1));
  EXPECT_TRUE(refused("fluid", "length", true));
  EXPECT_TRUE(refused("model", "collision", "trtt"));
  EXPECT_TRUE(refused("geometry", "shape", {1, 2}));
  EXPECT_TRUE(refused("run", "gpus", 1.5));
  EXPECT_TRUE(refused("fluids", "a", 1));
  EXPECT_FALSE(refused("model", "collision", "trt"));
}

TEST(CaseSchema, HasEveryKeyWithItsMeaning) {
  json const schema = case_schema(CaseMethod::lattice);
  EXPECT_EQ(schema["properties"]["output"]["properties"]["probe"]["items"]["properties"]["every"]
                  ["default"],
            1);
  EXPECT_EQ(schema["properties"]["stop"]["properties"]["steady"]["properties"]["tolerance"]["anyOf"]
                  [0]["exclusiveMinimum"],
            0);
  for (auto const& [name, method] : case_method_names) {
    for (CaseSection const& section : case_sections(method)) {
      EXPECT_FALSE(section.meaning.empty()) << section.path;
      for (CaseKey const& key : section.keys) {
        EXPECT_FALSE(key.meaning.empty()) << section.path << "." << key.name;
        EXPECT_FALSE(key.example.empty()) << section.path << "." << key.name;
      }
    }
  }
}

TEST(CaseSchema, EveryExampleOfAKeyFitsIt) {
  test::TemporaryFolder const folder;
  for (auto const& [name, method] : case_method_names) {
    json const schema = case_schema(method);
    for (CaseSection const& section : case_sections(method)) {
      for (CaseKey const& key : section.keys) {
        std::string const line = std::string(key.name) + " = " + std::string(key.example) + "\n";
        std::string const header = section.path.empty() ? "" : section.header() + "\n";
        json const value = as_json(read_toml(folder.write("key.toml", header + line)));
        EXPECT_TRUE(valid(schema, value)) << header << line;
      }
    }
  }
}

TEST(CaseExamples, AreReadWithoutWarnings) {
  for (fs::path const& file : examples()) {
    Case const c = read_case(file);
    // Some of the literature's flows are run faster than is good for their last digit.
    for (std::string const& warning : c.warnings)
      EXPECT_NE(warning.find("Mach"), std::string::npos) << describe(c);
    EXPECT_FALSE(c.title.empty()) << file;
  }
}

TEST(CaseExamples, OfGasesAreRead) {
  EXPECT_GE(examples("spectral").size(), 5U);
  for (fs::path const& file : examples("spectral"))
    EXPECT_FALSE(read_gas_case(file).title.empty()) << file;
}

TEST(CaseExamples, OfThePipeHasTheRoundNumbersOfItsComment) {
  Case const c = read_case(source / "examples" / "cases" / "pipe" / "case.toml");
  EXPECT_EQ(c.geometry.shape, (Int3{81, 42, 42}));
  EXPECT_NEAR(c.fluid.viscosity, 0.1, 1e-12);
  double const drop =
      (c.boundaries[0].density.at(0, 0, 0) - c.boundaries[1].density.at(0, 0, 0)) / 3;
  double const radius = c.geometry.solids[0].radius;
  // In lattice units 0.1 m/s is 0.05.
  EXPECT_NEAR(drop * radius * radius / (4 * c.fluid.viscosity * 80), 0.05, 1e-12);
}

TEST(CaseDocumentation, HasAFullExampleThatIsRead) {
  test::TemporaryFolder const folder;
  std::string const text = documented_example();
  ASSERT_FALSE(text.empty());
  Case const c = test::read_text(text, folder);
  EXPECT_TRUE(valid(case_schema(CaseMethod::lattice), as_json(read_toml(folder / "case.toml"))));
  EXPECT_TRUE(c.warnings.empty()) << describe(c);
}

// To write the tables anew: TESSERA_WRITE_DOCS=1 build/release/bin/case_file_tests
// --gtest_filter='*TablesOfKeys'
void expect_tables(CaseMethod method, char const* page, char const* made_from) {
  fs::path const file = source / "docs" / page;
  std::string text = test::read_bytes(file);
  std::string const begin = std::string("<!-- Made from ") + made_from +
                            ": see tests/case/file/case_schema_test.cpp -->\n\n";
  std::size_t const first = text.find(begin);
  ASSERT_NE(first, std::string::npos);
  std::string const head = text.substr(0, first + begin.size());
  if (std::getenv("TESSERA_WRITE_DOCS") != nullptr) {
    std::ofstream(file, std::ios::binary) << head << case_key_tables(method);
    text = test::read_bytes(file);
  }
  EXPECT_TRUE(text == head + case_key_tables(method)) << "see the comment above this function";
}

TEST(CaseDocumentation, HasTheTablesOfKeys) {
  expect_tables(CaseMethod::lattice, "case-files.md", "case/file/keys/keys_of_*.cpp");
  expect_tables(CaseMethod::spectral, "spectral.md", "case/file/keys/keys_of_gas.cpp");
}

}  // namespace
}  // namespace tessera
