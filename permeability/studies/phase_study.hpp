// SPDX-License-Identifier: MIT
// Relative permeabilities of frozen phases: `tessera phases`, and the same from a program.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "permeability/permeability_options.hpp"
#include "permeability/studies/phases.hpp"

namespace tessera {

struct PhasesOptions {
  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<std::string> phases;

  void add_to(CLI::App& command);
};

class PhaseStudy {
 public:
  /// Checks the options one by one; they must outlive it. Throws BadInput.
  explicit PhaseStudy(PhasesOptions const& options);

  /// Before run(). Throws BadInput.
  void take(Image const& image);
  /// Flows of all axes.
  std::size_t flows() const { return axes_.size() * pores_.size(); }
  /// Computes them; `note` is told of each. Says in the log which have no answer.
  void run(std::atomic<bool> const& stop, std::function<void()> const& note = {});
  std::vector<PhaseAnswer> const& answers() const { return answers_; }
  /// Whether all were computed, and have an answer.
  bool complete() const;
  /// results.json.
  Json results() const;
  ImageResult const& image() const { return image_; }

 private:
  PhasesOptions const& options_;
  PermeabilityCase asked_;
  std::vector<Axis> axes_;
  LabelSet solid_;
  std::vector<Phase> named_;
  ImageResult image_;
  std::vector<PhasePores> pores_;
  std::vector<PhaseAnswer> answers_;
};

}  // namespace tessera
