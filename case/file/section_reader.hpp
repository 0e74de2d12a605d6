// SPDX-License-Identifier: MIT
// Values of a case file by their keys: of the type, with the range, the words and the default that
// the table of keys says, in lattice units. Everything throws BadInput "FILE:LINE: ..." for what
// the file has wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_list.hpp"
#include "case/file/case_units.hpp"
#include "case/file/keys/keys.hpp"
#include "case/file/toml_tree.hpp"

namespace tessera {

/// What all sections of a file share.
struct CaseReading {
  std::string file;
  TomlNode root;
  CaseMethod method = CaseMethod::lattice;  ///< whose keys it has
  CaseUnits units;                          ///< once [units] has been read
  Constants constants;                      ///< in SI if the case is; those read so far
  FormulaNames formulas{};                  ///< those read so far, spelled out
  /// "N=64": in place of values of the file.
  std::vector<std::string> overrides{};

  /// Throws std::logic_error if there is none: the reader asks only for what is in the table.
  CaseSection const& section(std::string_view path) const;
  /// `line`: of the file, or line_of_override().
  [[noreturn]] void refuse(int line, std::string const& what) const;
};

/// The line of what comes from an override instead of the file.
constexpr int line_of_override(std::size_t place) { return -1 - static_cast<int>(place); }

/// Refuses keys and sections that the table does not have.
void check_keys(CaseReading const& reading);

/// "2*H mm" is a formula and perhaps a unit.
struct Spelled {
  std::string formula;
  std::optional<Quantity> unit;
};
Spelled spelled_value(std::string_view text);

class SectionReader {
 public:
  /// The section of this path; it need not be there. Of nothing that is repeated.
  SectionReader(CaseReading const& reading, std::string_view path);
  /// One of several.
  SectionReader(CaseReading const& reading, CaseSection const& keys, TomlNode const& table);
  /// All of a section that is repeated.
  static std::vector<SectionReader> all(CaseReading const& reading, std::string_view path);

  bool there() const { return table_ != nullptr; }
  bool given(std::string_view key) const { return find(key) != nullptr; }
  /// Of the key; of the section if it has none.
  int line(std::string_view key = {}) const;
  [[noreturn]] void refuse(std::string_view key, std::string const& what) const;
  /// Refuses the value: "KEY = VALUE: expected ...".
  [[noreturn]] void refuse_value(std::string_view key, std::string const& expected) const;
  /// Refuses all keys that are given and are not among these. `why`: "does not belong to ...".
  void allow_only(std::vector<std::string_view> const& keys, std::string const& why) const;

  // The value of a key; the default where it is not given; refused where there is neither.

  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// A file as seen from a folder; it is there.
  std::filesystem::path file(std::string_view name, std::filesystem::path const& folder) const;
  /// One of the table's words.
  std::string_view word(std::string_view name) const;
  std::vector<std::string_view> words(std::string_view name) const;
  /// What the word stands for in the list that the table has its words from.
  template <class Value, std::size_t size>
  Value word_in(NameList<Value, size> const& names, std::string_view name) const {
    return named(names, word(name)).value();
  }
  bool flag(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  double number(std::string_view name) const;
  std::array<double, 3> three(std::string_view name) const;
  /// Two or three; `axes` of them, if that is known.
  std::vector<double> axes(std::string_view name, std::size_t axes = 0) const;
  std::int64_t steps(std::string_view name) const;
  std::vector<std::int64_t> steps_list(std::string_view name) const;
  SpaceFormula space(std::string_view name) const;
  std::array<SpaceFormula, 3> space_three(std::string_view name) const;
  /// Of each axis, and 0 for a third that is not given.
  std::array<SpaceFormula, 3> space_axes(std::string_view name, std::size_t axes) const;
  TimeFormula time(std::string_view name) const;
  FieldFormula field(std::string_view name) const;
  std::array<FieldFormula, 3> field_axes(std::string_view name, std::size_t axes) const;

  /// How many elements are given; 1 of what is no list.
  std::size_t count_of(std::string_view name) const;
  /// Whether it is given as a number, not as text.
  bool is_plain_number(std::string_view name) const;
  /// Nothing where it is not given, whatever the default.
  std::optional<double> number_if_given(std::string_view name) const;

 private:
  TomlNode const* find(std::string_view key) const;
  CaseKey const& key_of(std::string_view name) const { return keys_->key(name); }
  /// What is given or the default, or refuses.
  TomlNode value(std::string_view name) const;
  /// The elements of a list or, where that is allowed, of what is none.
  TomlArray elements(std::string_view name) const;
  TomlArray components(std::string_view name) const;
  TomlArray axis_nodes(std::string_view name, std::size_t axes) const;
  [[noreturn]] void refuse_node(CaseKey const& key, TomlNode const& node,
                                std::string const& why = {}) const;

  std::string text_of(CaseKey const& key, TomlNode const& node) const;
  std::string_view word_of(CaseKey const& key, TomlNode const& node) const;
  double number_of(CaseKey const& key, TomlNode const& node) const;
  std::int64_t whole_of(CaseKey const& key, TomlNode const& node, double value) const;
  std::int64_t steps_of(CaseKey const& key, TomlNode const& node) const;
  SpaceFormula space_of(CaseKey const& key, TomlNode const& node) const;
  FieldFormula field_of(CaseKey const& key, TomlNode const& node) const;
  /// To lattice units from what a formula gives.
  double factor_of(CaseKey const& key, TomlNode const& node, std::optional<Quantity> const& unit,
                   Dimension dimension) const;
  Formula formula_of(CaseKey const& key, TomlNode const& node, std::string const& text,
                     std::vector<std::string> const& variables) const;
  double in_range(CaseKey const& key, TomlNode const& node, double value) const;

  CaseReading const* reading_;
  CaseSection const* keys_;
  TomlNode const* table_ = nullptr;
};

}  // namespace tessera
