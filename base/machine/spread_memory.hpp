// SPDX-License-Identifier: MIT
// Memory of several GPUs at one stretch of addresses: the first part of it lies on the first GPU,
// and so on, and each GPU reads and writes all of it. Of some of the addresses there may be none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tessera {

/// Of `gpus`, those whose memory the first one can share: itself first, then others that it
/// reaches and that reach it. A number that is there twice stands for two parts of that GPU.
std::vector<int> gpus_that_share(std::span<int const> gpus);

/// Lets each of them use what the others allocate. Throws EnvironmentError.
void share_memory(std::span<int const> gpus);

/// Bytes of a stretch.
struct ByteRange {
  std::size_t begin;
  std::size_t end;
};

class SpreadMemory {
 public:
  SpreadMemory() = default;
  /// In parts of equal size but for pages (2 MiB), zeroed. Throws EnvironmentError.
  SpreadMemory(std::size_t bytes, std::span<int const> gpus)
      : SpreadMemory(bytes, gpus, {0, bytes}, {}) {}
  /// The same of `main` and, on the GPU whose part is nearest, of what is `beside` it, in any
  /// order; other pages have addresses only.
  SpreadMemory(std::size_t bytes, std::span<int const> gpus, ByteRange main,
               std::span<ByteRange const> beside);

  void* get() const;

  /// How many bytes from here on are of one piece, `most` at most: copies to and from the host must
  /// not reach over its end. All of them where the memory is not spread.
  static std::size_t in_one_piece(void const* from, std::size_t most);

 private:
  class Stretch;
  struct Destroy {
    void operator()(Stretch* stretch) const;
  };
  std::unique_ptr<Stretch, Destroy> stretch_;
};

}  // namespace tessera
