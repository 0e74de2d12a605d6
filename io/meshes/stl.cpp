// SPDX-License-Identifier: MIT
#include "io/meshes/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "geometry/mesh_surface.hpp"
#include "io/images/image_readers.hpp"
#include "io/meshes/stl_ascii.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// A binary file: 80 bytes of anything, the number of triangles, and for each its normal, three
// corners and two bytes of attributes; all little-endian.
constexpr std::size_t header_bytes = 84;
constexpr std::size_t bytes_per_triangle = 50;

/// As many tell which kind of file it is.
constexpr std::size_t bytes_of_text = 512;

/// The first `wanted` bytes, which are there.
std::string read_bytes(fs::path const& path, std::size_t wanted) {
  std::string bytes(wanted, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(stream.gcount()) != bytes.size())
    throw BadInput(fmt::format("{}: it cannot be read to its end", path.string()));
  return bytes;
}

std::uint32_t little_endian(char const* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::size_t promised_bytes(std::string_view bytes) {
  return header_bytes + bytes_per_triangle * std::size_t{little_endian(bytes.data() + 80)};
}

std::vector<Triangle> parse_binary_stl(std::string_view bytes) {
  std::vector<Triangle> triangles(little_endian(bytes.data() + 80));
  char const* corner = bytes.data() + header_bytes + 12;
  for (Triangle& triangle : triangles) {
    for (std::size_t i = 0; i < 9; ++i) {
      triangle[i / 3][all_axes[i % 3]] = std::bit_cast<float>(little_endian(corner + 4 * i));
    }
    corner += bytes_per_triangle;
  }
  return triangles;
}

/// Whether a file that begins with "solid" goes on as text.
bool is_text(std::string_view bytes) {
  auto const first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes.size() - first < 5) return false;
  std::string_view const word = bytes.substr(first, 5);
  if (word != "solid" && word != "SOLID" && word != "Solid") return false;
  return bytes.substr(0, bytes_of_text).find('\0') == std::string_view::npos;
}

enum class StlKind { binary, ascii };

/// By the first bytes of a file, before memory for all of it is asked for.
StlKind stl_kind(std::string_view bytes, std::uintmax_t size, std::string const& name) {
  bool const has_header = size >= header_bytes;
  if (has_header && promised_bytes(bytes) == size) return StlKind::binary;
  if (is_text(bytes)) return StlKind::ascii;
  if (!has_header) {
    throw BadInput(fmt::format(
        "{}: not an STL file: it has {} bytes and does not begin with \"solid\"; a binary STL has "
        "{} or more",
        name, size, header_bytes));
  }
  throw BadInput(fmt::format(
      "{}: not an STL file, or one that is {}: as a binary STL of {} triangles it would have {} "
      "bytes, but it has {}",
      name, promised_bytes(bytes) > size ? "truncated" : "oversized",
      little_endian(bytes.data() + 80), promised_bytes(bytes), size));
}

/// Throws BadInput where the box of the mesh makes no sense in voxels.
void require_size(TriangleMesh const& mesh, StlPlacement const& placement,
                  std::string const& name) {
  constexpr double most = 1e6;
  Bounds const bounds = mesh.bounds();
  for (Axis const axis : all_axes) {
    if (bounds.lower[axis] >= -most && bounds.upper[axis] <= most) continue;
    throw BadInput(fmt::format(
        "{}: with a scale of {} it reaches from {:.6g} to {:.6g} voxels along {}; expected -1e6 to "
        "1e6",
        name, placement.scale, bounds.lower[axis], bounds.upper[axis], name_of(axis)));
  }
}

}  // namespace

std::vector<Triangle> read_stl(fs::path const& path) {
  std::string const name = path.string();
  std::uintmax_t const size = readable_file_size(path);
  std::string const start = read_bytes(path, std::min<std::uintmax_t>(size, bytes_of_text));
  StlKind const kind = stl_kind(start, size, name);
  std::string const bytes = read_bytes(path, size);
  std::vector<Triangle> triangles =
      kind == StlKind::binary ? parse_binary_stl(bytes) : parse_ascii_stl(bytes, name);
  if (triangles.empty())
    throw BadInput(fmt::format("{}: no triangles; expected a closed surface", name));
  auto const bad = std::ranges::find_if(triangles, [](Triangle const& triangle) {
    return !std::ranges::all_of(triangle, is_finite);
  });
  if (bad != triangles.end()) {
    throw BadInput(
        fmt::format("{}: triangle {} of {} has a coordinate that is not finite; expected "
                    "numbers",
                    name, bad - triangles.begin() + 1, triangles.size()));
  }
  return triangles;
}

SurfacePointer stl_surface(fs::path const& path, StlPlacement const& placement) {
  std::string const name = path.string();
  if (!(std::isfinite(placement.scale) && placement.scale > 0)) {
    throw BadInput(
        fmt::format("{}: the scale is {}; expected more than 0 voxels for a unit of the "
                    "file",
                    name, placement.scale));
  }
  if (!is_finite(placement.translate)) {
    throw BadInput(fmt::format("{}: the translation is ({}, {}, {}); expected finite numbers", name,
                               placement.translate.x, placement.translate.y,
                               placement.translate.z));
  }
  // Corners are joined in the file's own unit, where equal ones are equal bit for bit.
  TriangleMesh mesh = closed_mesh(read_stl(path), name);
  for (Vector3& vertex : mesh.vertices) vertex = placement.scale * vertex + placement.translate;
  require_size(mesh, placement, name);
  return mesh_surface(std::move(mesh), name);
}

}  // namespace tessera
