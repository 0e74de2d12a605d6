// SPDX-License-Identifier: MIT
// A TOML file as a plain tree that knows its lines, in the order of the file. (toml++ takes long to
// compile and sorts its tables: it is known to toml_tree.cpp alone.)
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera {

struct TomlNode;
struct TomlEntry;
using TomlArray = std::vector<TomlNode>;
using TomlTable = std::vector<TomlEntry>;

struct TomlNode {
  int line = 1;  ///< of the file; below 0 if it is not from the file
  std::variant<bool, std::int64_t, double, std::string, TomlArray, TomlTable> value;

  TomlTable const* table() const { return std::get_if<TomlTable>(&value); }
  TomlArray const* array() const { return std::get_if<TomlArray>(&value); }
  std::string const* text() const { return std::get_if<std::string>(&value); }
  bool is_number() const {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  }
  /// The number of a node that is_number().
  double number() const;
  /// The value under a key of a table, or nullptr.
  TomlNode const* find(std::string_view key) const;
  /// The value as TOML, on one line and not too long: for messages.
  std::string spelled() const;
};

struct TomlEntry {
  std::string key;
  int line = 1;
  TomlNode node;
};

/// The file as a table. Throws BadInput "FILE:LINE: ..." for what is not TOML, for dates, and for a
/// file that cannot be read.
TomlNode read_toml(std::filesystem::path const& path);

/// A value from elsewhere than a file: 64, [1, 2] or "text" with its quotes. Text that is not TOML,
/// or a date, becomes a string. All nodes get the line.
TomlNode toml_value(std::string const& text, int line);

}  // namespace tessera
