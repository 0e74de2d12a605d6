// SPDX-License-Identifier: MIT
// How populations are stored in memory, and the precision of the node update.
#pragma once

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/host_device.hpp"

namespace tessera {

/// half_storage: 16 bits in memory, single precision in the node update.
enum class Precision : std::uint8_t { single_precision, double_precision, half_storage };
inline constexpr int precisions = 3;

/// A shifted population as IEEE 754 half precision, times 2^15: shifted populations are small, and
/// so scaled they use the format's normal numbers, from 1.9e-9 up to 2. The scaling is that of
/// Lehmann et al., Phys. Rev. E 106 (2022) 015308 (there "FP16S").
struct Half {
  std::uint16_t bits;
};

namespace half_format {

inline constexpr float scale = 32768.0F;

/// IEEE half precision to single: exact. Always inlined for the reason in host_device.hpp.
[[gnu::always_inline]] constexpr float widen(std::uint16_t half) {
  std::uint32_t const sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  std::uint32_t const exponent = half >> 10 & 0x1FU;
  std::uint32_t const fraction = half & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24
    float const magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// Single to half precision, to nearest, ties to even: as the processors' own conversions do.
[[gnu::always_inline]] constexpr std::uint16_t narrow(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  auto const sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  std::uint32_t const magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U)  // not a number
    return static_cast<std::uint16_t>(sign | 0x7E00U | (magnitude >> 13 & 0x3FFU));
  if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);  // infinite
  std::uint32_t rounded = 0;
  if (magnitude < 0x38800000U) {  // subnormal: adding 1/2 leaves the digits at the right place
    float const shifted = std::bit_cast<float>(magnitude) + 0.5F;
    rounded = std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U;
  } else {
    rounded = (magnitude + 0xFFFU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | rounded);
}

}  // namespace half_format

/// The type in which populations stored as Storage are computed.
template <class Storage>
using Arithmetic = std::conditional_t<std::is_same_v<Storage, Half>, float, Storage>;

template <class Storage>
inline constexpr Precision precision_of =
    std::is_same_v<Storage, Half>    ? Precision::half_storage
    : std::is_same_v<Storage, float> ? Precision::single_precision
                                     : Precision::double_precision;

/// A stored population as a number.
template <class Storage>
TESSERA_HOST_DEVICE constexpr Arithmetic<Storage> from_storage(Storage stored) {
  if constexpr (std::is_same_v<Storage, Half>) {
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(stored.bits)) * (1.0F / half_format::scale);
#else
    return half_format::widen(stored.bits) * (1.0F / half_format::scale);
#endif
  } else {
    return stored;
  }
}

/// A number as a stored population: rounded to nearest.
template <class Storage>
TESSERA_HOST_DEVICE constexpr Storage to_storage(Arithmetic<Storage> value) {
  if constexpr (std::is_same_v<Storage, Half>) {
#ifdef __CUDA_ARCH__
    return {__half_as_ushort(__float2half_rn(value * half_format::scale))};
#else
    return {half_format::narrow(value * half_format::scale)};
#endif
  } else {
    return value;
  }
}

/// Bytes of a stored population.
constexpr std::size_t bytes_of(Precision precision) {
  switch (precision) {
    case Precision::half_storage:
      return sizeof(Half);
    case Precision::single_precision:
      return sizeof(float);
    case Precision::double_precision:
      return sizeof(double);
  }
  return 0;
}

/// Calls work.template operator()<Storage>() with the storage type of a precision.
template <class Work>
decltype(auto) with_storage(Precision precision, Work&& work) {
  switch (precision) {
    case Precision::half_storage:
      return std::forward<Work>(work).template operator()<Half>();
    case Precision::single_precision:
      return std::forward<Work>(work).template operator()<float>();
    case Precision::double_precision:
      break;
  }
  return std::forward<Work>(work).template operator()<double>();
}

}  // namespace tessera
