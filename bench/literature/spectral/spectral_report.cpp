// SPDX-License-Identifier: MIT
#include "bench/literature/spectral/spectral_report.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace tessera {

double fused_bytes(int dimension, int degree, spectral::Integrator integrator,
                   spectral::Numbers numbers, bool curved) {
  auto const stages = spectral::stages_of(integrator);
  double states = 0;  // read and written
  for (spectral::Stage const& stage : stages) states += stage.low_storage && !stage.first ? 4 : 3;
  states /= static_cast<double>(stages.size());
  double const traces = 4.0 * dimension / (degree + 1);
  double const metrics =
      curved ? 1.0 + static_cast<double>(dimension * dimension * (degree + 2)) / (degree + 1) : 0;
  return (spectral::variables * (states + traces) + metrics) *
         static_cast<double>(spectral::bytes_of(numbers));
}

void SpectralReport::begin(std::string const& part, std::string const& what) {
  part_ = part;
  fmt::print("\n{}\n{:44} {:>10} {:>10} {:>8} {:>10} {:>8}\n", what, "", "us/stage", "M points/s",
             "B/point", "ceiling", "of it");
}

double SpectralReport::line(std::string const& name, bool on_gpu, std::int64_t points,
                            double seconds_a_stage, double bytes_a_point,
                            nlohmann::ordered_json more) {
  double const rate = static_cast<double>(points) / seconds_a_stage;
  double const ceiling = copy(on_gpu) * 1e9 / bytes_a_point;
  fmt::print("{:44} {:10.1f} {:10.1f} {:8.0f} {:10.1f} {:6.1f} %\n", name, seconds_a_stage * 1e6,
             rate * 1e-6, bytes_a_point, ceiling * 1e-6, 100 * rate / ceiling);
  std::fflush(stdout);
  nlohmann::ordered_json row{{"name", name},
                             {"on", on_gpu ? "GPU" : "core"},
                             {"points", points},
                             {"us_a_stage", seconds_a_stage * 1e6},
                             {"points_per_s", rate},
                             {"bytes_a_point", bytes_a_point},
                             {"of_ceiling", rate / ceiling}};
  if (more.is_object()) row.update(more);
  json_[part_].push_back(std::move(row));
  return rate;
}

void SpectralReport::note(std::string const& text) const {
  fmt::print("  {}\n", text);
  std::fflush(stdout);
}

}  // namespace tessera
