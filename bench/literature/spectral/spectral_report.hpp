// SPDX-License-Identifier: MIT
// Lines of `tessera bench spectral`: each with what it reached and its ceiling.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/literature/spectral/gas_runner.hpp"

namespace tessera {

/// Bytes of a point that a fused stage cannot but move: state, what is kept, traces written and
/// read, stored metrics of curved elements.
double fused_bytes(int dimension, int degree, spectral::Integrator integrator,
                   spectral::Numbers numbers, bool curved);

class SpectralReport {
 public:
  /// `copy_gbs`: of the GPU that is measured, or 0; `core_copy_gbs`: of one core.
  SpectralReport(double copy_gbs, double core_copy_gbs)
      : copy_gbs_(copy_gbs), core_copy_gbs_(core_copy_gbs) {}

  bool has_gpu() const { return copy_gbs_ > 0; }
  double copy(bool on_gpu) const { return on_gpu ? copy_gbs_ : core_copy_gbs_; }

  void begin(std::string const& part, std::string const& what);
  /// Prints a line: points a second and stage, the ceiling for so many bytes a point and its share.
  /// Returns the points a second.
  double line(std::string const& name, bool on_gpu, std::int64_t points, double seconds_a_stage,
              double bytes_a_point, nlohmann::ordered_json more = {});
  void note(std::string const& text) const;

  nlohmann::ordered_json& json() { return json_; }

 private:
  double copy_gbs_;
  double core_copy_gbs_;
  std::string part_;
  nlohmann::ordered_json json_;
};

}  // namespace tessera
