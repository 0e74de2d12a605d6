// SPDX-License-Identifier: MIT
#include "io/fields/compressed_chunks.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera {
namespace {

constexpr int fastest = 1;

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

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
std::vector<std::byte> shuffled(std::span<std::byte const> values, std::size_t element) {
  std::size_t const count = values.size() / element;
  std::vector<std::byte> to(values.size());
  for (std::size_t byte = 0; byte < element; ++byte) {
    for (std::size_t i = 0; i < count; ++i) to[byte * count + i] = values[i * element + byte];
  }
  return to;
}

std::vector<std::byte> compressed(std::span<std::byte const> values) {
  std::unique_ptr<libdeflate_compressor, FreeCompressor> const compressor(
      libdeflate_alloc_compressor(fastest));
  if (compressor == nullptr) throw EnvironmentError("no memory to compress in");
  std::vector<std::byte> to(libdeflate_zlib_compress_bound(compressor.get(), values.size()));
  to.resize(libdeflate_zlib_compress(compressor.get(), values.data(), values.size(), to.data(),
                                     to.size()));
  if (to.empty()) throw EnvironmentError("a part of a data set could not be compressed");
  to.shrink_to_fit();  // it may be kept
  return to;
}

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

std::vector<std::byte> packed(std::span<hsize_t const> extents, std::span<hsize_t const> chunk,
                              std::span<hsize_t const> begin, std::size_t element,
                              std::byte const* values) {
  std::vector<std::byte> plain(product(chunk) * element);
  gather(0, extents, chunk, begin, element, values, plain.data());
  return compressed(shuffled(plain, element));
}

}  // namespace

std::vector<std::byte> packed_chunk(std::span<hsize_t const> extents,
                                    std::span<hsize_t const> chunk, std::size_t element,
                                    std::byte const* values) {
  return packed(extents, chunk, std::vector<hsize_t>(extents.size()), element, values);
}

void write_compressed_chunks(hid_t dataset, std::span<hsize_t const> of_data_set,
                             std::span<hsize_t const> chunk, std::size_t element,
                             std::byte const* values, hsize_t first) {
  std::vector<hsize_t> extents(of_data_set.begin(), of_data_set.end());
  extents[0] = std::min(chunk[0], extents[0] - first);
  std::size_t chunks = 1;
  for (std::size_t a = 0; a < extents.size(); ++a) chunks *= (extents[a] + chunk[a] - 1) / chunk[a];
  Turns turns;
  in_parallel(static_cast<std::int64_t>(chunks), [&](std::int64_t number) {
    try {
      std::vector<hsize_t> const begin = begin_of(static_cast<std::size_t>(number), extents, chunk);
      std::vector<std::byte> const bytes = packed(extents, chunk, begin, element, values);
      std::vector<hsize_t> in_file = begin;
      in_file[0] += first;
      turns.take(number, [&] {
        hdf5_checked(
            H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, in_file.data(), bytes.size(), bytes.data()),
            "write a part of a data set");
      });
    } catch (...) {
      turns.end();
      throw;
    }
  });
}

}  // namespace tessera
