// SPDX-License-Identifier: MIT
// Meshes made by Gmsh itself (tests/io/meshes/msh/make.py): 2 x 1 (x 1) cells of edge 1.
#include "io/meshes/msh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

fs::path const folder_of_meshes = fs::path(TESSERA_SOURCE_DIR) / "tests" / "io" / "meshes" / "msh";

MshMesh mesh_of(std::string const& name) { return read_msh(folder_of_meshes / (name + ".msh")); }

/// Names of groups, and how many sides each has.
std::map<std::string, int> sides_by_name(MshMesh const& mesh) {
  std::map<std::string, int> counts;
  for (std::int32_t const group : mesh.group_of_side)
    ++counts[mesh.groups[static_cast<std::size_t>(group)]];
  return counts;
}

/// Whether the nodes of each cell are a lattice of equal steps along its axes, which make a
/// right-handed cube of edge 1: so each stands where its place says.
void expect_lattices(MshMesh const& mesh) {
  auto const n = static_cast<std::size_t>(mesh.order) + 1;
  for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
    auto const place = [&](std::size_t i, std::size_t j, std::size_t k) {
      std::size_t const at = c * mesh.nodes_per_cell() + i + n * (j + n * k);
      return mesh.nodes[static_cast<std::size_t>(mesh.cells[at])];
    };
    auto const origin = place(0, 0, 0);
    for (std::size_t k = 0; k < (mesh.dimension == 2 ? 1 : n); ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t a = 0; a < 3; ++a) {
            double expected = origin[a];
            std::size_t const along[3] = {i, j, k};
            for (std::size_t d = 0; d < static_cast<std::size_t>(mesh.dimension); ++d) {
              auto const far = place(d == 0 ? n - 1 : 0, d == 1 ? n - 1 : 0, d == 2 ? n - 1 : 0);
              expected += (far[a] - origin[a]) * static_cast<double>(along[d]) /
                          static_cast<double>(mesh.order);
            }
            EXPECT_NEAR(place(i, j, k)[a], expected, 1e-9) << c << " " << i << j << k;
          }
        }
      }
    }
  }
}

TEST(Msh, OfQuadrilateralsHasTheirNodesInALattice) {
  for (char const* name : {"quad1-msh2-text", "quad2-msh4-text", "quad3-msh4-text"}) {
    SCOPED_TRACE(name);
    MshMesh const mesh = mesh_of(name);
    EXPECT_EQ(mesh.dimension, 2);
    EXPECT_EQ(mesh.order, name[4] - '0');
    EXPECT_EQ(mesh.cell_count(), 2U);
    expect_lattices(mesh);
    EXPECT_EQ(sides_by_name(mesh),
              (std::map<std::string, int>{{"floor", 2}, {"roof", 2}, {"left", 1}, {"right", 1}}));
  }
}

TEST(Msh, OfHexahedraHasTheirNodesInALattice) {
  for (char const* name : {"hex1-msh2-binary", "hex2-msh4-text", "hex3-msh4-binary"}) {
    SCOPED_TRACE(name);
    MshMesh const mesh = mesh_of(name);
    EXPECT_EQ(mesh.dimension, 3);
    EXPECT_EQ(mesh.order, name[3] - '0');
    EXPECT_EQ(mesh.cell_count(), 2U);
    expect_lattices(mesh);
    EXPECT_EQ(sides_by_name(mesh),
              (std::map<std::string, int>{{"bottom", 2}, {"top", 2}, {"sides", 6}}));
  }
}

TEST(Msh, IsTheSameInAllVersionsAndAsTextOrBinary) {
  for (std::string const kind : {"quad2", "hex2"}) {
    MshMesh const one = mesh_of(kind + "-msh2-text");
    for (char const* other : {"-msh2-binary", "-msh4-text", "-msh4-binary"}) {
      SCOPED_TRACE(kind + other);
      MshMesh const mesh = mesh_of(kind + other);
      ASSERT_EQ(mesh.nodes.size(), one.nodes.size());
      for (std::size_t n = 0; n < one.nodes.size(); ++n) {
        for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(mesh.nodes[n][a], one.nodes[n][a], 1e-15);
      }
      EXPECT_EQ(mesh.cells, one.cells);
      EXPECT_EQ(mesh.sides, one.sides);
      EXPECT_EQ(mesh.groups, one.groups);
      EXPECT_EQ(mesh.group_of_side, one.group_of_side);
      EXPECT_EQ(mesh.periodic.size(), 1U);
      EXPECT_EQ(mesh.periodic, one.periodic);
    }
  }
}

TEST(Msh, SaysWhichNodesOfPeriodicSidesAreTheSame) {
  for (char const* name : {"quad2-msh4-binary", "hex2-msh2-binary"}) {
    MshMesh const mesh = mesh_of(name);
    std::size_t const axis = mesh.dimension == 2 ? 0 : 2;
    ASSERT_EQ(mesh.periodic.size(), 1U);
    EXPECT_GE(mesh.periodic[0].size(), 2U);
    for (auto const& [node, image] : mesh.periodic[0]) {
      auto place = mesh.nodes[static_cast<std::size_t>(image)];
      place[axis] += mesh.dimension == 2 ? 2 : 1;
      for (std::size_t a = 0; a < 3; ++a)
        EXPECT_NEAR(mesh.nodes[static_cast<std::size_t>(node)][a], place[a], 1e-9);
    }
  }
}

/// A text of the right form with something else in it.
std::string with(std::string const& what, std::string const& instead) {
  std::string text = test::read_bytes(folder_of_meshes / "quad1-msh2-text.msh");
  std::size_t const at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

TEST(Msh, SaysWhatIsWrongAndInWhichLine) {
  test::TemporaryFolder const here;
  auto const refusal = [&](std::string const& text) {
    return test::message_of<BadInput>([&] { read_msh(here.write("a.msh", text)); })
        .substr((here / "a.msh").string().size());
  };
  EXPECT_EQ(refusal("solid\n"), ": line 1: \"solid\": expected $MeshFormat");
  EXPECT_EQ(refusal(with("2.2", "1.0")),
            ": line 2: version 1.0: expected 2.2 or 4.1 (gmsh -format msh41)");
  EXPECT_EQ(refusal(with("2 2 0 0", "2 2 nan 0")),
            ": line 15: a coordinate is \"nan\": expected a finite number");
  EXPECT_EQ(refusal(with("7 3 2 5 1 1 5", "7 3 2 5 1 1 9")),
            ": line 29: there is no node 9: expected one of $Nodes");
  EXPECT_EQ(refusal(with("7 3 2", "7 2 2")),
            ": line 29: a triangle: expected quadrilaterals or hexahedra of order 1 to 3, and "
            "their sides");
  EXPECT_EQ(refusal(with("$Nodes\n6", "$Nodes\n60000")),
            ": line 13: the number of nodes is 60000: expected no more than the 318 bytes that "
            "follow can hold");
  EXPECT_EQ(refusal(with("$EndNodes", "$EndNode")), ": line 20: \"$EndNode\": expected $EndNodes");
  EXPECT_EQ(refusal(with("2 2 0 0", "2 2 0 1")),
            ": quadrilaterals between z = 0 and 1: expected them in a plane of one z");
  EXPECT_EQ(refusal(with("2 2 0 0", "1 2 0 0")), ": line 15: node 1 comes twice");
}

TEST(Msh, WithParametersOfItsNodesIsTheSame) {  // Mesh.SaveParametric
  test::TemporaryFolder const here;
  std::string text = with("$Nodes", "$ParametricNodes");
  for (auto const& [plain, parametric] : {std::pair{"$EndNodes", "$EndParametricNodes"},
                                          {"1 0 0 0\n", "1 0 0 0 0 1\n"},
                                          {"2 2 0 0\n", "2 2 0 0 0 2\n"},
                                          {"3 2 1 0\n", "3 2 1 0 0 3\n"},
                                          {"4 0 1 0\n", "4 0 1 0 0 4\n"},
                                          {"842 0 0\n", "842 0 0 1 1 0.5\n"},
                                          {"842 1 0\n", "842 1 0 2 1 0.5 0.5\n"}})
    text.replace(text.find(plain), std::string(plain).size(), parametric);
  MshMesh const mesh = read_msh(here.write("a.msh", text));
  MshMesh const plain = mesh_of("quad1-msh2-text");
  EXPECT_EQ(mesh.nodes, plain.nodes);
  EXPECT_EQ(mesh.cells, plain.cells);
}

TEST(Msh, HasEachCellOnceAndEachSideInOneGroup) {
  test::TemporaryFolder const here;
  auto const read = [&](std::string text) {
    std::size_t const at = text.find("$Elements\n8");
    return read_msh(here.write("a.msh", text.replace(at, 11, "$Elements\n9")));
  };
  // Gmsh writes an element of two groups twice, one behind the other.
  EXPECT_EQ(read(with("7 3 2 5 1 1 5 6 4", "7 3 2 5 1 1 5 6 4\n9 3 2 6 1 1 5 6 4")).cells,
            mesh_of("quad1-msh2-text").cells);
  EXPECT_BAD_INPUT(read(with("1 1 2 1 1 1 5", "1 1 2 1 1 1 5\n9 1 2 2 1 1 5")),
                   "the side at (0, 0, 0) is in two physical groups, \"floor\" and \"roof\"");
  EXPECT_BAD_INPUT(read_msh(here.write("a.msh", with("1 2 \"roof\"", "1 1 \"roof\""))),
                   "the group 1 has two names, \"floor\" and \"roof\": expected one");
}

TEST(Msh, OfEveryLengthIsReadOrRefused) {
  test::TemporaryFolder const here;
  for (std::string const name : {"quad2-msh2-binary", "quad2-msh4-binary", "quad2-msh4-text"}) {
    std::string const whole = test::read_bytes(folder_of_meshes / (name + ".msh"));
    for (std::size_t size = 1; size < whole.size(); size += 31) {
      try {
        read_msh(here.write("a.msh", whole.substr(0, size)));
      } catch (BadInput const& error) {
        EXPECT_EQ(test::count(error.what(), "\n"), 0U) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace tessera
