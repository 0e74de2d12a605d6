// SPDX-License-Identifier: MIT
// Relative permeabilities of frozen phases: `tessera phases`, and the same from a program.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "permeability/flows/many_flows.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/studies/phases.hpp"

namespace tessera {

struct PhasesRequest {
  PermeabilityRequest flow{};  ///< flow.image.rule.solid is the solid; its pores are not asked for
  std::vector<std::string> phases{};  ///< "water=0", "oil=1,3-4"

  /// Throws BadInput, one line, for a value that is out of its range or not to be had here.
  void check() const;
};

class PhaseStudy {
 public:
  /// The request has been checked and must outlive it. Throws BadInput.
  explicit PhaseStudy(PhasesRequest const& request);

  /// Before run(). Throws BadInput.
  void take(Image const& image);
  /// Flows of all axes.
  std::size_t flows() const { return request_.flow.axes.size() * pores_.size(); }
  /// Computes them; `note` is told of each. Says in the log which have no answer.
  void run(std::atomic<bool> const& stop, std::function<void()> const& note = {});
  std::vector<PhaseAnswer> const& answers() const { return answers_; }
  /// Whether all were computed, and have an answer.
  bool complete() const;
  /// results.json.
  Json results() const;
  ImageResult const& image() const { return image_; }
  /// Who computed them.
  std::vector<WorkerResult> const& workers() const { return flows_.workers(); }

 private:
  PhasesRequest const& request_;
  PoreRule rule_;  ///< what is solid, and what is outside
  std::vector<Phase> named_;
  ImageResult image_;
  std::vector<PhasePores> pores_;
  ManyFlows flows_;
  std::vector<PhaseAnswer> answers_;
};

}  // namespace tessera
