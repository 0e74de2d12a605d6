// SPDX-License-Identifier: MIT
// Values of a case file by their keys: of the type, with the range, the words and the default of
// the table of keys, in lattice units. All functions throw BadInput "FILE:LINE: ..." for errors in
// the file.
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

/// The state of reading a file, which all its sections share.
struct CaseReading {
  std::string file;
  TomlNode root;
  CaseMethod method = CaseMethod::lattice;  ///< whose keys it has
  CaseUnits units;                          ///< once [units] has been read
  Constants constants;                      ///< in SI if the case is; the constants read so far
  FormulaNames formulas{};                  ///< the formulas read so far, spelled out
  /// Values that replace those of the file: "N=64".
  std::vector<std::string> overrides{};

  /// The section of a path. Throws std::logic_error if there is none: the reader only uses what is
  /// in the table.
  CaseSection const& section(std::string_view path) const;
  /// `line`: of the file, or line_of_override().
  [[noreturn]] void refuse(int line, std::string const& what) const;
};

/// The line number of a value that comes from an override instead of the file.
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
  /// The section of this path, which is not a repeated one; the file need not have it.
  SectionReader(CaseReading const& reading, std::string_view path);
  /// One section of several with the same path.
  SectionReader(CaseReading const& reading, CaseSection const& keys, TomlNode const& table);
  /// All sections of a repeated path.
  static std::vector<SectionReader> all(CaseReading const& reading, std::string_view path);

  bool there() const { return table_ != nullptr; }
  bool given(std::string_view key) const { return find(key) != nullptr; }
  /// The line of a key, or of the section if it does not have the key.
  int line(std::string_view key = {}) const;
  [[noreturn]] void refuse(std::string_view key, std::string const& what) const;
  /// Refuses the value: "KEY = VALUE: expected ...".
  [[noreturn]] void refuse_value(std::string_view key, std::string const& expected) const;
  /// Refuses all keys that are given and are not among these. `why`: "does not belong to ...".
  void allow_only(std::vector<std::string_view> const& keys, std::string const& why) const;

  // The value of a key; the default where it is not given; refused where there is neither.

  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// The path of a file, relative to a folder; the file exists.
  std::filesystem::path file(std::string_view name, std::filesystem::path const& folder) const;
  /// A value that is one of the table's words.
  std::string_view word(std::string_view name) const;
  std::vector<std::string_view> words(std::string_view name) const;
  /// The value of the word in the list that the table has its words from.
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
  /// A formula for each axis, and 0 for a third that is not given.
  std::array<SpaceFormula, 3> space_axes(std::string_view name, std::size_t axes) const;
  TimeFormula time(std::string_view name) const;
  FieldFormula field(std::string_view name) const;
  std::array<FieldFormula, 3> field_axes(std::string_view name, std::size_t axes) const;

  /// How many elements are given; 1 if the value is no list.
  std::size_t count_of(std::string_view name) const;
  /// Whether the value is given as a number, not as text.
  bool is_plain_number(std::string_view name) const;
  /// The number; nothing where it is not given, whatever the default.
  std::optional<double> number_if_given(std::string_view name) const;

 private:
  TomlNode const* find(std::string_view key) const;
  CaseKey const& key_of(std::string_view name) const { return keys_->key(name); }
  /// The given value or the default; refuses where there is neither.
  TomlNode value(std::string_view name) const;
  /// The elements of a list or, where that is allowed, a single value.
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
  /// The factor from a formula's value to lattice units.
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
