// SPDX-License-Identifier: MIT
// `tessera bench coprocessor`: a box of another program's lattice, its envelopes sent and received
// in every step, beside the model of a master's thesis (Geneva, 2018, section 6.1): a step costs
// Psi a cell, what is sent Gamma and what is received F a cell of its envelope, and each its
// latency. The other program is an array in main memory, as Palabos has it: cell after cell, z
// fastest.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/machine/copy_bandwidth.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/machine/thread_team.hpp"
#include "bench/hybrid_bench.hpp"
#include "bench/line_fit.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "methods/coprocessor/foreign_boxes.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {
namespace {

constexpr int velocities = D3Q19::size;

/// The other program's populations of a box.
class PalabosArray {
 public:
  PalabosArray(Int3 size, bool wide)
      : size_(size),
        wide_(wide),
        bytes_(static_cast<std::size_t>(volume(size) * velocities * width())) {
    in_parallel_ranges(volume(size), 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin * velocities; i < end * velocities; ++i)
        put(i, D3Q19::weight(static_cast<int>(i % velocities)) *
                   (1 + 1e-3 * static_cast<double>(i % 7)));
    });
  }

  ForeignArray cell_after_cell() {
    return {bytes_.data(),
            {size_.y * size_.z * velocities, size_.z * velocities, velocities, 1},
            wide_};
  }
  /// This memory read in the other order: velocity after velocity, x fastest.
  ForeignArray velocity_after_velocity() {
    return {bytes_.data(), {1, size_.x, size_.x * size_.y, volume(size_)}, wide_};
  }

 private:
  std::int64_t width() const { return wide_ ? 8 : 4; }
  void put(std::int64_t i, double value) {
    if (wide_) {
      reinterpret_cast<double*>(bytes_.data())[i] = value;
    } else {
      reinterpret_cast<float*>(bytes_.data())[i] = static_cast<float>(value);
    }
  }
  Int3 size_;
  bool wide_;
  std::vector<std::byte> bytes_;
};

/// Copies cells from one order of populations to another, on the cores.
void reorder(std::vector<CellBlock> const& blocks, ForeignArray const& from,
             ForeignArray const& to) {
  auto const place = [](ForeignArray const& array, std::int64_t x, std::int64_t y, std::int64_t z) {
    return x * array.strides[0] + y * array.strides[1] + z * array.strides[2];
  };
  auto const turn = [&]<class Real>(CellBlock const& b, Real const* source, Real* target) {
    in_parallel_ranges(b.size.y * b.size.z, 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        std::int64_t const y = b.begin.y + row % b.size.y, z = b.begin.z + row / b.size.y;
        for (std::int64_t x = b.begin.x; x < b.begin.x + b.size.x; ++x)
          for (int q = 0; q < velocities; ++q)
            target[place(to, x, y, z) + q * to.strides[3]] =
                source[place(from, x, y, z) + q * from.strides[3]];
      }
    });
  };
  for (CellBlock const& block : blocks) {
    if (from.wide) {
      turn(block, static_cast<double const*>(from.populations),
           static_cast<double*>(to.populations));
    } else {
      turn(block, static_cast<float const*>(from.populations), static_cast<float*>(to.populations));
    }
  }
}

/// Seconds of a step's parts and of the whole step in three ways, with the numbers of cells.
struct CoProcessorTimes {
  std::int64_t edge = 0;
  double cells = 0, sent = 0, received = 0;
  double step = 0, send = 0, receive = 0;
  double loop = 0, loop_whole = 0, loop_turned = 0;

  double transfers() const { return (send + receive) / loop; }
};

CoProcessorTimes measure_boxes(ForeignBoxes& boxes, std::int64_t edge, bool wide, int repeats) {
  Int3 const size{edge + 2, edge + 2, edge + 2};
  int const box = boxes.add(size);
  PalabosArray populations(size, wide), other(size, wide);
  ForeignArray const array = populations.cell_after_cell();
  ForeignArray const turned = other.velocity_after_velocity();
  auto const outer = boxes.outer_envelope(box), inner = boxes.inner_envelope(box);
  std::vector<CellBlock> const whole{boxes.whole(box)}, computed{boxes.computed(box)};
  auto const cells_of = [](std::vector<CellBlock> const& blocks) {
    double sum = 0;
    for (CellBlock const& b : blocks) sum += static_cast<double>(volume(b.size));
    return sum;
  };
  boxes.send(box, array, whole);
  auto const seconds = [&](auto&& once, bool waits) {
    return seconds_per_sweep(repeats, [&](std::int64_t times) {
      auto const start = std::chrono::steady_clock::now();
      for (std::int64_t i = 0; i < times; ++i) {
        once();
        if (waits) boxes.wait();
      }
      boxes.wait();
      return seconds_since(start);
    });
  };
  auto const step = [&] { boxes.collide_and_stream(box); };
  CoProcessorTimes row{.edge = edge,
                       .cells = static_cast<double>(edge * edge * edge),
                       .sent = cells_of(outer),
                       .received = cells_of(inner)};
  row.step = seconds(step, false);
  row.send = seconds([&] { boxes.send(box, array, outer); }, true);
  row.receive = seconds([&] { boxes.receive(box, array, inner); }, false);
  row.loop = seconds(
      [&] {
        boxes.send(box, array, outer);
        step();
        boxes.receive(box, array, inner);
      },
      false);
  row.loop_turned = seconds(
      [&] {
        reorder(outer, array, turned);
        boxes.send(box, turned, outer);
        step();
        boxes.receive(box, turned, inner);
        reorder(inner, turned, array);
      },
      false);
  row.loop_whole = seconds(
      [&] {
        boxes.send(box, array, whole);
        step();
        boxes.receive(box, array, computed);
      },
      false);
  return row;
}

/// Fits seconds = latency + cost * cells.
Line line_of(std::vector<CoProcessorTimes> const& rows, double CoProcessorTimes::*cells,
             double CoProcessorTimes::*seconds) {
  std::vector<double> x, y;
  for (CoProcessorTimes const& row : rows) {
    x.push_back(row.*cells);
    y.push_back(row.*seconds);
  }
  return fit_line(x, y, true);
}

}  // namespace

int bench_coprocessor(CavityOptions const& options) {
  Workers const workers = gpus_or_cores(options.workers);
  bool const wide = parse_precision(options.precision) == Precision::double_precision;
  double const copy = workers.gpus > 0 ? copy_on_gpu() : copy_on_cores(workers.cores);
  BoxMethod const method{.lattice = LatticeKind::d3q19,
                         .linear = false,
                         .wide = wide,
                         .parameters = {.shear = 1.6, .odd = 1.6}};
  ForeignCell cell{.ours = {}, .shifted = false, .before_collision = true, .wide = wide};
  std::ranges::copy(order_of(known_order("palabos", "D3Q19")).ours, cell.ours);
  std::vector<CoProcessorTimes> rows;
  for (std::int64_t const edge : options.sizes) {
    ForeignBoxes boxes(method, cell,
                       {.gpus = static_cast<int>(workers.gpus),
                        .cores = workers.gpus > 0 ? 0 : static_cast<int>(workers.cores)});
    rows.push_back(measure_boxes(boxes, edge, wide, options.repeats));
  }
  Line const psi = line_of(rows, &CoProcessorTimes::cells, &CoProcessorTimes::step);
  Line const gamma = line_of(rows, &CoProcessorTimes::sent, &CoProcessorTimes::send);
  Line const f = line_of(rows, &CoProcessorTimes::received, &CoProcessorTimes::receive);
  double const bytes = velocities * (wide ? 8.0 : 4.0);
  fmt::print("{}, {}; copy {:.0f} GB/s; times in us\n",
             workers.gpus > 0 ? "a GPU" : fmt::format("{} cores", workers.cores), options.precision,
             copy);
  fmt::print("{:>5} {:>9} {:>8} {:>9} {:>9} {:>10} {:>10} {:>7} {:>9} {:>10} {:>10}\n", "edge",
             "step", "of copy", "send", "receive", "all three", "the model", "ratio", "transfers",
             "by cores", "whole box");
  nlohmann::ordered_json json{{"precision", options.precision}, {"copy_gbs", copy}};
  for (CoProcessorTimes const& row : rows) {
    double const model = psi.intercept + psi.slope * row.cells + gamma.intercept +
                         gamma.slope * row.sent + f.intercept + f.slope * row.received;
    double const of_copy = 2 * bytes * row.cells / row.step * 1e-9 / copy;
    fmt::print(
        "{:5} {:9.1f} {:6.1f} % {:9.1f} {:9.1f} {:10.1f} {:10.1f} {:5.1f} % {:7.1f} % {:10.1f} "
        "{:10.1f}\n",
        row.edge, 1e6 * row.step, 100 * of_copy, 1e6 * row.send, 1e6 * row.receive, 1e6 * row.loop,
        1e6 * model, 100 * model / row.loop, 100 * row.transfers(), 1e6 * row.loop_turned,
        1e6 * row.loop_whole);
    json["boxes"].push_back({{"edge", row.edge},
                             {"step_s", row.step},
                             {"send_s", row.send},
                             {"receive_s", row.receive},
                             {"all_s", row.loop},
                             {"model_s", model},
                             {"reordered_by_cores_s", row.loop_turned},
                             {"whole_box_s", row.loop_whole}});
  }
  fmt::print(
      "Psi {:.3g} s a cell, Gamma {:.3g} s a cell sent, F {:.3g} s a cell received; "
      "latencies {:.1f}, {:.1f} and {:.1f} us\n",
      psi.slope, gamma.slope, f.slope, 1e6 * psi.intercept, 1e6 * gamma.intercept,
      1e6 * f.intercept);
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera
