// SPDX-License-Identifier: MIT
// Memory of several GPUs in one contiguous range of addresses: the first part of it lies on the
// first GPU, and so on, and each GPU reads and writes all of it. Some of the addresses may have no
// memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tessera {

/// The ones of `gpus` whose memory the first one can share: the first one itself, then others that
/// it reaches and that reach it. A number that occurs twice stands for two parts of that GPU.
std::vector<int> gpus_that_share(std::span<int const> gpus);

/// Lets each of these GPUs access what the others allocate. Throws EnvironmentError.
void share_memory(std::span<int const> gpus);

/// A range of bytes in the memory.
struct ByteRange {
  std::size_t begin;
  std::size_t end;
};

class SpreadMemory {
 public:
  SpreadMemory() = default;
  /// Zeroed memory in parts of equal size, up to whole pages (2 MiB). Throws EnvironmentError.
  SpreadMemory(std::size_t bytes, std::span<int const> gpus)
      : SpreadMemory(bytes, gpus, {0, bytes}, {}) {}
  /// Zeroed memory only for the range `main`, in parts of equal size, and for the ranges `beside`,
  /// in any order, on the GPU whose part is nearest; other pages have addresses only.
  SpreadMemory(std::size_t bytes, std::span<int const> gpus, ByteRange main,
               std::span<ByteRange const> beside);

  void* get() const;

  /// How many bytes from `from` on are in one piece, `most` at most: copies to and from the host
  /// must not cross its end. Returns `most` where the memory is not spread.
  static std::size_t in_one_piece(void const* from, std::size_t most);

 private:
  class Stretch;
  struct Destroy {
    void operator()(Stretch* stretch) const;
  };
  std::unique_ptr<Stretch, Destroy> stretch_;
};

}  // namespace tessera
