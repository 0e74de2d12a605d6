// SPDX-License-Identifier: MIT
// `tessera rev`: the permeabilities of many sub-volumes of an image, and how they spread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "io/images/image.hpp"
#include "io/json_fwd.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/studies/rev_report.hpp"
#include "permeability/studies/sub_volumes.hpp"

namespace tessera {

struct RevOptions {
  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<std::int64_t> edges;
  std::int64_t samples = 20;
  std::uint64_t seed = 1;

  void add_to(CLI::App& command);
  /// Checks the options one by one. Throws BadInput.
  PermeabilityCase asked() const;
};

class RevStudy {
 public:
  /// Chooses the sub-volumes. The options must outlive it. Throws BadInput.
  RevStudy(RevOptions const& options, Image const& image);

  /// Of all axes.
  std::size_t sub_volumes() const { return parts_.size() * axes_.size(); }
  /// Computes them; `note` sees each as it comes. Says in the log which have no answer.
  void run(std::atomic<bool> const& stop, std::function<void(SubVolumeAnswer const&)> const& note);
  std::vector<SubVolumeAnswer> const& answers() const { return answers_; }
  std::vector<RevStatistics> statistics() const { return statistics_of(answers_); }
  /// Whether all were computed, and have an answer.
  bool complete() const;
  double seconds() const { return seconds_; }
  /// results.json.
  Json results() const;
  ImageResult const& image() const { return image_; }

 private:
  RevOptions const& options_;
  PermeabilityCase asked_;
  std::vector<Axis> axes_;
  ImageResult image_;
  Geometry geometry_;
  std::vector<SubVolume> parts_;
  std::vector<SubVolumeAnswer> answers_;
  double seconds_ = 0;
};

}  // namespace tessera
