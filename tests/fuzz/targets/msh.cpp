// SPDX-License-Identifier: MIT
// Meshes of Gmsh, of both versions, as text and binary.
#include "io/meshes/msh.hpp"

#include <cstring>

#include "tests/fuzz/target.hpp"

namespace {

/// A quadrilateral with a side that has a name, and a periodic pair.
constexpr char const* version_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "floor"
2 5 "gas"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 2 0 0
3 2 1 0
4 0 1 0
$EndNodes
$Elements
2
1 1 2 1 1 1 2
2 3 2 5 1 1 2 3 4
$EndElements
$Periodic
1
1 2 4
Affine 1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1
2
2 1
3 4
$EndPeriodic
)";

constexpr char const* version_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
1 1 "floor"
$EndPhysicalNames
$Entities
1 1 1 0
1 0 0 0 0
1 0 0 0 2 0 0 1 1 2 1 -2
1 0 0 0 2 1 0 0 1 1
$EndEntities
$Nodes
2 4 1 4
1 1 0 2
1
2
0 0 0
2 0 0
2 1 1 2
3
4
2 1 0 0.5 0.5
0 1 0 0.5 0.5
$EndNodes
$Elements
2 2 1 2
1 1 1 1
1 1 2
2 1 3 1
2 1 2 3 4
$EndElements
$Periodic
1
1 2 4
0
1
2 1
$EndPeriodic
)";

struct Binary {
  std::string bytes;
  template <class Number>
  Binary& add(Number number) {
    char raw[sizeof(Number)];
    std::memcpy(raw, &number, sizeof(Number));
    bytes.append(raw, sizeof(Number));
    return *this;
  }
  Binary& text(char const* more) {
    bytes += more;
    return *this;
  }
};

std::string binary_version_2() {
  Binary b;
  b.text("$MeshFormat\n2.2 1 8\n").add<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n4\n");
  for (std::int32_t n = 1; n <= 4; ++n)
    b.add(n).add<double>(n == 2 || n == 3 ? 2 : 0).add<double>(n > 2 ? 1 : 0).add<double>(0);
  b.text("\n$EndNodes\n$Elements\n2\n");
  for (std::int32_t v : {1, 1, 2, 1, 1, 1, 1, 2, 3, 1, 2, 2, 5, 1, 1, 2, 3, 4}) b.add(v);
  return b.text("\n$EndElements\n").bytes;
}

std::string binary_version_4() {
  Binary b;
  b.text("$MeshFormat\n4.1 1 8\n").add<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n");
  for (std::uint64_t v : {1, 4, 1, 4}) b.add(v);
  for (std::int32_t v : {2, 1, 0}) b.add(v);
  for (std::uint64_t v : {4, 1, 2, 3, 4}) b.add(v);
  for (int n = 1; n <= 4; ++n)
    b.add<double>(n == 2 || n == 3 ? 2 : 0).add<double>(n > 2 ? 1 : 0).add<double>(0);
  b.text("\n$EndNodes\n$Elements\n");
  for (std::uint64_t v : {1, 1, 1, 1}) b.add(v);
  for (std::int32_t v : {2, 1, 3}) b.add(v);
  for (std::uint64_t v : {1, 1, 1, 2, 3, 4}) b.add(v);
  return b.text("\n$EndElements\n").bytes;
}

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  return {version_2, version_4, binary_version_2(), binary_version_4()};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace tessera;
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  fuzz::answer_of([&] { read_msh(fuzz::file_with(bytes, "a.msh")); });
  return 0;
}
