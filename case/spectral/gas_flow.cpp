// SPDX-License-Identifier: MIT
#include "case/spectral/gas_flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "case/spectral/gas_tiles.hpp"
#include "run/checkpoint/block_writing.hpp"

namespace tessera {
namespace {

/// Relative rounding of the end time that still counts as a whole number of steps.
constexpr double step_rounding = 1e-9;

/// Equal steps that lead to a time.
struct EqualSteps {
  double left;      ///< number of steps from the start of the run to that time
  double rounding;  ///< rounding allowed in `left`

  EqualSteps(double end, double dt, GasStart const& start)
      : left((end - start.clock.time) / dt), rounding(step_rounding * end / dt) {}
  bool are_whole() const { return std::abs(left - std::round(left)) < rounding; }
  double count() const { return std::max(std::ceil(left - rounding), 0.0); }
};

/// Whether equal steps end at the stop time, so that no step has to be cut short.
bool ends_with_a_step(GasCase const& c, GasStart const& start) {
  if (!c.stop.time) return true;
  return c.time.dt && EqualSteps(*c.stop.time, *c.time.dt, start).are_whole();
}

spectral::GasOptions options_of(GasCase const& c, GasSetup const& setup, Workers const& workers,
                                GasStart const& start) {
  spectral::GasOptions options;
  options.numbers = c.model.precision == Precision::single_precision ? spectral::Numbers::float32
                                                                     : spectral::Numbers::float64;
  options.parameters = setup.parameters;
  options.rule = c.time.dt      ? spectral::StepRule::fixed
                 : c.time.exact ? spectral::StepRule::exact
                                : spectral::StepRule::late;
  options.clock.sigma = c.time.cfl;
  options.clock.fixed = c.time.dt.value_or(0);
  if (!ends_with_a_step(c, start)) options.clock.meet = {*c.stop.time};
  options.initial = setup.initial;
  options.exact = setup.exact;
  options.both_traces = both_traces_fit(setup.of, workers);
  options.cut_anew = [&of = setup.of, workers, tiles = c.run.tiles](NewShares const& shares) {
    return cut_for(shares, of, workers, tiles);
  };
  return options;
}

}  // namespace

std::optional<std::int64_t> last_step_of(GasCase const& c, GasStart const& start) {
  std::optional<std::int64_t> last = c.stop.steps;
  if (c.time.dt && c.stop.time) {
    constexpr double most = 1e15;
    double const steps = EqualSteps(*c.stop.time, *c.time.dt, start).count();
    auto const by_time = start.step + static_cast<std::int64_t>(std::min(steps, most));
    last = std::min(last.value_or(by_time), by_time);
  }
  return last;
}

bool is_at_its_end(GasCase const& c, GasStart const& start) {
  if (!c.stop.time || c.time.dt) return false;
  return start.clock.time >= *c.stop.time * (1 - step_rounding);
}

GasFlow::GasFlow(GasCase const& c, GasSetup const& setup, Workers const& workers,
                 GasStart const& start)
    : start_(start),
      end_(c.time.dt ? std::nullopt : c.stop.time),
      points_(static_cast<std::int64_t>(setup.of.mesh.points())),
      packs_(static_cast<std::int32_t>(setup.of.packs.packs.size())),
      method_(setup.of, cut_for(setup.of, workers, c.run.tiles),
              options_of(c, setup, workers, start)),
      graph_(method_, {.window = 4, .domains = domains_of(workers), .balance = c.run.balance}) {
  for (spectral::Pack const& pack : setup.of.packs.packs)
    numbers_ += spectral::PackShape{setup.of.mesh.dimension, pack.degree}.state_size();
  method_.resume_clock(start.clock);
}

RunningFlow::SavedSize GasFlow::saved_size() const { return {numbers_, packs_}; }

template <class Blocks>
void GasFlow::hand_out(Blocks& blocks) {
  graph_.save([&](std::size_t tile, UnitStore& store) {
    auto const& packs = dynamic_cast<spectral::PackStore const&>(store);
    for (std::int32_t const p : method_.packs(tile))
      blocks.add(p, packs.state(static_cast<std::size_t>(p)));
    blocks.end_tile();
  });
  blocks.finish();
}

void GasFlow::save(CheckpointWriter* writer) {
  std::size_t const value_bytes = spectral::bytes_of(method_.numbers());
  std::int64_t numbers = 0;
  for (std::size_t t = 0; t < tiles(); ++t) numbers += method_.state_numbers(t);
  BlockWriting writing(writer, tiles(), numbers * static_cast<std::int64_t>(value_bytes),
                       value_bytes);
  hand_out(writing);
}

void GasFlow::gather(BlockGathering::Take take) {
  BlockGathering gathering(tiles(), std::move(take));
  hand_out(gathering);
}

void GasFlow::restore(std::int64_t step, CheckpointReader const& reader) {
  graph_.restore(step, [&](std::size_t tile, UnitStore& store) {
    auto& packs = dynamic_cast<spectral::PackStore&>(store);
    for (std::int32_t const p : method_.packs(tile))
      reader.read_block(p, packs.state(static_cast<std::size_t>(p)));
  });
}

std::optional<std::int64_t> GasFlow::last_step() {
  constexpr std::int64_t steps_behind = 2;  // the clocks of these steps are kept, and known by now
  std::int64_t const step = graph_.steps() - steps_behind;
  if (!end_ || step < start_.step) return std::nullopt;
  spectral::Clock const clock = method_.clock(step);
  // A time that is NaN ends the run, too: the state is then checked.
  if (clock.time + clock.dt < *end_ * (1 - step_rounding)) return std::nullopt;
  return clock.dt > 0 ? step + 1 : step;
}

void GasFlow::put(std::int32_t pack, std::span<std::byte const> bytes, GasState& state) const {
  spectral::with_numbers(method_.numbers(), [&]<class N>() {
    std::vector<N> values(bytes.size() / sizeof(N));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    state.take_pack(pack, values.data());
  });
}

std::vector<std::int32_t> GasFlow::own_packs() const {
  std::vector<std::int32_t> own;
  for (std::size_t t = 0; t < tiles(); ++t)
    own.insert(own.end(), method_.packs(t).begin(), method_.packs(t).end());
  return own;
}

void GasFlow::submit_snapshots(std::size_t set) {
  graph_.hold_tiles();
  for (std::size_t t = 0; t < tiles(); ++t) method_.submit_snapshot(t, set, graph_.placement(t));
}

std::int64_t GasFlow::take_snapshots(std::size_t set, GasState& state) {
  std::int64_t copied = 0;
  for (std::size_t t = 0; t < tiles(); ++t) {
    method_.visit_snapshot(t, set, [&](std::int32_t pack, std::span<std::byte const> bytes) {
      put(pack, bytes, state);
      copied += static_cast<std::int64_t>(bytes.size());
    });
  }
  graph_.let_go_of_tiles();
  return copied;
}

bool GasFlow::take_state(GasState& state) {
  gather([&](std::int32_t pack, std::span<std::byte const> bytes, std::span<double const>) {
    put(pack, bytes, state);
  });
  return !Ranks::any(Ranks::is_root() && !state.is_possible());
}

}  // namespace tessera
