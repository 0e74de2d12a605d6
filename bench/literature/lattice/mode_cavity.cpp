// SPDX-License-Identifier: MIT
// `tessera bench cavity`: the hybrid cavity of the literature. A closed box is cut into 3 x 3 x 3
// sub-domains, the middle one on the accelerator and the others on cores; how large should the
// middle be, and does a model know it beforehand?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "bench/bus.hpp"
#include "bench/literature/lattice/cavity_cut.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "bench/tiling_flow.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

/// Edges of the centre in voxels, as far as they fit into the box.
constexpr std::int64_t centre_edges[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384};

/// Who computes: the accelerator is a GPU, or one more core that stands in for it.
struct Machine {
  unsigned gpus = 0;
  unsigned cores = 0;  ///< without the one that stands in

  std::string text() const {
    std::string const beside = fmt::format("{} core{}", cores, cores > 1 ? "s" : "");
    if (gpus > 0) return fmt::format("{} and {}", Runtime::gpu_name(), beside);
    return fmt::format(
        "one core in the place of an accelerator, and {}: no GPU takes part, nothing is sent over "
        "a bus",
        beside);
  }
};

Machine machine_for(WorkersAsked const& asked) {
  if (asked.gpus > 1)
    throw BadInput(fmt::format("--gpus {}: expected 0 or 1, one has the centre", asked.gpus));
  if (asked.cores == 0) throw BadInput("--cores 0: expected a core at least");
  auto const gpus = static_cast<unsigned>(std::min(choose_gpus(asked.gpus), 1));
  unsigned const present = cores_present();
  unsigned const most = gpus > 0 ? cores_beside(gpus, present) : present - 1;
  if (most == 0)
    throw EnvironmentError(fmt::format("{} cores are too few: one is needed beside the {}", present,
                                       gpus > 0 ? "GPU's own" : "one that stands in for a GPU"));
  if (asked.cores > static_cast<int>(most)) {
    throw BadInput(fmt::format(
        "--cores {}: expected at most {} of the {} that can be used here: {}", asked.cores, most,
        present, gpus > 0 ? "others drive the GPU" : "one stands in for an accelerator"));
  }
  return {gpus, asked.cores < 0 ? most : static_cast<unsigned>(asked.cores)};
}

enum class Where : std::uint8_t { accelerator, cores, both };

/// A cut of the box and who computes it.
struct CavityCase {
  Where where = Where::both;
  CavityBox box;
  Tiling tiling;
  std::vector<double> mflups;
  std::vector<std::vector<double>> busy_s;  ///< of each repeat, by tile: see TilingSpeed

  double rate() const { return median(mflups); }
  double nodes() const { return static_cast<double>(tiling.nodes); }
  double centre_nodes() const { return static_cast<double>(volume(box.centre())); }
  std::string centre_text() const {
    Int3 const c = box.centre();
    return fmt::format("{}x{}x{}", c.x, c.y, c.z);
  }
  std::string name() const {
    if (where == Where::accelerator) return "all on the accelerator";
    if (where == Where::cores) return "all on the cores";
    return fmt::format("a centre of {}", centre_text());
  }
  /// Nodes of the core that has most of them. `first_part`: the first part that is a core's.
  double busiest_core(std::int32_t first_part) const {
    return largest_sum(first_part, [&](std::size_t t) {
      return static_cast<double>(tiling.tiles[t].counts.nodes);
    });
  }
  /// Seconds that a step takes the core with most to do; centre_s(): the accelerator.
  double busiest_core_s() const {
    std::vector<double> seconds;
    seconds.reserve(busy_s.size());
    for (auto const& of_tiles : busy_s)
      seconds.push_back(largest_sum(1, [&](std::size_t t) { return of_tiles[t]; }));
    return median(seconds);
  }
  double centre_s() const {
    std::vector<double> seconds;
    seconds.reserve(busy_s.size());
    for (auto const& of_tiles : busy_s) seconds.push_back(of_tiles.front());
    return median(seconds);
  }

 private:
  /// Sum of `of` over the tiles of a part, for the part from `first_part` on that has most.
  template <class Of>
  double largest_sum(std::int32_t first_part, Of const& of) const {
    std::vector<double> load;
    for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
      Tile const& tile = tiling.tiles[t];
      if (tile.part < first_part) continue;
      load.resize(std::max(load.size(), static_cast<std::size_t>(tile.part) + 1), 0);
      load[static_cast<std::size_t>(tile.part)] += of(t);
    }
    return *std::ranges::max_element(load);
  }
};

CavityCase make_case(Where where, CavityBox box, unsigned cores) {
  // The accelerator has a GPU's layout even where a core stands in for it.
  std::vector<Layout> layouts(cores + 1, Layout::apart);
  if (where != Where::cores) layouts.front() = Layout::together;
  TwoLevelCut const cut =
      where == Where::accelerator ? box.whole() : box.sub_domains(cores, where == Where::both);
  Tiling tiling = build_tiling(box.grid(), cut, layouts);
  return {where, std::move(box), std::move(tiling), {}, {}};
}

/// Cases: all on the accelerator, all on the cores in sub-domains as equal as can be, and a case
/// for each centre.
std::vector<CavityCase> cases_for(std::int64_t edge, unsigned cores) {
  std::vector<CavityCase> cases;
  CavityBox const equal(edge, centre_extent(edge, (edge + 1) / 3));
  cases.push_back(make_case(Where::accelerator, equal, cores));
  cases.push_back(make_case(Where::cores, equal, cores));
  Int3 last;
  for (std::int64_t const wanted : centre_edges) {
    Int3 const centre = centre_extent(edge, wanted);
    if (wanted > edge || centre == last) continue;
    last = centre;
    CavityBox box(edge, centre);
    if (!box.uncut()) cases.push_back(make_case(Where::both, std::move(box), cores));
  }
  return cases;
}

TilingCase flow_on(Machine const& machine, CavityCase const& c, Precision precision) {
  bool const stands_in = machine.gpus == 0 && c.where != Where::cores;
  unsigned const cores = c.where == Where::accelerator ? 0 : machine.cores;
  return {.tiling = &c.tiling,
          .precision = precision,
          .cores = std::max(1U, cores + (stands_in ? 1 : 0)),
          .balance = Balance::fixed,
          .gpus = c.where == Where::cores ? 0 : machine.gpus,
          .part_for_each_worker = true};
}

/// States of the fluid after some steps, x fastest, without the solid in front.
std::vector<NodeState> states_after(std::int64_t steps, TilingCase const& on,
                                    CavityBox const& box) {
  std::int64_t const edge = box.edge();
  std::vector<NodeState> states(static_cast<std::size_t>(edge * edge * edge));
  TilingFlow flow(on);
  flow.graph().submit_steps(steps);
  flow.graph().visit_nodes([&](Int3 at, std::int32_t, NodeState const& state) {
    states[linear_index({edge, edge, edge}, at - box.origin())] = state;
  });
  return states;
}

/// Steps that sound takes from the walls to the middle, so that nothing is uniform any more; in a
/// large box fewer.
std::int64_t steps_to_check(std::int64_t edge) {
  constexpr std::int64_t most = 120;
  double const steps = 0.5 * static_cast<double>(edge) * std::numbers::sqrt3;
  return std::min(most, 4 + static_cast<std::int64_t>(std::ceil(steps)));
}

/// How far fields may differ, relative to their largest value: not at all among cores. A GPU fuses
/// multiplication and addition where a core may not.
double rounding(Machine const& machine, Precision precision) {
  if (machine.gpus == 0) return 0;
  return precision == Precision::half_storage       ? 2e-3
         : precision == Precision::single_precision ? 2e-4
                                                    : 1e-6;
}

/// The largest difference of a field over the largest value of that field.
double largest_difference(std::vector<NodeState> const& a, std::vector<NodeState> const& b) {
  double scale[2] = {0, 0}, difference[2] = {0, 0};  // [0]: velocity, [1]: density
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto const look = [&](std::size_t field, double one, double other) {
      if (!std::isfinite(one) || !std::isfinite(other)) difference[field] = HUGE_VAL;
      scale[field] = std::max(scale[field], std::abs(one));
      difference[field] = std::max(difference[field], std::abs(one - other));
    };
    for (int k = 0; k < 3; ++k) look(0, a[i].velocity[k], b[i].velocity[k]);
    look(1, a[i].density_shift, b[i].density_shift);
  }
  return std::max(difference[0] / scale[0], difference[1] / scale[1]);
}

/// Throws EnvironmentError unless each cut flows as one tile on one core does.
void check(std::vector<CavityCase> const& cases, Machine const& machine, Precision precision) {
  CavityBox const& box = cases.front().box;
  std::int64_t const steps = steps_to_check(box.edge());
  Tiling const one_tile = build_tiling(box.grid(), box.whole(), {Layout::apart});
  std::vector<NodeState> const expected =
      states_after(steps, {.tiling = &one_tile, .precision = precision}, box);
  for (CavityCase const& c : cases) {
    std::vector<NodeState> const states =
        states_after(steps, flow_on(machine, c, precision), c.box);
    double const allowed = c.where == Where::cores ? 0 : rounding(machine, precision);
    double const difference = largest_difference(expected, states);
    if (difference <= allowed) continue;
    throw EnvironmentError(
        fmt::format("{}^3, {}: after {} steps fields differ from those of one tile by {:.1e}, "
                    "allowed are {:.1e}",
                    box.edge(), c.name(), steps, difference, allowed));
  }
}

/// What crosses between the centre and the cores in a step.
struct CavityExchange {
  std::size_t to_cores = 0;        ///< bytes: the centre's outbox
  std::size_t to_accelerator = 0;  ///< bytes: the outboxes of the centre's neighbours
  std::size_t boxes = 0;           ///< outboxes of the neighbours; a transfer each

  /// Seconds if each outbox were transferred by itself, one after the other.
  double seconds_one_by_one(Bus const& bus) const {
    return seconds(bus) + (static_cast<double>(boxes) - 1) * bus.seconds(0);
  }
  double seconds(Bus const& bus) const {
    return bus.seconds(to_accelerator) + bus.seconds(to_cores);
  }
};

CavityExchange exchange_of(Tiling const& tiling, Precision precision) {
  auto const bytes = [&](Tile const& tile) {
    return tile.counts.outbox_values * bytes_of(precision);
  };
  Tile const& centre = tiling.tiles.front();
  CavityExchange exchange{.to_cores = bytes(centre), .boxes = centre.neighbours.size()};
  for (std::int32_t const n : centre.neighbours)
    exchange.to_accelerator += bytes(tiling.tiles[static_cast<std::size_t>(n)]);
  return exchange;
}

/// T = max(T_core of the busiest core, T_accelerator + T_send + T_receive). The thesis adds the
/// time to duplicate overlaps, but here that is a part of each tile's step, and so of the speeds.
struct CavityModel {
  double accelerator = 0;  ///< nodes a second of the whole box
  double core = 0;         ///< nodes a second of one core
  Bus bus;

  CavityModel(CavityCase const& all_accelerator, CavityCase const& all_cores, Bus const& measured)
      : accelerator(all_accelerator.rate() * 1e6),
        core(all_cores.rate() * 1e6 * all_cores.busiest_core(0) / all_cores.nodes()),
        bus(measured) {}

  double mflups(CavityCase const& c, CavityExchange const& exchange) const {
    double const seconds =
        std::max(c.busiest_core(1) / core, c.centre_nodes() / accelerator + exchange.seconds(bus));
    return c.nodes() / seconds * 1e-6;
  }
};

/// A centre as measured, and what the model predicts for it.
struct CavityRow {
  CavityCase const* measured = nullptr;
  CavityExchange exchange;
  double model_mflups = 0;
  double exchange_s = 0;  ///< if outboxes are transferred one by one

  /// Speed by the model with measured terms: the tiles' own times, and each transfer by itself.
  double own_model_mflups() const {
    double const seconds = std::max(measured->busiest_core_s(), measured->centre_s() + exchange_s);
    return measured->nodes() / seconds * 1e-6;
  }
  double mflups() const { return measured->rate(); }
  nlohmann::ordered_json json() const {
    Int3 const centre = measured->box.centre();
    return {{"centre", {centre.x, centre.y, centre.z}},
            {"sub_domains", measured->tiling.tiles.size()},
            {"centre_share", measured->centre_nodes() / measured->nodes()},
            {"bytes_to_accelerator", exchange.to_accelerator},
            {"bytes_to_cores", exchange.to_cores},
            {"model_mflups", model_mflups},
            {"busiest_core_s", measured->busiest_core_s()},
            {"centre_s", measured->centre_s()},
            {"exchange_s", exchange_s},
            {"own_model_mflups", own_model_mflups()},
            {"mflups", measured->mflups}};
  }
};

/// Prints the centres of one box; returns them with the best of them.
nlohmann::ordered_json json_of_cases(std::vector<CavityCase> const& cases, Bus const& bus,
                                     Precision precision) {
  CavityCase const& accelerator = cases[0];
  CavityCase const& cores = cases[1];
  CavityModel const model(accelerator, cores, bus);
  std::int64_t const edge = accelerator.box.edge();
  fmt::print(
      "\n{}^3: {} nodes; all on the accelerator {:.1f}, all on the cores {:.1f} ({} tiles)\n", edge,
      accelerator.nodes(), accelerator.rate(), cores.rate(), cores.tiling.tiles.size());
  nlohmann::ordered_json json{{"size", edge},
                              {"nodes", accelerator.tiling.nodes},
                              {"steps_checked", steps_to_check(edge)},
                              {"accelerator_mflups", accelerator.mflups},
                              {"cores_mflups", cores.mflups},
                              {"cores_sub_domains", cores.tiling.tiles.size()},
                              {"sweep", nlohmann::ordered_json::array()}};
  std::vector<CavityRow> rows;
  for (CavityCase const& c : cases) {
    if (c.where != Where::both) continue;
    CavityExchange const exchange = exchange_of(c.tiling, precision);
    rows.push_back({&c, exchange, model.mflups(c, exchange), exchange.seconds_one_by_one(bus)});
  }
  if (rows.empty()) {
    fmt::print("too small for a centre of whole blocks between other sub-domains\n");
    return json;
  }

  fmt::print(
      "centre       tiles  of nodes  to it kB  from it kB     model  measured  of model   cores us "
      "centre us exchange us  by these\n");
  for (CavityRow const& row : rows) {
    CavityCase const& c = *row.measured;
    fmt::print("{:12} {:5} {:8.2f}% {:9.1f} {:11.1f} {:9.1f} {:9.1f} {:8.1f}%", c.centre_text(),
               c.tiling.tiles.size(), 100 * c.centre_nodes() / c.nodes(),
               1e-3 * static_cast<double>(row.exchange.to_accelerator),
               1e-3 * static_cast<double>(row.exchange.to_cores), row.model_mflups, row.mflups(),
               100 * row.mflups() / row.model_mflups);
    fmt::print(" {:10.0f} {:9.0f} {:11.0f} {:8.1f}%\n", 1e6 * c.busiest_core_s(),
               1e6 * c.centre_s(), 1e6 * row.exchange_s,
               100 * row.mflups() / row.own_model_mflups());
    json["sweep"].push_back(row.json());
  }
  CavityRow const& best = *std::ranges::max_element(rows, {}, &CavityRow::mflups);
  CavityRow const& chosen = *std::ranges::max_element(rows, {}, &CavityRow::model_mflups);
  double const over_accelerator = best.mflups() / accelerator.rate();
  fmt::print(
      "best centre: {} by measurement, {} by the model ({:.1f} % of the best); {:.2f} times the "
      "accelerator alone\n",
      best.measured->centre_text(), chosen.measured->centre_text(),
      100 * chosen.mflups() / best.mflups(), over_accelerator);
  json["best"] = best.json();
  json["best_by_model"] = chosen.json();
  json["best_over_accelerator"] = over_accelerator;
  return json;
}

Bus bus_to_accelerator(Machine const& machine) {
  if (machine.gpus == 0) return {};
  Runtime const runtime({}, 1, static_cast<int>(machine.gpus));
  return measure_bus(Runtime::domains(false).front());
}

}  // namespace

int bench_cavity(CavityOptions const& options) {
  Machine const machine = machine_for(options.workers);
  Precision const precision = parse_precision(options.precision);
  Bus const bus = bus_to_accelerator(machine);
  fmt::print("{}\nclosed boxes, {}; MFLUPS: medians of {}\n", machine.text(), options.precision,
             options.repeats);
  if (bus.bytes_per_s > 0) {
    fmt::print("a transfer takes {:.1f} us and its bytes at {:.1f} GB/s\n", 1e6 * bus.latency_s,
               1e-9 * bus.bytes_per_s);
  }
  nlohmann::ordered_json json{
      {"accelerator", machine.gpus > 0 ? Runtime::gpu_name() : "one core"},
      {"gpus", machine.gpus},
      {"cores", machine.cores},
      {"precision", options.precision},
      {"link", {{"latency_s", bus.latency_s}, {"bytes_per_s", bus.bytes_per_s}}}};
  for (std::int64_t const edge : options.sizes) {
    std::vector<CavityCase> cases = cases_for(edge, machine.cores);
    check(cases, machine, precision);
    for (int r = 0; r < options.repeats; ++r) {  // in turn: all meet the same load
      for (CavityCase& c : cases) {
        TilingSpeed speed = measure_tiling(flow_on(machine, c, precision), options.seconds);
        c.mflups.push_back(speed.mflups);
        c.busy_s.push_back(std::move(speed.busy_s));
      }
    }
    json["boxes"].push_back(json_of_cases(cases, bus, precision));
    std::fflush(stdout);
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera
