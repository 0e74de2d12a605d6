// SPDX-License-Identifier: MIT
#include "io/fields/vtkhdf_elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

TEST(LagrangeOrder, IsThatOfTheDocumentationOfVtk) {
  // The quadratic hexahedron of vtkTriQuadraticHexahedron has other edges along z; of a Lagrange
  // one: corners, edges of the bottom and of the top, upright edges, faces, middle.
  EXPECT_EQ(lagrange_order(2, 1), (std::vector<std::size_t>{0, 1, 3, 2}));
  EXPECT_EQ(lagrange_order(2, 2), (std::vector<std::size_t>{0, 2, 8, 6, 1, 5, 7, 3, 4}));
  EXPECT_EQ(lagrange_order(3, 2),
            (std::vector<std::size_t>{0,  2,  8, 6,  18, 20, 26, 24, 1,  5,  7, 3,  19, 23,
                                      25, 21, 9, 11, 17, 15, 12, 14, 10, 16, 4, 22, 13}));
}

TEST(LagrangeOrder, HasEachPointOnce) {
  for (int dimension : {2, 3}) {
    for (int degree = 1; degree <= 8; ++degree) {
      auto order = lagrange_order(dimension, degree);
      std::ranges::sort(order);
      std::vector<std::size_t> all(LagrangeCells::points_of(dimension, degree));
      std::iota(all.begin(), all.end(), std::size_t{0});
      EXPECT_EQ(order, all);
    }
  }
}

/// Two neighbours of unlike degrees with a curved side; f = x^2 + y z on their points.
LagrangeCells two_cells(int dimension, std::vector<float>& f) {
  LagrangeCells cells{.dimension = dimension, .degree = {2, 3}, .points = {}};
  for (int e = 0; e < 2; ++e) {
    int const n = e + 2;
    for (int k = 0; k <= (dimension == 2 ? 0 : n); ++k) {
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
          double const x = e + static_cast<double>(i) / n;
          double const y = static_cast<double>(j) / n;
          double const z = static_cast<double>(k) / n;
          cells.points.push_back({x, y + 0.1 * std::sin(std::numbers::pi * x), z});
          f.push_back(static_cast<float>(x * x + y * z));
        }
      }
    }
  }
  return cells;
}

class VtkhdfElements : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "fields.hdf";
};

TEST_F(VtkhdfElements, OfFieldsThatDoNotFitAreRefused) {
  std::vector<float> f;
  LagrangeCells const cells = two_cells(2, f);
  std::span<float const> const values(f);
  Field const field{"f", 1, values.subspan(1)};
  EXPECT_THROW(write_vtkhdf_elements(path_, cells, std::span(&field, 1)), std::invalid_argument);
  EXPECT_TRUE(folder_.names().empty());
}

/// The integrals of 1 and of f over both cells, as ParaView finds them in cells that it has cut up
/// until they are nearly flat.
TEST_F(VtkhdfElements, AreTheOnesThatParaviewSees) {
  // A fixed command. NOLINTNEXTLINE(bugprone-command-processor)
  if (std::system("command -v pvpython xvfb-run > /dev/null") != 0) GTEST_SKIP() << "no ParaView";
  std::vector<float> f;
  LagrangeCells const cells = two_cells(3, f);
  std::vector<std::uint8_t> const degree{2, 3};
  Field const of_points{"f", 1, std::span<float const>(f)};
  Field const of_cells{"degree", 1, std::span<std::uint8_t const>(degree)};
  write_vtkhdf_elements(path_, cells, std::span(&of_points, 1), std::span(&of_cells, 1));
  std::string const script =
      std::string(TESSERA_SOURCE_DIR) + "/tests/io/fields/paraview_integrates_elements.py";
  // sin(pi x) is odd over both cells, so the bend changes neither: 2, and 8/3 + 2/4.
  // Of our own file names. NOLINTNEXTLINE(bugprone-command-processor)
  EXPECT_EQ(std::system(("xvfb-run -a pvpython " + script + " " + path_.string() + " 2 " +
                         std::to_string(8.0 / 3 + 0.5) + " 1>&2")
                            .c_str()),
            0);
}

}  // namespace
}  // namespace tessera
