// SPDX-License-Identifier: MIT
#include "case/file/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "io/nearest_word.hpp"
#include "io/text.hpp"

namespace tessera {

namespace {

std::vector<CallersFunction> const* callers_functions = nullptr;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_part(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

double call(void* function, double const* arguments, int count) {
  return (*static_cast<CallersFunction const*>(function))(
      {arguments, static_cast<std::size_t>(count)});
}

}  // namespace

CallersFunctions::CallersFunctions(std::vector<CallersFunction> const& functions) {
  callers_functions = &functions;
}
CallersFunctions::~CallersFunctions() { callers_functions = nullptr; }

struct Formula::Compiled {
  Compiled(std::string text_, std::vector<std::string> variables_, Constants constants_)
      : text(std::move(text_)),
        variables(std::move(variables_)),
        constants(std::move(constants_)),
        values(variables.size()) {
    try {
      check_equals_signs();
      define();
      find_variables();
      parser.Eval();  // compiles
    } catch (mu::Parser::exception_type const& error) {
      throw BadFormula(described(error));
    }
    if (parser.GetNumResults() != 1) throw BadFormula("several values, parted by commas");
  }

  void define() {
    parser.DefineConst("pi", std::numbers::pi);
    for (auto const& [name, value] : constants) parser.DefineConst(name, value);
    define_callers_functions();
    for (std::size_t i = 0; i < variables.size(); ++i) parser.DefineVar(variables[i], &values[i]);
    parser.SetExpr(text);
  }

  void define_callers_functions() {
    if (callers_functions == nullptr) return;
    for (std::size_t i = 0; i < callers_functions->size(); ++i) {
      // It hands them back as what may be changed.
      auto* const function = const_cast<CallersFunction*>(&(*callers_functions)[i]);
      constexpr bool may_be_computed_beforehand = false;
      parser.DefineFunUserData(fmt::format("caller_{}", i), call, function,
                               may_be_computed_beforehand);
    }
  }

  /// muParser would take x = 2 for an assignment.
  void check_equals_signs() const {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '=') continue;
      bool const doubled = text.substr(i, 2) == "==";
      bool const compares = i > 0 && std::string_view("<>!").find(text[i - 1]) != std::string::npos;
      if (!doubled && !compares)
        throw BadFormula(fmt::format("unexpected '=' at position {}; for equality: '=='", i + 1));
      if (doubled) ++i;
    }
  }

  void find_variables() {
    for (auto const& [name, unused] : parser.GetUsedVar()) {
      if (std::ranges::find(variables, name) == variables.end()) {
        std::string const hint = did_you_mean(name, names());
        throw BadFormula(fmt::format("unknown name '{}' at position {}{}", printable(name),
                                     text.find(name) + 1,
                                     hint.empty() ? "" : fmt::format(" ({})", hint.substr(2))));
      }
      varies = true;
    }
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> known(variables.begin(), variables.end());
    known.emplace_back("pi");
    for (auto const& [name, value] : constants) known.emplace_back(name);
    return known;
  }

  std::string described(mu::Parser::exception_type const& error) const {
    auto const at = std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
    std::string const& token = error.GetToken();
    switch (error.GetCode()) {
      case mu::ecUNEXPECTED_EOF:
      case mu::ecEMPTY_EXPRESSION:
        return text.empty() ? "it is empty" : "it ends too early";
      case mu::ecMISSING_PARENS:
        return "a ')' is missing";
      case mu::ecTOO_MANY_PARAMS:
      case mu::ecTOO_FEW_PARAMS:
        return fmt::format("wrong number of arguments of '{}'", printable(token));
      default:
        return token.empty() ? fmt::format("wrong near position {}", at + 1)
                             : fmt::format("unexpected '{}' at position {}", printable(token),
                                           std::min(at, text.find(token)) + 1);
    }
  }

  std::string text;
  std::vector<std::string> variables;
  Constants constants;
  std::vector<double> values;
  mu::Parser parser;
  bool varies = false;
};

Formula::Formula(std::string const& text, std::vector<std::string> const& variables,
                 Constants const& constants)
    : compiled_(std::make_unique<Compiled>(text, variables, constants)) {}
Formula::~Formula() = default;
// Compiled anew: the parser points to the values of its own object.
Formula::Formula(Formula const& other)
    : Formula(other.compiled_->text, other.compiled_->variables, other.compiled_->constants) {}
Formula::Formula(Formula&& other) noexcept = default;
Formula& Formula::operator=(Formula const& other) {
  if (this != &other) *this = Formula(other);
  return *this;
}
Formula& Formula::operator=(Formula&& other) noexcept = default;

double Formula::operator()(std::span<double const> variables) const {
  std::ranges::copy(variables, compiled_->values.begin());
  return compiled_->parser.Eval();
}

std::string const& Formula::text() const { return compiled_->text; }
bool Formula::varies() const { return compiled_->varies; }

std::string spelled_out(std::string_view text, FormulaNames const& formulas) {
  std::string spelled;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_part(text[at])) {  // a name, or a number with what is of it: 1e5
      while (end < text.size() && is_part(text[end])) ++end;
    }
    std::string_view const word = text.substr(at, end - at);
    auto const found = std::ranges::find(formulas, word, &FormulaNames::value_type::first);
    spelled += found == formulas.end() ? std::string(word) : "(" + found->second + ")";
    constexpr std::size_t most = 100'000;
    if (spelled.size() > most)
      throw BadFormula(fmt::format("spelled out it has more than {} characters", most));
    at = end;
  }
  return spelled;
}

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text.front()) || !std::ranges::all_of(text, is_part)) return false;
  static mu::Parser const plain;
  return !plain.GetFunDef().contains(std::string(text));
}

}  // namespace tessera
