// SPDX-License-Identifier: MIT
#include "case/lattice/case_setup.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

FlowModel model_of(Case const& c) {
  return {.lattice = c.model.lattice,
          .collision = c.model.collision,
          .equilibrium = c.model.equilibrium,
          .smagorinsky = c.model.smagorinsky.has_value()};
}

FlowParameters parameters_of(Case const& c, FlowModel const& model) {
  double force[3] = {};
  double const factor = c.force.factor.varies() ? 1 : c.force.factor.at(0);
  for (std::size_t a = 0; a < 3; ++a) force[a] = factor * c.force.body[a];
  FlowParameters p = flow_parameters(model, c.fluid.relaxation_time, c.model.magic, force);
  for (RelaxationRate const& rate : relaxation_rates) {
    auto const said = c.model.rates.find(rate.name);
    if (said != c.model.rates.end()) p.*rate.rate = said->second;
  }
  if (double const constant = c.model.smagorinsky.value_or(0); constant > 0)
    p.smagorinsky_squared = constant * constant;
  return p;
}

/// When a step asks a condition's formula of t: at its end, when nodes collide, where the condition
/// is theirs; where populations meet it on their way, in the middle.
double time_in_step(std::int64_t step, BoundaryKind kind) {
  return std::max(0.0, static_cast<double>(step) + (traits_of(kind).holds_at_nodes ? 1 : 0.5));
}

std::function<StepValues(std::int64_t)> values_of(Case const& c, CaseSetup const& setup) {
  if (setup.box.factors.empty() && !c.force.factor.varies()) return {};
  return [force = setup.parameters, force_factor = c.force.factor, factors = setup.box.factors,
          boundaries = setup.box.boundaries](std::int64_t step) {
    StepValues values;
    double const by = force_factor.varies() ? force_factor.at(static_cast<double>(step + 1)) : 1;
    for (std::size_t a = 0; a < 3; ++a) values.force[a] = by * force.force[a];
    for (auto const& [condition, factor] : factors)
      values.factor[condition] =
          factor.at(time_in_step(step, boundaries->conditions[condition].kind));
    return values;
  };
}

/// What populations carry after a collision is half the force ahead of the velocity: what all nodes
/// begin with if no formula says otherwise, and what a formula's velocity leads by.
void set_initial(Case const& c, CaseSetup& setup) {
  StepValues const before = setup.values_at ? setup.values_at(-1) : StepValues{};
  double const* const force = setup.values_at ? before.force : setup.parameters.force;
  auto const state = [initial = c.initial, gx = force[0], gy = force[1], gz = force[2]](
                         double x, double y, double z) {
    return DensityAndVelocity{
        initial.density.at(x, y, z) - 1,
        {initial.velocity[0].at(x, y, z) + 0.5 * gx, initial.velocity[1].at(x, y, z) + 0.5 * gy,
         initial.velocity[2].at(x, y, z) + 0.5 * gz}};
  };
  if (!c.initial.density.varies() &&
      std::ranges::none_of(c.initial.velocity, &SpaceFormula::varies)) {
    setup.initial = state(0, 0, 0);
    return;
  }
  setup.initial_in_space = [state](Int3 voxel) {
    return state(static_cast<double>(voxel.x) + 0.5, static_cast<double>(voxel.y) + 0.5,
                 static_cast<double>(voxel.z) + 0.5);
  };
}

}  // namespace

CaseSetup set_up(Case const& c) {
  CaseSetup setup;
  setup.model = model_of(c);
  setup.parameters = parameters_of(c, setup.model);
  setup.box = case_box(c);
  setup.values_at = values_of(c, setup);
  set_initial(c, setup);
  return setup;
}

}  // namespace tessera
