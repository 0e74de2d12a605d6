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
#include "permeability/permeability_request.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/studies/forchheimer.hpp"

namespace tessera {

struct ForchheimerRequest {
  /// By steps, with the equilibrium of Navier and Stokes.
  PermeabilityRequest flow{};
  /// Whether flow.flow.precision is the user's choice; else it becomes double where the flow would
  /// stand still too early for the tolerance, by rounding.
  bool precision_is_asked = false;
  std::vector<double> reynolds{};

  /// Throws BadInput, one line, for a value that is out of its range or not to be had here.
  void check() const;
};

class ForchheimerStudy {
 public:
  /// The request has been checked and must outlive it.
  explicit ForchheimerStudy(ForchheimerRequest const& request);

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
  ForchheimerRequest const& request_;
  std::vector<double> reynolds_;  ///< ascending
  ImageFlows flows_;
  Axis axis_;
  RockSample sample_;
  double k_darcy_ = 0;
  std::vector<InertialFlow> found_;
};

}  // namespace tessera
