// SPDX-License-Identifier: MIT
#include "io/images/hdf5/lzf_filter.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "io/hdf5_handle.hpp"

namespace tessera {
namespace {

/// HDF5 gives a chunk and takes it back unpacked, or 0 for one that is damaged. Of the values h5py
/// notes with the filter the third is how many bytes a chunk has.
std::size_t unpack_chunk(unsigned flags, std::size_t count, unsigned const values[],
                         std::size_t packed, std::size_t* room, void** buffer) {
  constexpr std::size_t at_length = 2;
  if ((flags & H5Z_FLAG_REVERSE) == 0 || count <= at_length) return 0;
  std::size_t const bytes = values[at_length];
  void* const unpacked = H5allocate_memory(bytes, false);
  if (unpacked == nullptr) return 0;
  if (!unpack_lzf({static_cast<std::byte const*>(*buffer), packed},
                  {static_cast<std::byte*>(unpacked), bytes})) {
    H5free_memory(unpacked);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = unpacked;
  *room = bytes;
  return bytes;
}

}  // namespace

void register_lzf() {
  H5Z_class2_t const filter{.version = H5Z_CLASS_T_VERS,
                            .id = lzf_filter,
                            .encoder_present = 0,
                            .decoder_present = 1,
                            .name = "lzf",
                            .can_apply = nullptr,
                            .set_local = nullptr,
                            .filter = unpack_chunk};
  if (H5Zfilter_avail(lzf_filter) <= 0) hdf5_checked(H5Zregister(&filter), "take a filter");
}

bool unpack_lzf(std::span<std::byte const> packed, std::span<std::byte> to) {
  std::size_t at = 0;
  std::size_t done = 0;
  auto const next = [&] { return std::to_integer<std::size_t>(packed[at++]); };
  while (at < packed.size()) {
    std::size_t const control = next();
    if (control < 32) {  // so many plain bytes, and one
      std::size_t const plain = control + 1;
      if (plain > packed.size() - at || plain > to.size() - done) return false;
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(at), plain,
                  to.begin() + static_cast<std::ptrdiff_t>(done));
      at += plain;
      done += plain;
      continue;
    }
    // Three bits of the length, and five of how far back its copy begins.
    std::size_t length = control >> 5U;
    if (at + (length == 7 ? 2 : 1) > packed.size()) return false;
    if (length == 7) length += next();
    std::size_t const back = ((control & 31U) << 8U) + next() + 1;
    length += 2;
    if (back > done || length > to.size() - done) return false;
    for (; length > 0; --length, ++done) to[done] = to[done - back];  // they may overlap
  }
  return done == to.size();
}

}  // namespace tessera
