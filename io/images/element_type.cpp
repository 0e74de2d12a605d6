// SPDX-License-Identifier: MIT
#include "io/images/element_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/storage.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

struct NamedType {
  std::string_view name;
  ElementType type;
};
constexpr std::array<NamedType, 12> named_types{
    {{"uint8", {ElementType::Kind::unsigned_integer, 1}},
     {"int8", {ElementType::Kind::signed_integer, 1}},
     {"uint16", {ElementType::Kind::unsigned_integer, 2}},
     {"int16", {ElementType::Kind::signed_integer, 2}},
     {"uint32", {ElementType::Kind::unsigned_integer, 4}},
     {"int32", {ElementType::Kind::signed_integer, 4}},
     {"uint64", {ElementType::Kind::unsigned_integer, 8}},
     {"int64", {ElementType::Kind::signed_integer, 8}},
     {"float16", {ElementType::Kind::real, 2}},
     {"float32", {ElementType::Kind::real, 4}},
     {"float64", {ElementType::Kind::real, 8}},
     {"bool", {ElementType::Kind::boolean, 1}}}};

template <typename T>
void swap_bytes(std::vector<T>& values) {
  for (T& value : values) {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    std::ranges::reverse(bytes);
    value = std::bit_cast<T>(bytes);
  }
}

/// Fills `values` from the source and puts them in the byte order of this machine.
template <typename T>
void fill(std::vector<T>& values, bool big_endian, ByteSource const& source) {
  source(values.data(), values.size() * sizeof(T));
  bool const machine_is_big = std::endian::native == std::endian::big;
  if (sizeof(T) > 1 && big_endian != machine_is_big) swap_bytes(values);
}

/// Reads `count` values by blocks, so that only the image as it is kept is ever held whole.
template <typename Stored, typename Take>
void read_by_blocks(std::size_t count, bool big_endian, ByteSource const& source, Take&& take) {
  constexpr std::size_t block_size = 65536;
  std::vector<Stored> block;
  for (std::size_t done = 0; done < count; done += block.size()) {
    block.resize(std::min(block_size, count - done));
    fill(block, big_endian, source);
    for (Stored const value : block) take(value);
  }
}

/// 64-bit integers as those of 32 bits.
template <typename Wide, typename Narrow>
Voxels read_narrowed(ElementType type, std::size_t count, ByteSource const& source,
                     std::filesystem::path const& path) {
  std::vector<Narrow> values;
  values.reserve(count);
  read_by_blocks<Wide>(count, type.big_endian, source, [&](Wide value) {
    if (!std::in_range<Narrow>(value)) {
      throw BadInput(fmt::format("{}: the value {} of voxel {} does not fit in 32 bits",
                                 path.string(), value, values.size()));
    }
    values.push_back(static_cast<Narrow>(value));
  });
  return values;
}

/// Reals of 16 bits as those of 32.
Voxels read_widened(ElementType type, std::size_t count, ByteSource const& source) {
  std::vector<float> values;
  values.reserve(count);
  read_by_blocks<std::uint16_t>(count, type.big_endian, source, [&](std::uint16_t half) {
    values.push_back(half_format::widen(half));
  });
  return values;
}

}  // namespace

std::optional<ElementType> element_type_named(std::string_view name) {
  constexpr std::string_view big = "-be";
  bool const big_endian = name.ends_with(big);
  if (big_endian) name.remove_suffix(big.size());
  auto const* const found = std::ranges::find(named_types, name, &NamedType::name);
  if (found == named_types.end()) return std::nullopt;
  ElementType type = found->type;
  type.big_endian = big_endian && type.bytes > 1;
  return type;
}

std::string names_of_element_types(std::string_view separator) {
  std::vector<std::string> names(named_types.size());
  std::ranges::transform(named_types, names.begin(),
                         [](NamedType const& known) { return std::string(known.name); });
  return joined(names, separator);
}

std::string name_of(ElementType type) {
  for (NamedType const& known : named_types) {
    if (known.type.kind == type.kind && known.type.bytes == type.bytes) {
      return fmt::format("{}{}", known.name, type.big_endian && type.bytes > 1 ? "-be" : "");
    }
  }
  return "unknown";
}

Voxels empty_voxels(ElementType type) {
  if (type.kind == ElementType::Kind::real && type.bytes == 8) return std::vector<double>{};
  if (type.kind == ElementType::Kind::real) return std::vector<float>{};
  bool const is_signed = type.kind == ElementType::Kind::signed_integer;
  if (type.bytes >= 4 && is_signed) return std::vector<std::int32_t>{};
  if (type.bytes >= 4) return std::vector<std::uint32_t>{};
  if (type.bytes == 2 && is_signed) return std::vector<std::int16_t>{};
  if (type.bytes == 2) return std::vector<std::uint16_t>{};
  if (is_signed) return std::vector<std::int8_t>{};
  return std::vector<std::uint8_t>{};
}

Voxels read_elements(ElementType type, std::size_t count, ByteSource const& source,
                     std::filesystem::path const& path) {
  if (type.bytes == 8 && type.kind == ElementType::Kind::signed_integer) {
    return read_narrowed<std::int64_t, std::int32_t>(type, count, source, path);
  }
  if (type.bytes == 8 && type.kind == ElementType::Kind::unsigned_integer)
    return read_narrowed<std::uint64_t, std::uint32_t>(type, count, source, path);
  if (type.bytes == 2 && type.kind == ElementType::Kind::real)
    return read_widened(type, count, source);

  Voxels voxels = empty_voxels(type);
  std::visit(
      [&](auto& values) {
        values.resize(count);
        fill(values, type.big_endian, source);
        if (type.kind == ElementType::Kind::boolean) {
          for (auto& value : values) value = value != 0;
        }
      },
      voxels);
  return voxels;
}

Voxels voxels_from(ElementType type, std::size_t count, void const* values,
                   std::filesystem::path const& path) {
  char const* at = static_cast<char const*>(values);
  auto const next = [&](void* to, std::size_t bytes) {
    std::memcpy(to, at, bytes);
    at += bytes;
  };
  return read_elements(type, count, next, path);
}

std::size_t checked_volume(Int3 shape, std::filesystem::path const& path) {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  bool plausible = true;
  std::int64_t voxels = 1;
  for (Axis const axis : all_axes) {
    plausible = plausible && shape[axis] > 0 && shape[axis] <= limit / voxels;
    if (plausible) voxels *= shape[axis];
  }
  if (!plausible) {
    throw BadInput(fmt::format("{}: {} x {} x {} is not the shape of an image (1 to 2^40 voxels)",
                               path.string(), shape.x, shape.y, shape.z));
  }
  return static_cast<std::size_t>(voxels);
}

}  // namespace tessera
