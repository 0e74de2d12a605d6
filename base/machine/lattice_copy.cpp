// SPDX-License-Identifier: MIT
#include "base/machine/lattice_copy.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>

#include "base/machine/thread_team.hpp"

namespace tessera {
namespace {

constexpr std::size_t arrays = 19;  // as many as D3Q19 has velocities
constexpr std::size_t line = 16;    // floats
constexpr std::size_t piece =
    128;  // nodes of one array before the next array has its turn, as in the step

void copy_past_the_cache(float const* from, float* to, std::size_t count) {
#ifdef __x86_64__
  constexpr std::size_t ahead = 1500;  // floats; makes up for what the hardware does not foresee
  for (std::size_t i = 0; i < count; i += 4) {
    if (i % line == 0) __builtin_prefetch(from + i + ahead, 0, 2);
    _mm_stream_ps(to + i, _mm_load_ps(from + i));
  }
#else
  std::copy_n(from, count, to);
#endif
}

}  // namespace

LatticeCopy::LatticeCopy(std::size_t nodes, unsigned threads)
    : pitch_(nodes / piece * piece + 27 * line),
      threads_(threads),
      from_(arrays * pitch_),
      to_(arrays * pitch_) {}

double LatticeCopy::run() {
  std::size_t const pieces = pitch_ / piece;
  double const seconds = time_threads(threads_, [&](unsigned thread) {
    for (std::size_t p = pieces * thread / threads_; p < pieces * (thread + 1) / threads_; ++p) {
      for (std::size_t q = 0; q < arrays; ++q) {
        copy_past_the_cache(from_.get() + q * pitch_ + p * piece,
                            to_.get() + q * pitch_ + p * piece, piece);
      }
    }
#ifdef __x86_64__
    _mm_sfence();
#endif
  });
  return 2.0 * arrays * static_cast<double>(pieces * piece * sizeof(float)) / seconds * 1e-9;
}

}  // namespace tessera
