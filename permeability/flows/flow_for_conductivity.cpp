// SPDX-License-Identifier: MIT
#include <utility>

#include "geometry/connectivity.hpp"
#include "methods/diffusion/diffusion.hpp"
#include "permeability/flows/image_answer.hpp"
#include "permeability/flows/steady_workers.hpp"

namespace tessera {
namespace {

class FlowForConductivity : public FlowToAnswer {
 public:
  FlowForConductivity(Axis axis, double tolerance) : axis_(axis), tolerance_(tolerance) {}

  void prepare(Geometry image) override {
    answer_.porosity = image.porosity();
    PoreComponents const components(image, Links::faces);
    answer_.percolating_porosity = components.percolating_porosity(axis_);
    nodes_ = components.percolating_voxels(axis_);
    answer_.leads_through = nodes_ > 0;
    if (!answer_.leads_through) return;
    conductor_ = conductor_of(std::move(image));
    components.close_isolated(conductor_.geometry, axis_);
  }

  std::int64_t nodes() const override { return nodes_; }

  void solve(Workers const& workers, std::atomic<bool> const& stop) override {
    if (nodes_ == 0) return;
    SteadyOptions options;
    choose_workers(options, workers, nullptr);
    {
      auto const space = make_diffusion_space(conductor_, axis_, options);
      auto const solver = space->solver(axis_);
      DiffusionResult const found =
          tessera::solve(*solver, tolerance_, {.stop = [&stop] { return stop.load(); }});
      answer_.value = found.estimate.conductivity;
      answer_.error_estimate = found.estimate.error_estimate;
      answer_.iterations = found.estimate.iterations;
      if (!found.confirmed) answer_.failure = stop ? "it was interrupted" : "it did not settle";
    }
    conductor_ = {};
  }

 private:
  Axis axis_;
  double tolerance_;
  Conductor conductor_;
  std::int64_t nodes_ = 0;
};

}  // namespace

std::unique_ptr<FlowToAnswer> flow_for_conductivity(Axis axis, PermeabilityCase const& asked) {
  return std::make_unique<FlowForConductivity>(axis, asked.tolerance);
}

}  // namespace tessera
