// SPDX-License-Identifier: MIT
// Formulas in case files: "4 * U * y * (H - y) / H^2".
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

/// An error in a formula, and its place; the reader of the file adds file and line.
class BadFormula : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Names with fixed values.
using Constants = std::vector<std::pair<std::string, double>>;

/// Names that stand for formulas.
using FormulaNames = std::vector<std::pair<std::string, std::string>>;

/// A formula with the named formulas in the places of their names, in brackets. Throws BadFormula
/// if it becomes absurdly long.
std::string spelled_out(std::string_view text, FormulaNames const& formulas);

/// A function that formulas may call, of so many arguments; from any thread, one call at a time.
using CallersFunction = std::function<double(std::span<double const> arguments)>;

/// Functions of a program that uses Tessera, with the names caller_0, caller_1, ..., for the
/// formulas that are compiled while this object exists. The functions must outlive the formulas.
class CallersFunctions {
 public:
  explicit CallersFunctions(std::vector<CallersFunction> const& functions);
  ~CallersFunctions();
  CallersFunctions(CallersFunctions const&) = delete;
  CallersFunctions& operator=(CallersFunctions const&) = delete;
};

/// A formula of named variables, compiled once and evaluated any number of times. Operators and
/// functions are muParser's: + - * / ^, comparisons, && || ?:, sin cos tan asin acos atan atan2
/// sinh cosh tanh exp ln log10 log2 sqrt abs sign rint min max sum avg. One object serves one
/// thread at a time; copies are independent.
class Formula {
 public:
  /// Throws BadFormula: unknown names, wrong syntax, more than one value.
  Formula(std::string const& text, std::vector<std::string> const& variables,
          Constants const& constants);
  ~Formula();
  Formula(Formula const& other);
  Formula(Formula&& other) noexcept;
  Formula& operator=(Formula const& other);
  Formula& operator=(Formula&& other) noexcept;

  /// The value at these values of the variables, in their order. May not be a finite number.
  double operator()(std::span<double const> variables) const;

  std::string const& text() const;
  /// Whether any variable stands in it.
  bool varies() const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// Whether a constant may be called so: a letter, then letters, digits and '_', and no function of
/// that name.
bool is_name(std::string_view text);

}  // namespace tessera
