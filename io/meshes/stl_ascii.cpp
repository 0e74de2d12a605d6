// SPDX-License-Identifier: MIT
#include "io/meshes/stl_ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

constexpr std::string_view spaces = " \t\r\n\v\f";

bool equal_words(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class AsciiStl {
 public:
  AsciiStl(std::string_view text, std::string const& name) : text_(text), name_(name) {}

  std::vector<Triangle> parse() {
    while (true) {
      skip_space();
      if (at_ == text_.size()) return std::move(triangles_);
      expect({"solid"});
      skip_line();
      while (equal_words(peek(), "facet")) facet();
      expect({"endsolid"});
      skip_line();
    }
  }

 private:
  void facet() {
    expect({"facet", "normal"});
    for (int i = 0; i < 3; ++i) word();  // often 0 or not a number
    expect({"outer", "loop"});
    Triangle triangle;
    for (Vector3& corner : triangle) {
      expect({"vertex"});
      for (Axis const axis : all_axes) corner[axis] = number();
    }
    expect({"endloop", "endfacet"});
    triangles_.push_back(triangle);
  }

  void expect(std::initializer_list<std::string_view> words) {
    for (std::string_view const expected : words) {
      std::string_view const found = word();
      if (!equal_words(found, expected)) fail(found, expected);
    }
  }

  double number() {
    std::string_view const found = word();
    std::string_view digits = found;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) fail(found, "a number");
    return value;
  }

  /// The next word; empty at the end of the file.
  std::string_view word() {
    std::string_view const found = peek();
    at_ += found.size();
    return found;
  }

  std::string_view peek() {
    skip_space();
    std::size_t const end = text_.find_first_of(spaces, at_);
    return text_.substr(at_, end == std::string_view::npos ? end : end - at_);
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size()); }

  /// To the end of the line: a name may be anything.
  void skip_line() { at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()); }

  [[noreturn]] void fail(std::string_view found, std::string_view expected) const {
    std::size_t const line =
        1 + static_cast<std::size_t>(std::ranges::count(text_.substr(0, at_), '\n'));
    if (found.empty()) {
      throw BadInput(
          fmt::format("{}: truncated ASCII STL: it ends in line {}, after {} triangles; "
                      "expected {}",
                      name_, line, triangles_.size(), expected));
    }
    throw BadInput(fmt::format("{}: line {} of this ASCII STL has \"{}\"; expected {}", name_, line,
                               printable(found.substr(0, 40)), expected));
  }

  std::string_view text_;
  std::string const& name_;
  std::size_t at_ = 0;
  std::vector<Triangle> triangles_;
};

}  // namespace

std::vector<Triangle> parse_ascii_stl(std::string_view text, std::string const& name) {
  return AsciiStl(text, name).parse();
}

}  // namespace tessera
