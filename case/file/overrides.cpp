// SPDX-License-Identifier: MIT
#include "case/file/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/images/spelling.hpp"
#include "io/nearest_word.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

constexpr std::string_view constants = "constants";

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

TomlEntry* entry_in(TomlTable& table, std::string_view key) {
  auto const found = std::ranges::find(table, key, &TomlEntry::key);
  return found == table.end() ? nullptr : &*found;
}

bool has(CaseSection const& section, std::string_view key) {
  return std::ranges::find(section.keys, key, &CaseKey::name) != section.keys.end();
}

/// One value, and where it belongs.
class Override {
 public:
  Override(CaseReading& reading, std::size_t place)
      : reading_(reading), line_(line_of_override(place)) {
    std::string const& text = reading.overrides[place];
    std::size_t const equals = text.find('=');
    for (std::string_view part : split(std::string_view(text).substr(0, equals), '.'))
      path_.push_back(trimmed(part));
    if (equals == std::string::npos || std::ranges::find(path_, "") != path_.end())
      reading_.refuse(line_, "expected NAME=VALUE, such as N=64 or model.collision=mrt");
    std::string const value = trimmed(std::string_view(text).substr(equals + 1));
    leaves_out_ = value.empty();
    value_ = toml_value(value, line_);
    find_constant();
  }

  void apply() {
    if (leaves_out_) {
      leave_out();
    } else {
      put();
    }
  }

 private:
  void put() {
    TomlTable* table = &std::get<TomlTable>(reading_.root.value);
    CaseSection const* section = &reading_.section("");
    std::string path;
    for (std::string const& part : path_) {
      bool const last = &part == &path_.back();
      path += (path.empty() ? "" : ".") + part;
      bool const is_key = section != nullptr && (section->any_key || has(*section, part));
      section = find_case_section(reading_.method, path);
      if (section != nullptr) check_section(*section, last);
      TomlEntry* entry = entry_in(*table, part);
      if (entry == nullptr)
        entry = &table->emplace_back(TomlEntry{part, line_, {line_, TomlTable{}}});
      if (last) {
        entry->line = line_;
        entry->node = std::move(value_);
        return;
      }
      table = std::get_if<TomlTable>(&entry->node.value);
      if (is_key || table == nullptr) {
        reading_.refuse(line_, fmt::format("'{}' is a key, not a section: expected {}=VALUE",
                                           printable(path), printable(path)));
      }
    }
  }

  void leave_out() {
    TomlTable* table = &std::get<TomlTable>(reading_.root.value);
    for (std::string const& part : path_) {
      TomlEntry* entry = table == nullptr ? nullptr : entry_in(*table, part);
      if (entry == nullptr)
        reading_.refuse(line_,
                        "the file does not have it: expected a value, or what can be left "
                        "out");
      if (&part == &path_.back()) {
        table->erase(table->begin() + (entry - table->data()));
        return;
      }
      table = std::get_if<TomlTable>(&entry->node.value);
    }
  }

  /// A name alone is that of a constant, or stands at the top of the file.
  void find_constant() {
    std::vector<std::string_view> known;
    if (TomlNode const* table = reading_.root.find(constants)) {
      for (TomlEntry const& entry : *table->table()) known.emplace_back(entry.key);
    }
    bool const named = path_.size() == 2 && path_[0] == constants;
    if (path_.size() > 1 && !named) return;
    std::string const& name = path_.back();
    if (leaves_out_ && !named && find_case_section(reading_.method, name) != nullptr) return;
    if (std::ranges::find(known, name) == known.end()) {
      if (!named && has(reading_.section(""), name)) return;
      refuse_constant(name, known);
    }
    if (leaves_out_) reading_.refuse(line_, "expected a value, as it is a constant");
    path_ = {std::string(constants), name};
  }

  [[noreturn]] void refuse_constant(std::string const& name,
                                    std::vector<std::string_view> const& known) const {
    std::string hint = did_you_mean(name, known);
    for (CaseSection const& section : case_sections(reading_.method)) {
      if (section.repeated || !hint.empty()) continue;
      if (has(section, name)) hint = fmt::format("; did you mean '{}.{}'?", section.path, name);
    }
    std::vector<std::string> const names(known.begin(), known.end());
    reading_.refuse(
        line_,
        fmt::format("no constant of {} is called '{}': expected {}a key with its section, "
                    "such as model.collision{}",
                    reading_.file, printable(name),
                    names.empty() ? "" : fmt::format("one of {}, or ", joined(names, ", ")), hint));
  }

  void check_section(CaseSection const& section, bool last) const {
    if (section.repeated) {
      reading_.refuse(line_, fmt::format("there may be several {}: expected a constant that they "
                                         "use, or a key of a section that stands once",
                                         section.header()));
    }
    if (last) {
      reading_.refuse(line_, fmt::format("{} is a section: expected a key in it, {}.KEY=VALUE",
                                         section.header(), section.path));
    }
  }

  CaseReading& reading_;
  int line_;
  std::vector<std::string> path_;
  bool leaves_out_ = false;
  TomlNode value_;
};

}  // namespace

void override_values(CaseReading& reading) {
  for (std::size_t i = 0; i < reading.overrides.size(); ++i) Override(reading, i).apply();
}

}  // namespace tessera
