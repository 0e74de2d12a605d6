// SPDX-License-Identifier: MIT
#include "case/formula_text.hpp"

#include <fmt/format.h>

#include <cctype>

namespace tessera {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// " with U = 0.1".
std::string constants_in(std::string_view formula, Constants const& constants) {
  std::string used;
  for (auto const& [name, value] : constants) {
    for (std::size_t at = formula.find(name); at != std::string_view::npos;
         at = formula.find(name, at + 1)) {
      std::size_t const end = at + name.size();
      if (at > 0 && is_of_name(formula[at - 1])) continue;
      if (end < formula.size() && is_of_name(formula[end])) continue;
      used += fmt::format("{} {} = {}", used.empty() ? " with" : ",", name, value);
      break;
    }
  }
  return used;
}

}  // namespace

std::string formula_text(std::string_view formula, Constants const& constants) {
  return fmt::format("'{}'{}", formula, constants_in(formula, constants));
}

}  // namespace tessera
