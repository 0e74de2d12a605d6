// SPDX-License-Identifier: MIT
// How a core writes its results to memory: past the cache, in whole lines.
//
// A store through the cache first reads the line that it overwrites, and part of a line cannot go
// past the cache. Where a vector of populations is a line, it is stored directly. Where it is half
// a line, it waits for the other half. Where it is less, a stretch of nodes waits in the
// first-level cache and is written while the next one is computed.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "codelets/lattice/pull_plan.hpp"

namespace tessera {

inline constexpr std::size_t line_bytes = 64;

/// Writes `count` values, whole lines, past the cache; both addresses are at the begin of a line.
template <std::uint32_t count, class Storage>
[[gnu::always_inline]] inline void stream_lines(Storage* to, Storage const* from) {
#ifdef __SSE2__
#ifdef __AVX512F__
  using Part = __m512i;
  constexpr auto stream_part = [](Part* p, Part const& part) { _mm512_stream_si512(p, part); };
#elif defined __AVX__
  using Part = __m256i;
  constexpr auto stream_part = [](Part* p, Part const& part) { _mm256_stream_si256(p, part); };
#else
  using Part = __m128i;
  constexpr auto stream_part = [](Part* p, Part const& part) { _mm_stream_si128(p, part); };
#endif
  constexpr int parts = count * sizeof(Storage) / sizeof(Part);
#pragma GCC unroll 8
  for (int i = 0; i < parts; ++i)
    stream_part(reinterpret_cast<Part*>(to) + i, reinterpret_cast<Part const*>(from)[i]);
#else
  std::memcpy(to, from, count * sizeof(Storage));
#endif
}

/// Makes the streamed values visible to other threads; call it before they read them.
inline void finish_streaming() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// Where the new populations of a tile stand, which are taken a group of nodes at a time and
/// written as they come.
template <class Storage>
class GroupInPlace {
 public:
  explicit GroupInPlace(Storage* to) : to_(to) {}

  /// Population 0 of the next group stands at `first`, the others `stride` behind each other.
  void begin_group(std::uint32_t first, std::uint32_t stride) {
    group_ = to_ + first;
    stride_ = stride;
  }
  static void finish() { finish_streaming(); }

 protected:
  /// Population q of the lanes from `lane` on.
  Storage* place(std::size_t q, std::uint32_t lane) const { return group_ + q * stride_ + lane; }

 private:
  Storage* const to_;
  Storage* group_ = nullptr;
  std::size_t stride_ = 0;
};

/// The new populations of a tile where Lanes' vectors are lines.
template <class Lanes>
class VectorLines : public GroupInPlace<typename Lanes::Storage> {
 public:
  using GroupInPlace<typename Lanes::Storage>::GroupInPlace;

  void put(std::size_t q, std::uint32_t lane, typename Lanes::Vector const& v) {
    Lanes::store(this->place(q, lane), v);
  }
};

/// Lanes the vectors of which are halves of lines, and can be written past the cache.
template <class Lanes>
concept StreamHalfLines = requires(typename Lanes::Storage* p, typename Lanes::Vector const& v) {
  Lanes::stream(p, v);
};

/// The new populations of a tile where Lanes' vectors are halves of lines and come in order.
template <class Lanes, std::uint32_t populations>
class PairedLines : public GroupInPlace<typename Lanes::Storage> {
  using Vector = typename Lanes::Vector;

 public:
  using GroupInPlace<typename Lanes::Storage>::GroupInPlace;

  /// Keeps population q of the lanes from `lane` on, or writes it with that of the lanes before.
  [[gnu::always_inline]] void put(std::size_t q, std::uint32_t lane, Vector const& v) {
    if (lane / Lanes::count % 2 == 0) {
      first_half_[q] = v;
      return;
    }
    auto* const second_half = this->place(q, lane);
    Lanes::stream(second_half - Lanes::count, first_half_[q]);
    Lanes::stream(second_half, v);
  }

 private:
  Vector first_half_[populations];
};

/// The new populations of a tile, taken a group of nodes at a time, where Lanes' vectors are parts
/// of lines.
template <class Lanes, std::uint32_t populations>
class StretchLines {
  using Storage = typename Lanes::Storage;
  using Vector = typename Lanes::Vector;
  static constexpr std::uint32_t line = line_bytes / sizeof(Storage);
  /// Values of a population that are written together. One line or four are a few percent slower.
  static constexpr std::uint32_t stretch = 2 * line_bytes / sizeof(Storage);
  static constexpr std::uint32_t groups = stretch / group_nodes;
  static_assert(stretch % group_nodes == 0);
  /// Distance from one waiting population to the next: a line more than a stretch, so that they
  /// fall on different sets of the cache.
  static constexpr std::size_t pitch = stretch + line;

 public:
  explicit StretchLines(Storage* to) : to_(to) {}

  /// Population 0 of the next group stands at `first`, the others `stride` behind each other.
  /// Writes a part of the stretch before.
  [[gnu::always_inline]] void begin_group(std::uint32_t first, std::uint32_t stride) {
    std::uint32_t const in_stretch = first % stretch;
    if (in_stretch == 0 || first != filling_.end || stride != stride_) turn_to(first, stride);
    filling_.end = first + group_nodes;
    release_until(populations * (in_stretch / group_nodes + 1) / groups);
    group_ = waiting_[half_] + in_stretch;
  }
  [[gnu::always_inline]] void put(std::size_t q, std::uint32_t lane, Vector const& v) {
    Lanes::store(group_ + q * pitch + lane, v);
  }
  [[gnu::noinline]] void finish() {
    for (int i = 0; i < 2; ++i) turn_over();
    release_until(populations);
    finish_streaming();
  }

 private:
  /// Nodes of a stretch, by the places of their population 0.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  /// The stretch that has been filled is now written.
  void turn_over() {
    release_until(populations);
    leaving_ = filling_;
    filling_ = {};
    released_ = 0;
    half_ ^= 1U;
  }

  [[gnu::noinline]] void turn_to(std::uint32_t first, std::uint32_t stride) {
    turn_over();
    if (stride != stride_) release_until(populations);
    stride_ = stride;
    filling_.begin = first;
  }

  void release_until(std::uint32_t count) {
    for (; released_ < count; ++released_) {
      std::size_t const offset = std::size_t{released_} * stride_;
      Storage const* const from = waiting_[half_ ^ 1U] + released_ * pitch;
      if (leaving_.end - leaving_.begin == stretch && offset % line == 0) {
        stream_lines<stretch>(to_ + leaving_.begin + offset, from);
      } else {
        release_part(to_ + offset, from);
      }
    }
  }

  /// Lines that are not whole, or not lines of the new lattice, go through the cache.
  [[gnu::noinline]] void release_part(Storage* to, Storage const* from) const {
    bool const lines = reinterpret_cast<std::uintptr_t>(to) % line_bytes == 0;
    for (std::uint32_t at = leaving_.begin; at < leaving_.end;) {
      Storage const* const source = from + at % stretch;
      if (lines && at % line == 0 && at + line <= leaving_.end) {
        stream_lines<line>(to + at, source);
        at += line;
      } else {
        std::memcpy(to + at, source, group_nodes * sizeof(Storage));
        at += group_nodes;
      }
    }
  }

  Storage* const to_;
  Storage* group_ = nullptr;
  Range filling_;  ///< in half_ of what waits
  Range leaving_;  ///< in the other half; so many of its first populations have been written:
  std::uint32_t released_ = populations;
  std::uint32_t stride_ = 0;
  unsigned half_ = 0;
  alignas(line_bytes) Storage waiting_[2][populations * pitch];
};

template <class Lanes, std::uint32_t populations>
using StreamedLines =
    std::conditional_t<Lanes::count * sizeof(typename Lanes::Storage) == line_bytes,
                       VectorLines<Lanes>,
                       std::conditional_t<StreamHalfLines<Lanes>, PairedLines<Lanes, populations>,
                                          StretchLines<Lanes, populations>>>;

}  // namespace tessera
