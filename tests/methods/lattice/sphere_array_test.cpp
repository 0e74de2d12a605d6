// SPDX-License-Identifier: MIT
// Simple cubic arrays of voxel spheres: what an independent TRT code gives for the same voxels
// (D3Q19, half-way bounce-back, Stokes equilibrium, periodic, converged to 1e-10). Round spheres
// (Zick & Homsy, J. Fluid Mech. 115 (1982) 13) lie 0.4 to 10 % off: the staircase.
#include <gtest/gtest.h>

#include <vector>

#include "geometry/generate.hpp"
#include "tests/methods/lattice/flow.hpp"

namespace tessera {
namespace {

struct Row {
  std::int64_t n;  ///< voxels along the cell
  double c;        ///< solid fraction of the round sphere
  double magic;
  double k;
};

constexpr double usual = 3.0 / 16;
std::vector<Row> const rows{{16, 0.125, usual, 10.74763725},   {16, 0.125, 0.25, 10.96176943},
                            {16, 0.343, usual, 2.092162302},   {16, 0.343, 0.25, 2.150753001},
                            {16, 0.5236, usual, 0.5834720247}, {16, 0.5236, 0.25, 0.6066828583},
                            {32, 0.027, usual, 140.9894437},   {32, 0.027, 0.25, 142.1438026},
                            {32, 0.125, usual, 40.65884653},   {32, 0.125, 0.25, 40.95628821},
                            {32, 0.216, usual, 19.06757213},   {32, 0.216, 0.25, 19.22868831},
                            {32, 0.343, usual, 7.799335614},   {32, 0.343, 0.25, 7.882984740},
                            {32, 0.45, usual, 3.854757003},    {32, 0.45, 0.25, 3.905647105},
                            {32, 0.5236, usual, 2.459920336},  {32, 0.5236, 0.25, 2.493519659}};
std::vector<Row> const long_rows{{64, 0.125, usual, 161.0828547},
                                 {64, 0.343, usual, 31.9234488},
                                 {64, 0.5236, usual, 10.06900666}};

/// Steps settle wide pores soonest at a high viscosity, on which k does not depend: at that of a
/// relaxation time of 4 three times sooner than at the usual one, which the smaller cells have.
PermeabilityCase case_of(Row const& row, PermeabilityCase flow_case) {
  if (row.n == 32) flow_case.relaxation_time = 4;
  return flow_case;
}

double permeability(Row const& row, PermeabilityCase flow_case) {
  flow_case.magic = row.magic;
  PermeabilityOutcome const result =
      test::flow(sphere_array(SphereLattice::sc, row.n, row.c), Axis::x, flow_case);
  EXPECT_EQ(result.end, RunEnd::settled);
  return result.last.k_lattice;
}

void expect_rows(std::vector<Row> const& table, PermeabilityCase const& flow_case,
                 double tolerance) {
  for (Row const& row : table) {
    EXPECT_NEAR(permeability(row, case_of(row, flow_case)) / row.k, 1, tolerance)
        << "n " << row.n << ", c " << row.c << ", Lambda " << row.magic;
  }
}

TEST(SphereArray, HasThePermeabilityOfAnIndependentCode) {
  Runtime const runtime;
  PermeabilityCase flow_case = test::double_case();
  flow_case.tolerance = 1e-7;
  expect_rows(rows, flow_case, 1e-6);
}

TEST(SphereArray, HasItInSinglePrecision) {
  Runtime const runtime;
  PermeabilityCase flow_case = test::double_case();
  flow_case.precision = Precision::single_precision;
  flow_case.tolerance = 5e-5;
  expect_rows(rows, flow_case, 1e-4);
}

TEST(LongSphereArray, HasThePermeabilityOfAnIndependentCodeAtHighResolution) {
  Runtime const runtime;
  PermeabilityCase flow_case = test::double_case();
  flow_case.tolerance = 1e-7;
  expect_rows(long_rows, flow_case, 1e-6);
}

TEST(SphereArray, DoesNotDependOnTheRelaxationTime) {
  Runtime const runtime;
  Row const row = rows[2];
  PermeabilityCase flow_case = test::double_case();
  flow_case.tolerance = 1e-10;
  flow_case.relaxation_time = 0.55;
  double const thin = permeability(row, flow_case);
  flow_case.relaxation_time = 1.5;
  double const thick = permeability(row, flow_case);
  EXPECT_NEAR(thin / thick, 1, 1e-8);
  EXPECT_NEAR(thick / row.k, 1, 1e-9);
}

TEST(SphereArray, DependsOnItUnderBgk) {
  Runtime const runtime;
  struct Bgk {
    double tau;
    double k;
  };
  // Printed with six digits.
  for (auto const& [tau, k] :
       {Bgk{0.55, 1.69402}, {0.8, 1.97666}, {1.0, 2.15075}, {1.5, 2.63488}}) {
    PermeabilityCase flow_case = test::double_case();
    flow_case.model.collision = CollisionOperator::bgk;
    flow_case.tolerance = 1e-7;
    flow_case.relaxation_time = tau;
    EXPECT_NEAR(permeability(rows[2], flow_case), k, 6e-6) << "tau " << tau;
  }
}

}  // namespace
}  // namespace tessera
