// SPDX-License-Identifier: MIT
// The NumPy array format, wherever its bytes come from. Not for use outside io/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "io/images/element_type.hpp"
#include "io/images/image.hpp"
#include "io/images/image_readers.hpp"

namespace tessera {

/// An array of NumPy, im[z, y, x], whose elements the source delivers as they lie in memory.
/// `shape`: x is the last index. Throws BadInput naming `name` for extents or values that are
/// invalid for an image.
Image image_of_array(ElementType type, Int3 shape, bool fortran_order, ByteSource const& source,
                     std::filesystem::path const& name);

/// Where the bytes of an array come from.
struct NpySource {
  ByteSource next;
  std::function<void(std::uintmax_t bytes)> skip;  ///< if the source can skip
};

/// Reads an array of `size` bytes, header included; messages name it `name`. Throws BadInput if it
/// is not a 3-D array of plain numbers, if `size` does not agree with its header, or if `shape` is
/// given and differs.
Image read_npy_array(NpySource const& source, std::uintmax_t size, std::optional<Int3> shape,
                     std::filesystem::path const& name, LayersWanted const& wanted = {});

}  // namespace tessera
