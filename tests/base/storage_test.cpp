// SPDX-License-Identifier: MIT
// Populations of 16 bits: the conversions against IEEE 754 and against the processor's own.
#include "base/storage.hpp"

#include <gtest/gtest.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <cmath>
#include <limits>
#include <random>

namespace tessera {
namespace {

constexpr unsigned halves = 65536;

bool is_nan(std::uint16_t half) { return (half & 0x7FFFU) > 0x7C00U; }

TEST(Half, EveryOneSurvivesTheWayThroughAFloat) {
  for (unsigned h = 0; h < halves; ++h) {
    auto const half = static_cast<std::uint16_t>(h);
    std::uint16_t const back = half_format::narrow(half_format::widen(half));
    // What is not a number stays so, and becomes quiet.
    EXPECT_EQ(back, is_nan(half) ? half | 0x200U : half) << h;
  }
}

TEST(Half, HasTheValuesOfItsDefinition) {
  for (unsigned h = 0; h < 0x7C00U; ++h) {
    int const exponent = static_cast<int>(h >> 10);
    double const fraction = h & 0x3FFU;
    double const value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    EXPECT_EQ(half_format::widen(static_cast<std::uint16_t>(h)), value) << h;
    EXPECT_EQ(half_format::widen(static_cast<std::uint16_t>(h | 0x8000U)), -value) << h;
  }
  EXPECT_EQ(half_format::widen(0x7C00U), std::numeric_limits<float>::infinity());
  EXPECT_EQ(half_format::widen(0xFC00U), -std::numeric_limits<float>::infinity());
}

TEST(Half, RoundsToNearestAndTiesToEven) {
  float const infinity = std::numeric_limits<float>::infinity();
  for (unsigned h = 0; h < 0x7BFFU; ++h) {
    float const low = half_format::widen(static_cast<std::uint16_t>(h));
    float const high = half_format::widen(static_cast<std::uint16_t>(h + 1));
    float const middle = (low + high) / 2;  // exact
    EXPECT_EQ(half_format::narrow(middle), h + (h & 1U)) << h;
    EXPECT_EQ(half_format::narrow(std::nextafter(middle, 0.0F)), h);
    EXPECT_EQ(half_format::narrow(std::nextafter(middle, infinity)), h + 1);
  }
  EXPECT_EQ(half_format::narrow(std::nextafter(65520.0F, 0.0F)), 0x7BFFU);
  EXPECT_EQ(half_format::narrow(65520.0F), 0x7C00U);
}

#ifdef __x86_64__
[[gnu::target("f16c")]] float widen_in_hardware(std::uint16_t half) { return _cvtsh_ss(half); }

[[gnu::target("f16c")]] std::uint16_t narrow_in_hardware(float value) {
  __m128i const halves_of_four = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT);
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(halves_of_four));
}

bool has_f16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

TEST(Half, IsConvertedAsTheProcessorDoes) {
  if (!has_f16c()) GTEST_SKIP() << "no F16C";
  for (unsigned h = 0; h < halves; ++h) {
    auto const half = static_cast<std::uint16_t>(h);
    if (is_nan(half)) {
      EXPECT_TRUE(std::isnan(half_format::widen(half))) << h;
    } else {
      EXPECT_EQ(half_format::widen(half), widen_in_hardware(half)) << h;
    }
  }
  std::mt19937 random(3);
  for (int i = 0; i < 4'000'000; ++i) {
    auto bits = static_cast<std::uint32_t>(random());
    // All floats are met, but the range of a half is only a seventh of them.
    if (i % 2 == 0) bits = (bits & 0x8FFFFFFFU) + 0x30000000U;
    auto const value = std::bit_cast<float>(bits);
    ASSERT_EQ(half_format::narrow(value), narrow_in_hardware(value)) << bits;
  }
}
#endif

TEST(Half, StoresPopulationsTimes32768) {
  EXPECT_EQ(to_storage<Half>(0x1p-15F).bits, half_format::narrow(1.0F));
  for (unsigned h = 0; h < halves; ++h) {
    Half const half{static_cast<std::uint16_t>(h)};
    if (is_nan(half.bits)) continue;
    EXPECT_EQ(from_storage(half), half_format::widen(half.bits) / 32768) << h;
    EXPECT_EQ(to_storage<Half>(from_storage(half)).bits, h);
  }
}

TEST(Half, KeepsElevenBitsOfPopulationsFrom2e9thsTo2) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> exponent(-29, 1), sign(-1, 1);
  for (int i = 0; i < 1'000'000; ++i) {
    float const value = std::copysign(std::exp2(exponent(random)), sign(random));
    if (std::abs(value) < 0x1p-29F || std::abs(value) >= 0x1.FFCp0F) continue;
    ASSERT_LE(std::abs(from_storage(to_storage<Half>(value)) - value), 0x1p-11F * std::abs(value));
  }
}

TEST(Half, LosesWhatIsSmallerAndLarger) {
  constexpr float smallest = 0x1p-39F;
  EXPECT_EQ(from_storage(to_storage<Half>(smallest)), smallest);
  EXPECT_EQ(from_storage(to_storage<Half>(1.4F * smallest)), smallest);
  EXPECT_EQ(from_storage(to_storage<Half>(0.5F * smallest)), 0);
  EXPECT_EQ(from_storage(to_storage<Half>(1.999F)), 1.9990234375F);
  EXPECT_TRUE(std::isinf(from_storage(to_storage<Half>(2.0F))));
  EXPECT_TRUE(std::isnan(from_storage(to_storage<Half>(std::nanf("")))));
}

TEST(Storage, KeepsNumbersAsTheyAreInSingleAndDoublePrecision) {
  EXPECT_EQ(from_storage(to_storage<float>(0.1F)), 0.1F);
  EXPECT_EQ(from_storage(to_storage<double>(0.1)), 0.1);
}

TEST(Storage, OfAPrecisionHasItsSize) {
  for (Precision const precision :
       {Precision::half_storage, Precision::single_precision, Precision::double_precision}) {
    EXPECT_EQ(with_storage(precision, []<class Storage>() { return sizeof(Storage); }),
              bytes_of(precision));
  }
}

}  // namespace
}  // namespace tessera
