// SPDX-License-Identifier: MIT
// Large blocks of memory on huge pages, for all that the program allocates by `new`: an image of
// 800^3 is some 130,000 pages of 4 KiB for each array over its voxels, and each page costs a
// microsecond when it is first touched, most of them on one thread.
//
// Only the program replaces these functions; libtessera leaves its user's memory as it is.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// What malloc takes from the system and gives back each time, too. From 4 MiB on it made many
/// small flows side by side, which would else reuse their memory, a fifth slower.
constexpr std::size_t least = std::size_t{32} << 20;

void* allocated(std::size_t size) noexcept {
  if (size < least) return std::malloc(size > 0 ? size : 1);
  std::size_t const whole_pages = (size + huge_page - 1) / huge_page * huge_page;
  void* const memory = std::aligned_alloc(huge_page, whole_pages);
  if (memory != nullptr) madvise(memory, whole_pages, MADV_HUGEPAGE);  // advice: may fail
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* const memory = allocated(size)) return memory;
    std::new_handler const free_some = std::get_new_handler();
    if (free_some == nullptr) throw std::bad_alloc();
    free_some();
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

#endif
