// SPDX-License-Identifier: MIT
// Triangles, binary and ASCII, and the solid that they enclose.
#include "io/meshes/stl.hpp"

#include "tests/fuzz/target.hpp"

namespace {

constexpr char const* tetrahedron = R"(solid t
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 4 0
vertex 4 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 4 0 0
vertex 0 0 4
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 4
vertex 0 4 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 4 0 0
vertex 0 4 0
vertex 0 0 4
endloop
endfacet
endsolid t
)";

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  std::string binary(84 + 4 * 50, '\0');
  binary[80] = 4;
  auto const set = [&](int triangle, int corner, int axis) {
    auto const at = static_cast<std::size_t>(84 + 50 * triangle + 12 + 12 * corner + 4 * axis);
    binary[at + 2] = '\x80';
    binary[at + 3] = '\x40';  // 4
  };
  set(0, 1, 1);
  set(0, 2, 0);
  set(1, 1, 0);
  set(1, 2, 2);
  set(2, 1, 2);
  set(2, 2, 1);
  set(3, 0, 0);
  set(3, 1, 1);
  set(3, 2, 2);
  return {tetrahedron, binary};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace tessera;
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  fuzz::answer_of([&] { stl_surface(fuzz::file_with(bytes, "a.stl"), {.scale = 1.5}); });
  return 0;
}
