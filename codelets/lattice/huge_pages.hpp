// SPDX-License-Identifier: MIT
// Large pages for populations that a core works on.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace tessera {

/// Advises huge pages for an array: nineteen arrays on pages of 4 kB would exhaust the TLB. Costs a
/// microsecond if that has been done already.
inline void advise_huge_pages(void* data, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  auto const address = reinterpret_cast<std::uintptr_t>(data);
  std::size_t const skipped = (page - address % page) % page;
  if (bytes < skipped + page) return;
  std::size_t const whole = (bytes - skipped) / page * page;
  madvise(static_cast<std::byte*>(data) + skipped, whole, MADV_HUGEPAGE);  // advice: may fail
}

}  // namespace tessera
