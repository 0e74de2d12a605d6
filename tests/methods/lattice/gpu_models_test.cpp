// SPDX-License-Identifier: MIT
// Every model and every boundary condition on a GPU as on cores. Skipped where there is no GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geometry/generate.hpp"
#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"
#include "tests/methods/lattice/boxes.hpp"

namespace tessera {
namespace {

class GpuModels : public testing::TestWithParam<FlowModel> {
 protected:
  void SetUp() override {
    if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU here";
  }
  static void expect_same(test::Result const& a, test::Result const& b, double rounding) {
#ifdef TESSERA_NO_FMA
    rounding = 0;
#endif
    double scale = 0;
    double largest = 0;
    for (std::size_t i = 0; i < a.states.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        auto const u = static_cast<double>(a.states[i].velocity[k]);
        auto const v = static_cast<double>(b.states[i].velocity[k]);
        ASSERT_TRUE(std::isfinite(u));
        scale = std::max(scale, std::abs(u));
        largest = std::max(largest, std::abs(u - v));
      }
    }
    EXPECT_LE(largest, rounding * scale);
    ASSERT_EQ(a.measurement.wall_forces.size(), b.measurement.wall_forces.size());
    for (std::size_t i = 0; i < a.measurement.wall_forces.size(); ++i) {
      WallForce const& f = a.measurement.wall_forces[i];
      WallForce const& g = b.measurement.wall_forces[i];
      double const size = std::hypot(f.force[0], f.force[1], f.force[2]);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(f.force[k], g.force[k], rounding * size);
    }
  }
};

TEST_P(GpuModels, FlowAsOnCores) {
  FlowModel const& model = GetParam();
  bool const plane = velocities_of(model.lattice).dimensions == 2;
  test::Box const box{{70, 45, plane ? 1 : 37}};
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    test::Flow flow{.model = model,
                    .force = {3e-6, -2e-6, plane ? 0 : 1e-6},
                    .steps = 300,
                    .precision = precision};
    flow.solid = [](Int3 at) { return (at.x / 5 + at.y / 4 + at.z / 6) % 3 == 0; };
    test::Result const cores = run(box, flow);
    flow.on_gpu = true;
    expect_same(cores, run(box, flow), precision == Precision::single_precision ? 2e-4 : 1e-6);
  }
}

TEST_P(GpuModels, MeetBoundariesAsOnCores) {
  FlowModel const& model = GetParam();
  if (velocities_of(model.lattice).dimensions == 2 || model.lattice == LatticeKind::d3q13)
    GTEST_SKIP() << "no such box";
  test::Flow flow{.model = model, .steps = 200, .wall_supply = 1e-5};
  for (test::Box const& box :
       {test::mixed_box(), test::remembering_box(), test::dropping_box(), test::grey_box()}) {
    flow.on_gpu = false;
    test::Result const cores = run(box, flow);
    flow.on_gpu = true;
    expect_same(cores, run(box, flow), 1e-6);
  }
}

std::vector<FlowModel> all_models() {
  std::vector<FlowModel> all;
  for (auto const& [name, lattice] : lattice_names) {
    for (FlowModel const& model : models_on(lattice)) all.push_back(model);
  }
  return all;
}

std::string name_of_model(testing::TestParamInfo<FlowModel> const& instance) {
  FlowModel const& m = instance.param;
  std::string name(name_in(lattice_names, m.lattice));
  name.append("_").append(name_in(collision_names, m.collision));
  name.append("_").append(name_in(equilibrium_names, m.equilibrium));
  if (m.smagorinsky) name += "_les";
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, GpuModels, testing::ValuesIn(all_models()), name_of_model);

}  // namespace
}  // namespace tessera
