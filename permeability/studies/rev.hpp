// SPDX-License-Identifier: MIT
// `tessera rev`: the permeabilities, or conductivities, of many sub-volumes of an image, and how
// they spread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "io/images/image.hpp"
#include "io/json_fwd.hpp"
#include "permeability/conductivities.hpp"
#include "permeability/flows/many_flows.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/studies/rev_report.hpp"
#include "permeability/studies/sub_volumes.hpp"

namespace tessera {

struct RevRequest {
  PermeabilityRequest flow{};
  std::vector<std::int64_t> edges{};
  std::int64_t samples = 20;
  std::uint64_t seed = 1;
  bool diffusion = false;  ///< effective conductivities instead of permeabilities
  /// What conducts; none: what is pore conducts 1.
  std::vector<LabelConductivity> conductivities{};

  /// Throws BadInput, one line, for a value that is out of its range or not possible here.
  void check() const;
};

class RevStudy {
 public:
  /// Chooses the sub-volumes. The request has been checked and must outlive it. Throws BadInput.
  RevStudy(RevRequest const& request, Image image);

  /// Number of flows to compute: each sub-volume counts once for each axis.
  std::size_t sub_volumes() const { return parts_.size() * request_.flow.axes.size(); }
  /// Computes the flows; `note` gets each answer as it comes. Logs which have none.
  void run(std::atomic<bool> const& stop, std::function<void(SubVolumeAnswer const&)> const& note);
  std::vector<SubVolumeAnswer> const& answers() const { return answers_; }
  std::vector<RevStatistics> statistics() const { return statistics_of(answers_); }
  RevUnits units() const;
  /// Whether all flows were computed, and have an answer.
  bool complete() const;
  double seconds() const { return flows_.seconds(); }
  /// Who computed them.
  std::vector<WorkerResult> const& workers() const { return flows_.workers(); }
  /// What results.json holds.
  Json results() const;
  ImageResult const& image() const { return image_; }

 private:
  WantedFlow wanted(SubVolume const& where, Axis axis) const;

  RevRequest const& request_;
  ImageResult image_;
  Geometry geometry_;
  double porosity_ = 0;    ///< of open pores, or what conducts
  double conducting_ = 0;  ///< share of what lets anything through
  std::vector<SubVolume> parts_;
  ManyFlows flows_;
  std::vector<SubVolumeAnswer> answers_;
};

}  // namespace tessera
