// SPDX-License-Identifier: MIT
// `tessera bench alignment`: what it costs that streaming along x reads, or writes, beside the
// aligned place.
#include <fmt/format.h>

#include <cstdio>

#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_transfer.hpp"
#include "bench/repeat.hpp"

namespace tessera {
namespace {

struct ShiftCase {
  char const* name;
  Shift reads;
  Shift writes;
};
constexpr ShiftCase shift_cases[] = {
    {"none", Shift::none, Shift::none},
    {"reads by one", Shift::one, Shift::none},
    {"writes by one", Shift::none, Shift::one},
    {"both by one", Shift::one, Shift::one},
    {"reads as D3Q19 pulls", Shift::lattice, Shift::none},
    {"writes as D3Q19 pushes", Shift::none, Shift::lattice},
    {"both as D3Q19", Shift::lattice, Shift::lattice},
};

template <class T>
void measure_transfers(GpuSession& session, GpuBenchOptions const& options) {
  std::int64_t const nodes = options.size * options.size * options.size;
  GpuTransfer<T> arrays(nodes);
  double aligned_seconds = 0;
  for (ShiftCase const& c : shift_cases) {
    Transfer const transfer{.reads = c.reads, .writes = c.writes};
    arrays.check(transfer);
    double const seconds = seconds_per_sweep(
        options.repeats, [&](std::int64_t sweeps) { return arrays.run(transfer, sweeps); });
    if (aligned_seconds == 0) aligned_seconds = seconds;
    double const gbs = 2.0 * D3Q19::size * sizeof(T) * static_cast<double>(nodes) / seconds * 1e-9;
    fmt::print("{:4} {:24} {:10.1f} {:8.0f} {:7.1f}% {:10.3f}\n", 8 * sizeof(T), c.name,
               seconds * 1e6, gbs, 100 * gbs / session.copy_gbs(), seconds / aligned_seconds);
    std::fflush(stdout);
    session.add_row({{"bits", 8 * sizeof(T)},
                     {"shifted", c.name},
                     {"us", seconds * 1e6},
                     {"gbs", gbs},
                     {"share_of_copy", gbs / session.copy_gbs()},
                     {"time_over_aligned", seconds / aligned_seconds}});
  }
}

}  // namespace

int bench_alignment(GpuBenchOptions const& options) {
  std::int64_t const nodes = options.size * options.size * options.size;
  GpuSession session("alignment", options, GpuTransfer<float>::bytes_needed(nodes));
  fmt::print("bits shifted                    us/sweep     GB/s  of copy  / aligned\n");
  measure_transfers<float>(session, options);
  measure_transfers<std::uint16_t>(session, options);
  return session.finish();
}

}  // namespace tessera
