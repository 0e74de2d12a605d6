// SPDX-License-Identifier: MIT
#include "io/fields/compressed_chunks.hpp"

#include <isa-l.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera {
namespace {

std::size_t product(std::span<hsize_t const> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

/// Where the chunk of a number begins, as HDF5 counts them: the last axis first.
std::vector<hsize_t> begin_of(std::size_t number, std::span<hsize_t const> extents,
                              std::span<hsize_t const> chunk) {
  std::vector<hsize_t> begin(extents.size());
  for (std::size_t a = extents.size(); a-- > 0;) {
    hsize_t const along = (extents[a] + chunk[a] - 1) / chunk[a];
    begin[a] = number % along * chunk[a];
    number /= along;
  }
  return begin;
}

/// Copies what lies in a chunk; what lies beyond the extents stays.
void gather(std::size_t axis, std::span<hsize_t const> extents, std::span<hsize_t const> chunk,
            std::span<hsize_t const> begin, std::size_t element, std::byte const* from,
            std::byte* to) {
  hsize_t const count = std::min(chunk[axis], extents[axis] - begin[axis]);
  std::size_t const from_stride = product(extents.subspan(axis + 1)) * element;
  std::size_t const to_stride = product(chunk.subspan(axis + 1)) * element;
  from += begin[axis] * from_stride;
  if (axis + 1 == extents.size()) {
    std::memcpy(to, from, count * element);
    return;
  }
  for (hsize_t i = 0; i < count; ++i)
    gather(axis + 1, extents, chunk, begin, element, from + i * from_stride, to + i * to_stride);
}

/// First bytes of all values, then second bytes, ...
void shuffle(std::span<std::byte const> values, std::size_t element, std::byte* to) {
  std::size_t const count = values.size() / element;
  for (std::size_t byte = 0; byte < element; ++byte) {
    for (std::size_t i = 0; i < count; ++i) to[byte * count + i] = values[i * element + byte];
  }
}

/// What packs chunks one after the other: memory that is new for each would have to be cleared for
/// each.
class Packer {
 public:
  /// The chunk that begins at `begin`, until the next call.
  std::span<std::byte const> packed(std::span<hsize_t const> extents,
                                    std::span<hsize_t const> chunk, std::span<hsize_t const> begin,
                                    std::size_t element, std::byte const* values) {
    std::size_t const bytes = product(chunk) * element;
    plain_.assign(bytes, std::byte{});
    shuffled_.resize(bytes);
    gather(0, extents, chunk, begin, element, values, plain_.data());
    shuffle(plain_, element, shuffled_.data());
    return compressed(shuffled_);
  }

 private:
  std::span<std::byte const> compressed(std::span<std::byte const> values) {
    // What does not become smaller is stored in blocks of 65535 bytes, with 5 bytes before each;
    // more room than that costs nothing.
    packed_.resize(values.size() + values.size() / 8 + 1024);
    make_codes_of(values);
    isal_zstream stream{};
    isal_deflate_stateless_init(&stream);
    stream.next_in = bytes_of(values);
    stream.avail_in = static_cast<std::uint32_t>(values.size());
    stream.next_out = reinterpret_cast<std::uint8_t*>(packed_.data());
    stream.avail_out = static_cast<std::uint32_t>(packed_.size());
    stream.end_of_stream = 1;
    stream.flush = NO_FLUSH;
    stream.gzip_flag = IGZIP_ZLIB;
    // Level 0, with codes of our own: at levels 1 and 2 of ISA-L 2.30 the bytes depend on where the
    // stream lies in memory, so that a file would differ from run to run. The default codes of
    // level 0 would make it an eighth larger.
    stream.hufftables = &codes_;
    if (isal_deflate_stateless(&stream) != COMP_OK)
      throw EnvironmentError("a part of a data set could not be compressed");
    return std::span(packed_).first(stream.total_out);
  }

  /// Huffman codes by the frequencies in samples of the values: counting in all of them would take
  /// as long as compressing.
  void make_codes_of(std::span<std::byte const> values) {
    constexpr std::size_t samples = 16;
    constexpr std::size_t sample_bytes = 8192;
    frequencies_ = {};
    std::size_t const stride = values.size() / samples;
    for (std::size_t s = 0; s < samples; ++s) {
      std::size_t const bytes = std::min(stride, sample_bytes);
      isal_update_histogram(bytes_of(values.subspan(s * stride)), static_cast<int>(bytes),
                            &frequencies_);
    }
    isal_create_hufftables(&codes_, &frequencies_);
  }

  /// ISA-L takes what it only reads without const.
  static std::uint8_t* bytes_of(std::span<std::byte const> values) {
    return const_cast<std::uint8_t*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        reinterpret_cast<std::uint8_t const*>(values.data()));
  }

  std::vector<std::byte> plain_, shuffled_, packed_;
  isal_huff_histogram frequencies_{};
  isal_hufftables codes_{};
};

/// Lets threads through one by one, in the order of their numbers.
class Turns {
 public:
  template <class Work>
  void take(std::int64_t number, Work&& work) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == number || over_; });
    if (over_) return;
    work();
    ++next_;
    changed_.notify_all();
  }
  /// Nobody waits any more.
  void end() {
    std::lock_guard const lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_ = 0;
  bool over_ = false;
};

}  // namespace

std::vector<std::byte> packed_chunk(std::span<hsize_t const> extents,
                                    std::span<hsize_t const> chunk, std::size_t element,
                                    std::byte const* values) {
  thread_local Packer packer;
  std::vector<hsize_t> const begin(extents.size());
  auto const bytes = packer.packed(extents, chunk, begin, element, values);
  return {bytes.begin(), bytes.end()};
}

void write_compressed_chunks(hid_t dataset, std::span<hsize_t const> extents,
                             std::span<hsize_t const> chunk, std::size_t element,
                             std::byte const* values) {
  std::size_t chunks = 1;
  for (std::size_t a = 0; a < extents.size(); ++a) chunks *= (extents[a] + chunk[a] - 1) / chunk[a];
  Turns turns;
  std::vector<Packer> packers(threads_allowed());
  auto const threads = std::min<std::size_t>(packers.size(), chunks);
  by_threads(static_cast<unsigned>(threads), static_cast<std::int64_t>(chunks),
             [&](unsigned thread, std::int64_t number) {
               try {
                 auto const begin = begin_of(static_cast<std::size_t>(number), extents, chunk);
                 auto const bytes = packers[thread].packed(extents, chunk, begin, element, values);
                 turns.take(number, [&] {
                   hdf5_checked(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, begin.data(), bytes.size(),
                                               bytes.data()),
                                "write a part of a data set");
                 });
               } catch (...) {
                 turns.end();
                 throw;
               }
             });
}

}  // namespace tessera
