// SPDX-License-Identifier: MIT
#include "case/file/toml_tree.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/same_for_all.hpp"
#include "io/sha256.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

int line_of(toml::source_position const& place) {
  return static_cast<int>(std::max(place.line, 1U));
}

class Copier {
 public:
  /// `line`: of all nodes; else they have their own.
  explicit Copier(std::string file, std::optional<int> line = std::nullopt)
      : file_(std::move(file)), line_(line) {}

  TomlNode copy(toml::node const& node) const {
    TomlNode copied{line_.value_or(line_of(node.source().begin)), false};
    if (auto const* table = node.as_table()) {
      copied.value = copy_table(*table);
    } else if (auto const* array = node.as_array()) {
      TomlArray values;
      for (toml::node const& element : *array) values.push_back(copy(element));
      // An array of tables has no line of its own.
      if (!values.empty()) copied.line = std::max(copied.line, values.front().line);
      copied.value = std::move(values);
    } else if (auto const* flag = node.as_boolean()) {
      copied.value = flag->get();
    } else if (auto const* whole = node.as_integer()) {
      copied.value = whole->get();
    } else if (auto const* number = node.as_floating_point()) {
      copied.value = number->get();
    } else if (auto const* text = node.as_string()) {
      copied.value = text->get();
    } else {
      throw BadInput(fmt::format("{}:{}: a date or time: expected a number, text, true or false",
                                 file_, copied.line));
    }
    return copied;
  }

 private:
  TomlTable copy_table(toml::table const& table) const {
    std::vector<std::pair<toml::source_position, TomlEntry>> entries;
    for (auto const& [key, node] : table) {
      toml::source_position at = key.source().begin;
      if (at.line == 0) at = node.source().begin;
      entries.push_back({at, {std::string(key.str()), line_.value_or(line_of(at)), copy(node)}});
    }
    std::ranges::stable_sort(entries,
                             [](auto const& a, auto const& b) { return a.first < b.first; });
    TomlTable copied;
    copied.reserve(entries.size());
    for (auto& entry : entries) copied.push_back(std::move(entry.second));
    return copied;
  }

  std::string file_;
  std::optional<int> line_;
};

/// Before it is opened: a pipe without a writer would hang, /dev/zero never end.
void require_case_file(std::filesystem::path const& path) {
  std::error_code error;
  auto const status = std::filesystem::status(path, error);
  if (!std::filesystem::is_regular_file(status)) {
    throw BadInput(
        fmt::format("{}: {}: expected a case file (TOML)", path.string(),
                    std::filesystem::exists(status) ? "not a regular file" : "cannot be read"));
  }
  constexpr std::uintmax_t most_bytes = 16 << 20;
  std::uintmax_t const bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > most_bytes) {
    throw BadInput(fmt::format("{}: {} bytes: expected a case file (TOML) of at most {}",
                               path.string(), bytes, most_bytes));
  }
}

constexpr int most_names = 16;  ///< of a key; those of case files have up to three

/// Where a comment, a text, a bare name or a single character ends that begins here.
std::size_t end_of_token(std::string_view text, std::size_t begin) {
  auto const end_at = [&](std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? text.size() : found + length;
  };
  char const first = text[begin];
  if (first == '#') return end_at(text.find('\n', begin), 0);
  if (first == '"' || first == '\'') {
    std::string const three(3, first);
    if (text.substr(begin, 3) == three) return end_at(text.find(three, begin + 3), 3);
    for (std::size_t at = begin + 1; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == first) return at + 1;
      if (text[at] == '\\' && first == '"') ++at;
    }
    return begin + 1;
  }
  auto const bare = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  std::size_t end = begin + 1;
  while (bare(first) && end < text.size() && bare(text[end])) ++end;
  return end;
}

/// The line of the first key that has more names than most_names. toml++ bounds how deep values
/// nest, but not how deep such a key does, and calls itself for each name.
std::optional<int> line_of_long_key(std::string_view text) {
  int line = 1, dots = 0;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = end_of_token(text, at);
    std::string_view const token = text.substr(at, end - at);
    line += static_cast<int>(std::ranges::count(token, '\n'));
    if (token == ".") {
      if (++dots == most_names) return line;
    } else if (token.size() == 1 &&
               std::string_view("=,[]{}\n").find(token) != std::string_view::npos) {
      dots = 0;
    }
  }
  return std::nullopt;
}

}  // namespace

double TomlNode::number() const {
  auto const* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

TomlNode const* TomlNode::find(std::string_view key) const {
  TomlTable const* entries = table();
  if (entries == nullptr) return nullptr;
  auto const found =
      std::ranges::find_if(*entries, [&](TomlEntry const& entry) { return entry.key == key; });
  return found == entries->end() ? nullptr : &found->node;
}

std::string TomlNode::spelled() const {
  if (table() != nullptr) return "{...}";
  if (auto const* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (text() != nullptr) return fmt::format("\"{}\"", printable(*text()));
  if (is_number()) return fmt::format("{}", number());
  std::vector<std::string> parts;
  for (TomlNode const& element : *array()) parts.push_back(element.spelled());
  if (parts.size() > 6) {
    parts.resize(6);
    parts.emplace_back("...");
  }
  return fmt::format("[{}]", joined(parts, ", "));
}

TomlNode read_toml(std::filesystem::path const& path) {
  std::string const file = path.string();
  require_case_file(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw BadInput(fmt::format("{}: cannot be read: expected a case file (TOML)", file));
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  expect_same_for_all(file, sha256_of(std::as_bytes(std::span(text))));
  if (auto const line = line_of_long_key(text)) {
    throw BadInput(fmt::format("{}:{}: a key of many names: expected at most {} with dots between",
                               file, *line, most_names));
  }
  try {
    return Copier(file).copy(toml::parse(text, file));
  } catch (toml::parse_error const& wrong) {
    throw BadInput(fmt::format("{}:{}: not TOML: {}", file, line_of(wrong.source().begin),
                               printable(wrong.description())));
  }
}

TomlNode toml_value(std::string const& text, int line) {
  TomlNode as_text{line, text};
  if (line_of_long_key(text)) return as_text;
  try {
    toml::table const parsed = toml::parse("value = " + text);
    // Text with a line break may go on with other keys.
    return parsed.size() == 1 ? Copier("", line).copy(*parsed.get("value")) : as_text;
  } catch (toml::parse_error const&) {
    return as_text;
  } catch (BadInput const&) {
    return as_text;
  }
}

}  // namespace tessera
