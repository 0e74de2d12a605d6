// SPDX-License-Identifier: MIT
// The number types of voxels in files, and the conversion of bytes to voxels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// A number type as stored in a file.
struct ElementType {
  enum class Kind : std::uint8_t { boolean, signed_integer, unsigned_integer, real };
  Kind kind = Kind::unsigned_integer;
  std::size_t bytes = 1;
  bool big_endian = false;

  bool operator==(ElementType const&) const = default;
};

/// The type of a name such as "uint8", "int16-be", "float32"; nothing for an unknown name.
std::optional<ElementType> element_type_named(std::string_view name);

/// All names without a byte order: "uint8 int8 ... bool", with `separator` between them.
std::string names_of_element_types(std::string_view separator = " ");

/// The name in the same spelling: "uint8", "int16-be". One byte has no byte order.
std::string name_of(ElementType type);

/// An empty vector of the type that voxels of this type are held in: booleans as uint8, 64-bit
/// integers and 16-bit reals as those of 32 bits, all others as stored.
Voxels empty_voxels(ElementType type);

/// Copies the next `bytes` bytes of a file to `to`; throws BadInput if there are fewer.
using ByteSource = std::function<void(void* to, std::size_t bytes)>;

/// Reads `count` values into the type of empty_voxels(type). Throws BadInput naming `path` if a
/// 64-bit integer does not fit in 32 bits.
Voxels read_elements(ElementType type, std::size_t count, ByteSource const& source,
                     std::filesystem::path const& path);

/// Converts `count` values in memory to the type of empty_voxels(type). Throws BadInput naming
/// `path` if a 64-bit integer does not fit in 32 bits.
Voxels voxels_from(ElementType type, std::size_t count, void const* values,
                   std::filesystem::path const& path);

/// volume(shape) of a shape that a file or the user gave. Throws BadInput if an extent is not
/// positive, or if the product is beyond any image (2^40 voxels).
std::size_t checked_volume(Int3 shape, std::filesystem::path const& path);

}  // namespace tessera
