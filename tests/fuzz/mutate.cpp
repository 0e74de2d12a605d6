// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace tessera::fuzz {
namespace {

constexpr std::array<std::string_view, 18> numbers{"0",          "-1",
                                                   "1",          "2",
                                                   "255",        "65536",
                                                   "2147483647", "1e9",
                                                   "1e15",       "1e18",
                                                   "1e308",      "-1e308",
                                                   "1e-308",     "9223372036854775807",
                                                   "nan",        "inf",
                                                   "0.5",        "-9223372036854775808"};
constexpr std::array<std::uint64_t, 10> patterns{
    0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffffU, 0x7fffffffffffffffU};

class Mutation {
 public:
  Mutation(std::string& text, std::vector<std::string> const& inputs, std::mt19937_64& random)
      : text_(text), inputs_(inputs), random_(random) {}

  void apply() {
    if (text_.empty()) return splice();
    switch (below(8)) {
      case 0:
        text_[place()] = static_cast<char>(random_());
        break;
      case 1:
        text_[place()] ^= static_cast<char>(1U << below(8));
        break;
      case 2:
        text_.erase(place(), 1 + below(16));
        break;
      case 3:
        text_.insert(place(), text_.substr(place(), 1 + below(64)));
        break;
      case 4:
        overwrite();
        break;
      case 5:
        replace_number();
        break;
      case 6:
        splice();
        break;
      default:
        text_.resize(place());
        break;
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::size_t place() { return below(text_.size()); }

  /// A field of 1 to 8 bytes with a value at a limit, in either byte order.
  void overwrite() {
    std::uint64_t const value = patterns[below(patterns.size())];
    std::size_t const bytes = std::size_t{1} << below(4);
    bool const big = below(2) == 0;
    std::size_t const at = place();
    for (std::size_t i = 0; i < bytes && at + i < text_.size(); ++i)
      text_[at + i] = static_cast<char>(value >> (8 * (big ? bytes - 1 - i : i)));
  }

  void replace_number() {
    std::size_t begin = place();
    auto const is_digit = [&](std::size_t at) {
      return at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) != 0;
    };
    while (begin < text_.size() && !is_digit(begin)) ++begin;
    std::size_t end = begin;
    while (is_digit(end)) ++end;
    text_.replace(begin, end - begin, numbers[below(numbers.size())]);
  }

  void splice() {
    std::string const& other = inputs_[below(inputs_.size())];
    if (other.empty()) return;
    std::size_t const from = below(other.size());
    text_.insert(below(text_.size() + 1), other.substr(from, 1 + below(256)));
  }

  std::string& text_;
  std::vector<std::string> const& inputs_;
  std::mt19937_64& random_;
};

}  // namespace

std::string mutated(std::vector<std::string> const& inputs, std::size_t most_bytes,
                    std::mt19937_64& random) {
  std::string text = inputs[random() % inputs.size()];
  Mutation mutation(text, inputs, random);
  for (std::size_t left = 1 + random() % 6; left > 0; --left) mutation.apply();
  text.resize(std::min(text.size(), most_bytes));
  return text;
}

}  // namespace tessera::fuzz
