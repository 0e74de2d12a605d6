// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "geometry/connectivity.hpp"
#include "permeability/flows/image_answer.hpp"
#include "permeability/flows/solved_flow.hpp"

namespace tessera {
namespace {

class FlowForK : public FlowToAnswer {
 public:
  FlowForK(Axis axis, PermeabilityCase const& asked) : axis_(axis), asked_(asked) {}

  void prepare(Geometry image) override {
    answer_.porosity = image.open_porosity();
    answer_.percolating_porosity =
        PoreComponents(image, links_of(asked_.model.lattice)).percolating_porosity(axis_);
    answer_.leads_through = answer_.percolating_porosity > 0;
    if (answer_.leads_through) box_ = prepare_box(image, axis_, asked_);
  }

  std::int64_t nodes() const override { return box_ ? box_->nodes : 0; }

  void solve(Workers const& workers, std::atomic<bool> const& stop) override {
    if (!box_) return;
    try {
      StokesSpaces spaces;
      SolvedFlow flow(*box_, asked_, workers, spaces, false);
      PermeabilityOutcome const outcome = flow.run_for_k({.stop = &stop});
      answer_.value = outcome.last.k_lattice;
      answer_.error_estimate = outcome.error();
      answer_.iterations = outcome.last.step;
      if (outcome.end == RunEnd::interrupted) {
        answer_.failure = "it was interrupted";
      } else if (outcome.end != RunEnd::settled) {
        answer_.failure = "it did not settle";
      }
    } catch (BadInput const& error) {  // pores without a wall
      answer_.failure = error.what();
    }
    box_.reset();
  }

 private:
  Axis axis_;
  PermeabilityCase const& asked_;
  std::optional<PreparedBox> box_;
};

}  // namespace

std::unique_ptr<FlowToAnswer> flow_for_k(Axis axis, PermeabilityCase const& asked) {
  return std::make_unique<FlowForK>(axis, asked);
}

}  // namespace tessera
