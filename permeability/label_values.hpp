// SPDX-License-Identifier: MIT
// Labels and a value of each: "0=1", "1,3-4=0.05", "2=5mD".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/images/labels.hpp"

namespace tessera {

/// Parses each text of a setting; parse(value, said) reads what follows the last "=", and `said` is
/// the setting with its text, for messages. Throws BadInput for more than `most`, and for a label
/// that two have.
template <class Value, class Parse>
std::vector<std::pair<LabelSet, Value>> parse_label_values(std::string_view setting,
                                                           std::vector<std::string> const& texts,
                                                           std::size_t most, Parse const& parse) {
  if (texts.size() > most) {
    throw BadInput(
        fmt::format("{}: expected at most {}, not {}", setting_name(setting), most, texts.size()));
  }
  std::vector<std::pair<LabelSet, Value>> all;
  for (std::string const& text : texts) {
    std::string const said = setting_text(setting, text);
    auto const equals = text.rfind('=');
    Value const value = parse(equals == std::string::npos ? "" : text.substr(equals + 1), said);
    LabelSet const labels = LabelSet::parse(text.substr(0, std::min(equals, text.size())));
    for (auto const& [others, other] : all) {
      if (auto const both = labels.common_label(others))
        throw BadInput(fmt::format("{}: label {} has another {} as well", said, *both, setting));
    }
    all.emplace_back(labels, value);
  }
  return all;
}

}  // namespace tessera
