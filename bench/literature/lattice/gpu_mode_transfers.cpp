// SPDX-License-Identifier: MIT
// `tessera bench transfers`: Obrecht et al. (Comput. Math. Appl. 61 (2011) 3628) found the time of
// a step's traffic to be a straight line of the words that a thread moves.
#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "bench/line_fit.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_transfer.hpp"
#include "bench/repeat.hpp"

namespace tessera {

int bench_transfers(GpuBenchOptions const& options) {
  std::int64_t const nodes = options.size * options.size * options.size;
  GpuSession session("transfers", options, GpuTransfer<float>::bytes_needed(nodes));
  GpuTransfer<float> arrays(nodes);
  // One array more is one float read and one written for each node.
  double const gigabytes_an_array = 2.0 * sizeof(float) * static_cast<double>(nodes) * 1e-9;
  std::vector<double> counts;
  std::vector<double> seconds;
  fmt::print("arrays   us/sweep      GB/s  of copy\n");
  for (int n = 1; n <= D3Q19::size; ++n) {
    Transfer const transfer{.arrays = n};
    arrays.check(transfer);
    double const time = seconds_per_sweep(
        options.repeats, [&](std::int64_t sweeps) { return arrays.run(transfer, sweeps); });
    counts.push_back(n);
    seconds.push_back(time);
    double const gbs = n * gigabytes_an_array / time;
    fmt::print("{:6} {:10.1f} {:9.0f} {:7.1f}%\n", n, time * 1e6, gbs,
               100 * gbs / session.copy_gbs());
    std::fflush(stdout);
    session.add_row({{"arrays", n},
                     {"us", time * 1e6},
                     {"gbs", gbs},
                     {"share_of_copy", gbs / session.copy_gbs()}});
  }
  Line const line = fit_line(counts, seconds);
  double const effective = gigabytes_an_array / line.slope;
  fmt::print(
      "time = {:.2f} us + {:.2f} us n, R^2 = {:.6f}: each array more moves at {:.0f} GB/s, {:.1f}% "
      "of copy\n",
      line.intercept * 1e6, line.slope * 1e6, line.r_squared, effective,
      100 * effective / session.copy_gbs());
  session.set("line", {{"intercept_us", line.intercept * 1e6},
                       {"slope_us", line.slope * 1e6},
                       {"r_squared", line.r_squared},
                       {"effective_gbs", effective},
                       {"share_of_copy", effective / session.copy_gbs()}});
  return session.finish();
}

}  // namespace tessera
