// SPDX-License-Identifier: MIT
// Sums that do not depend on the order of their terms: any tiles, workers and processes give the
// same bits.
//
// A fixed-point number as wide as all doubles (Kulisch's accumulator; Neal, arXiv:1505.05571), in
// digits of 32 bits that may overflow into their words until carries are propagated.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>

namespace tessera {

class ExactSum {
 public:
  /// The digits, followed by the number of terms that were not finite. Several sums are added by
  /// adding these words one by one, if the carries of all have been propagated and they are fewer
  /// than 2^31.
  static constexpr std::size_t words = 68;

  ExactSum() = default;
  explicit ExactSum(std::span<std::int64_t const, words> sum_of_words) {
    std::ranges::copy(sum_of_words, word_.begin());
    carry();
  }

  void add(double term) {
    auto const bits = std::bit_cast<std::uint64_t>(term);
    auto const exponent = static_cast<std::uint32_t>(bits >> 52 & 0x7FFU);
    if (exponent == 0x7FFU) {
      ++word_[words - 1];
      return;
    }
    std::uint64_t const fraction = bits & ((std::uint64_t{1} << 52) - 1);
    std::uint64_t const mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    std::uint32_t const place = exponent == 0 ? 0 : exponent - 1;  // of its last bit
    std::uint32_t const shift = place % digit_bits;
    std::int64_t const sign = (bits >> 63) != 0 ? -1 : 1;
    std::uint64_t const low = mantissa << shift;
    std::uint64_t const high = shift == 0 ? 0 : mantissa >> (64 - shift);
    std::int64_t* const at = &word_[place / digit_bits];
    at[0] += sign * static_cast<std::int64_t>(low & digit_mask);
    at[1] += sign * static_cast<std::int64_t>(low >> digit_bits);
    at[2] += sign * static_cast<std::int64_t>(high);
    if (++terms_ == most_terms) carry();
  }

  /// The words with carries propagated, to be added to those of other processes.
  std::span<std::int64_t const, words> carried() {
    carry();
    return word_;
  }

  /// The double next to the sum; NaN if one of its terms was not finite.
  double value() const {
    if (word_[words - 1] != 0) return std::numeric_limits<double>::quiet_NaN();
    ExactSum carried = *this;
    carried.carry();
    bool const negative = carried.word_[digits - 1] < 0;
    if (negative) {
      for (std::int64_t& word : carried.word_) word = -word;
      carried.carry();
    }
    return negative ? -carried.magnitude() : carried.magnitude();
  }

 private:
  static constexpr std::size_t digits = words - 1;
  static constexpr std::uint32_t digit_bits = 32;
  static constexpr std::uint64_t digit_mask = 0xFFFFFFFFU;
  static constexpr std::int32_t most_terms = 1 << 30;
  static constexpr int place_of_last_bit = -1074;
  __extension__ using Wide = unsigned __int128;

  /// Propagates carries: leaves all digits but the most significant one between 0 and 2^32; that
  /// one has the sign.
  void carry() {
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      word_[i + 1] += word_[i] >> digit_bits;
      word_[i] &= static_cast<std::int64_t>(digit_mask);
    }
    terms_ = 0;
  }

  /// The value of digits whose carries have been propagated and that are not negative.
  double magnitude() const {
    std::size_t top = digits - 1;
    while (top > 0 && word_[top] == 0) --top;
    // Four digits hold more than a double does; of lower digits it only counts whether they are 0.
    Wide leading = 0;
    std::size_t const last = top < 3 ? 0 : top - 3;
    for (std::size_t i = top + 1; i-- > last;)
      leading = leading << digit_bits | static_cast<std::uint64_t>(word_[i]);
    for (std::size_t i = 0; i < last; ++i) {
      if (word_[i] != 0) leading |= 1;
    }
    return std::ldexp(static_cast<double>(leading),
                      static_cast<int>(digit_bits * last) + place_of_last_bit);
  }

  std::array<std::int64_t, words> word_{};
  std::int32_t terms_ = 0;  ///< since carries were propagated
};

/// The sums of all members of a struct of doubles.
template <class Terms>
class ExactSums {
  static_assert(std::is_trivially_copyable_v<Terms> && sizeof(Terms) % sizeof(double) == 0);
  using Numbers = std::array<double, sizeof(Terms) / sizeof(double)>;

 public:
  void add(Terms const& terms) {
    auto const numbers = std::bit_cast<Numbers>(terms);
    for (std::size_t i = 0; i < numbers.size(); ++i) sums_[i].add(numbers[i]);
  }
  Terms value() const {
    Numbers numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = sums_[i].value();
    return std::bit_cast<Terms>(numbers);
  }
  std::span<ExactSum> all() { return sums_; }

 private:
  std::array<ExactSum, std::tuple_size_v<Numbers>> sums_;
};

}  // namespace tessera
