// SPDX-License-Identifier: MIT
// Flow with inertia: the apparent permeability at several Reynolds numbers, and Forchheimer's law:
// `tessera forchheimer`, and the same from a program.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "permeability/flows/image_flows.hpp"
#include "permeability/flows/inertial_flows.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/studies/forchheimer.hpp"

namespace tessera {

struct ForchheimerOptions {
  ForchheimerOptions();

  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<double> reynolds;

  void add_to(CLI::App& command);
  /// Ascending. Throws BadInput.
  std::vector<double> in_order() const;
};

class ForchheimerStudy {
 public:
  /// Checks the options one by one; they must outlive it. Throws BadInput.
  explicit ForchheimerStudy(ForchheimerOptions const& options);

  /// Before run(). Throws BadInput.
  void take(Image const& image);
  /// Computes the flows; `note` is told of each. Says in the log which do not settle: it is the
  /// last one. Throws EnvironmentError if there is no creeping flow.
  void run(std::atomic<bool> const& stop,
           std::function<void(InertialFlow const&)> const& note = {});
  /// Whether all were computed and have settled.
  bool complete() const;
  std::vector<double> const& reynolds() const { return reynolds_; }
  std::vector<InertialFlow> const& flows() const { return found_; }
  double k_darcy() const { return k_darcy_; }
  std::optional<ForchheimerLaw> law() const { return forchheimer_law(found_, k_darcy_); }
  /// results.json.
  Json results() const;
  ImageResult const& image() const { return sample_.image; }

 private:
  ForchheimerOptions const& options_;
  std::vector<double> reynolds_;
  PermeabilityCase creeping_;
  ImageFlows flows_;
  Axis axis_;
  RockSample sample_;
  double k_darcy_ = 0;
  std::vector<InertialFlow> found_;
};

}  // namespace tessera
