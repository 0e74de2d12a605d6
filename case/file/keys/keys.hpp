// SPDX-License-Identifier: MIT
// The tables of all keys that a case file may have, one a method. The reader takes types, defaults
// and words from them and refuses all other keys; the schema and the documentation are made from
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_list.hpp"
#include "io/quantity.hpp"

namespace tessera {

enum class KeyKind : std::uint8_t {
  text,           ///< anything
  file,           ///< path, from the folder of the case
  word,           ///< one of some words
  flag,           ///< true or false
  whole,          ///< whole number
  number,         ///< a number, or a formula of constants, perhaps with a unit
  steps,          ///< number of steps, or a time
  space_formula,  ///< a number or a formula of x, y, z
  time_formula,   ///< a number or a formula of t
  field_formula,  ///< a number or a formula of x, y, z, t
  text_or_number  ///< labels of an image: 0 or "0,3-5"
};

enum class KeyCount : std::uint8_t {
  one,
  three,  ///< one for each axis of space
  axes,   ///< one for each axis of the case, two or three
  list,
  one_or_list
};

enum class KeyRange : std::uint8_t { any, positive, not_negative };

/// A key and how its value is read. Made as key(...).of(dimension::length).positive().
struct CaseKey {
  std::string_view name;
  KeyKind kind = KeyKind::text;
  KeyCount count = KeyCount::one;
  Dimension dimension{};
  KeyRange range = KeyRange::any;
  std::vector<std::string_view> words{};
  /// The value where the key is absent, for each component; none: absent, or the key must be there.
  std::string_view fallback{};
  std::string_view example{};  ///< as it stands behind the '='
  std::string_view meaning{};  ///< for users: a sentence or two

  CaseKey three() { return with(&CaseKey::count, KeyCount::three); }
  CaseKey axes() { return with(&CaseKey::count, KeyCount::axes); }
  CaseKey list() { return with(&CaseKey::count, KeyCount::list); }
  CaseKey one_or_list() { return with(&CaseKey::count, KeyCount::one_or_list); }
  CaseKey of(Dimension d) { return with(&CaseKey::dimension, d); }
  CaseKey positive() { return with(&CaseKey::range, KeyRange::positive); }
  CaseKey not_negative() { return with(&CaseKey::range, KeyRange::not_negative); }
  CaseKey one_of(std::vector<std::string_view> w) { return with(&CaseKey::words, std::move(w)); }
  CaseKey otherwise(std::string_view value) { return with(&CaseKey::fallback, value); }

 private:
  template <class Value>
  CaseKey with(Value CaseKey::*member, Value value) {
    this->*member = std::move(value);
    return std::move(*this);
  }
};

struct CaseSection {
  std::string_view path;  ///< "output.probe"; empty: the top of the file
  bool repeated = false;  ///< [[output.probe]]
  bool any_key = false;   ///< [constants]
  std::string_view meaning{};
  std::vector<CaseKey> keys{};

  /// The key of this name. Throws std::logic_error if there is none: the reader only uses what is
  /// in the table.
  CaseKey const& key(std::string_view name) const;
  /// "[fluid]", "[[boundary]]".
  std::string header() const;
};

/// The method of a case: `method` at the top of its file.
enum class CaseMethod : std::uint8_t { lattice, spectral };
inline constexpr NameList<CaseMethod, 2> case_method_names{
    {{"lattice", CaseMethod::lattice}, {"spectral", CaseMethod::spectral}}};

/// All sections of a method's cases, in the order of the documentation.
std::vector<CaseSection> const& case_sections(CaseMethod method);

/// The section of a path; null if there is none.
CaseSection const* find_case_section(CaseMethod method, std::string_view path);

}  // namespace tessera
