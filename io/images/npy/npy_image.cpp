// SPDX-License-Identifier: MIT
// NumPy arrays (.npy). An array im[z, y, x] is an image whatever its order in memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/npy/npy_array.hpp"
#include "io/images/stored_volumes.hpp"
#include "io/images/voxel_axes.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct NpyHeader {
  ElementType type;
  bool fortran_order = false;
  Int3 shape;                ///< x is the last index of the array
  std::uintmax_t bytes = 0;  ///< of the header
};

/// The type of a NumPy name such as "<u2": byte order, kind, bytes.
std::optional<ElementType> element_type_of(std::string_view descr) {
  constexpr std::string_view orders = "<>|=";
  constexpr std::string_view sizes = "1248";
  if (descr.size() != 3 || orders.find(descr[0]) == std::string_view::npos ||
      sizes.find(descr[2]) == std::string_view::npos) {
    return std::nullopt;
  }
  using Kind = ElementType::Kind;
  ElementType type;
  type.big_endian = descr[0] == '>';
  type.bytes = static_cast<std::size_t>(descr[2] - '0');
  switch (descr[1]) {
    case 'b':
      type.kind = Kind::boolean;
      break;
    case 'i':
      type.kind = Kind::signed_integer;
      break;
    case 'u':
      type.kind = Kind::unsigned_integer;
      break;
    case 'f':
      type.kind = Kind::real;
      break;
    default:
      return std::nullopt;
  }
  bool const known = name_of(type) != "unknown";  // a boolean of two bytes is not
  return known ? std::optional(type) : std::nullopt;
}

[[noreturn]] void refuse_dictionary(std::string const& name) {
  throw BadInput(fmt::format("{}: not a NumPy header that describes one plain array", name));
}

/// The header's Python dictionary from the value of `key` on.
std::string_view value_of(std::string_view dictionary, std::string_view key,
                          std::string const& name) {
  std::string const entry = fmt::format("'{}':", key);
  auto const at = dictionary.find(entry);
  auto const value = dictionary.find_first_not_of(' ', at + entry.size());
  if (at == std::string_view::npos || value == std::string_view::npos) refuse_dictionary(name);
  return dictionary.substr(value);
}

/// What stands between the brackets or quotes that `value` begins with.
std::string_view inside(std::string_view value, char open, char close, std::string const& name) {
  auto const end = value.find(close, 1);
  if (!value.starts_with(open) || end == std::string_view::npos) refuse_dictionary(name);
  return value.substr(1, end - 1);
}

/// The extents of "3, 4, 5", slowest first, as a shape. Of more than three those of one value go.
Int3 shape_of(std::string_view tuple, std::string const& name) {
  std::vector<std::uint64_t> extents;
  char const* const end = tuple.data() + tuple.size();
  for (char const* at = tuple.data(); at != end;) {
    std::uint64_t extent = 0;
    auto const [next, error] = std::from_chars(at, end, extent);
    if (next != at) extents.push_back(extent);  // 0, which is refused later, if it is too long
    at = next != at ? next : at + 1;
  }
  auto const zyx = axes_of_volume({extents.begin(), extents.end()});
  if (!zyx) {
    throw BadInput(fmt::format("{}: an array of {} dimensions, 3 were expected: [z, y, x]", name,
                               extents.size()));
  }
  auto const along = [&](std::size_t axis) {
    return static_cast<std::int64_t>(extents[(*zyx)[axis]]);
  };
  return {along(2), along(1), along(0)};
}

/// Python's word, whatever stands behind it.
bool truth_of(std::string_view value, std::string const& name) {
  if (value.starts_with("True")) return true;
  if (!value.starts_with("False")) refuse_dictionary(name);
  return false;
}

NpyHeader read_header(ByteSource const& source, fs::path const& name) {
  std::array<std::uint8_t, 8> start{};
  source(start.data(), start.size());
  constexpr std::array<std::uint8_t, 6> magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (!std::equal(magic.begin(), magic.end(), start.begin())) {
    throw BadInput(fmt::format("{}: not a NumPy array", name.string()));
  }
  int const version = start[6];
  if (version < 1 || version > 3) {
    throw BadInput(
        fmt::format("{}: NumPy format version {}, 1 to 3 were expected", name.string(), version));
  }
  std::size_t const length_bytes = version == 1 ? 2 : 4;
  std::array<std::uint8_t, 4> length{};
  source(length.data(), length_bytes);
  std::size_t const dictionary_bytes = length[0] | std::size_t{length[1]} << 8U |
                                       std::size_t{length[2]} << 16U |
                                       std::size_t{length[3]} << 24U;
  // NumPy's own headers have some 100 bytes; a huge one is damage.
  constexpr std::size_t longest = 10000;
  if (dictionary_bytes > longest) {
    throw BadInput(fmt::format("{}: a NumPy header of {} bytes, at most {} were expected",
                               name.string(), dictionary_bytes, longest));
  }
  std::string dictionary(dictionary_bytes, ' ');
  source(dictionary.data(), dictionary.size());

  NpyHeader header;
  std::string_view const descr =
      inside(value_of(dictionary, "descr", name.string()), '\'', '\'', name.string());
  auto const type = element_type_of(descr);
  if (!type) {
    throw BadInput(fmt::format(
        "{}: elements of NumPy type '{}', expected bool, integers or 16/32/64-bit reals",
        name.string(), printable(descr)));
  }
  header.type = *type;
  header.fortran_order =
      truth_of(value_of(dictionary, "fortran_order", name.string()), name.string());
  header.shape = shape_of(
      inside(value_of(dictionary, "shape", name.string()), '(', ')', name.string()), name.string());
  header.bytes = start.size() + length_bytes + dictionary_bytes;
  return header;
}

Image image_of_no_voxels(ElementType type, Int3 shape, bool fortran_order, fs::path const& name) {
  Image image;
  image.path = name;
  image.format = fmt::format("NumPy {}{}", name_of(type), fortran_order ? ", Fortran order" : "");
  image.shape = shape;
  image.boolean = type.kind == ElementType::Kind::boolean;
  return image;
}

}  // namespace

Image image_of_array(ElementType type, Int3 shape, bool fortran_order, ByteSource const& source,
                     fs::path const& name) {
  Image image = image_of_no_voxels(type, shape, fortran_order, name);
  image.voxels = read_elements(type, checked_volume(shape, name), source, name);
  if (fortran_order) {
    image.shape = {shape.z, shape.y, shape.x};
    reorder_axes(image, "zyx");
  }
  return image;
}

Image read_npy_array(NpySource const& source, std::uintmax_t size, std::optional<Int3> shape,
                     fs::path const& name, LayersWanted const& wanted) {
  NpyHeader const header = read_header(source.next, name);
  std::size_t const voxels = checked_volume(header.shape, name);
  require_shape(name, header.shape, shape);
  std::uintmax_t const expected = header.bytes + voxels * header.type.bytes;
  if (size != expected) {
    throw BadInput(fmt::format(
        "{} is {}: {} bytes, but its {} x {} x {} of {} after a header of {} bytes are {} bytes",
        name.string(), size < expected ? "truncated" : "oversized", size, header.shape.x,
        header.shape.y, header.shape.z, name_of(header.type), header.bytes, expected));
  }
  if (!wanted)
    return image_of_array(header.type, header.shape, header.fortran_order, source.next, name);
  Image image = image_of_no_voxels(header.type, header.shape, header.fortran_order, name);
  LayerRange const kept = note_layers(image, wanted);
  std::size_t const layer = voxels / static_cast<std::size_t>(header.shape.z);
  source.skip(static_cast<std::size_t>(kept.lower) * layer * header.type.bytes);
  image.voxels =
      read_elements(header.type, static_cast<std::size_t>(kept.count()) * layer, source.next, name);
  return image;
}

namespace {

/// A file that is open; it must outlive its source.
NpySource source_of(std::ifstream& stream, fs::path const& path) {
  return {.next =
              [&](void* to, std::size_t bytes) {
                if (!stream.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
                  throw BadInput(fmt::format("{}: truncated NumPy file of {} bytes", path.string(),
                                             fs::file_size(path)));
              },
          .skip =
              [&](std::uintmax_t bytes) {
                stream.seekg(static_cast<std::streamoff>(bytes), std::ios::cur);
              }};
}

}  // namespace

bool npy_has_layers(fs::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  return !read_header(source_of(stream, path).next, path).fortran_order;
}

Image read_npy_image(fs::path const& path, std::optional<Int3> shape, LayersWanted const& wanted) {
  std::uintmax_t const size = readable_file_size(path);
  std::ifstream stream(path, std::ios::binary);
  return read_npy_array(source_of(stream, path), size, shape, path, wanted);
}

}  // namespace tessera
