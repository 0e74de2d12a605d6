// SPDX-License-Identifier: MIT
#include "interfaces/api/coprocessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/runtime/runtime.hpp"
#include "interfaces/cpp/called.hpp"
#include "methods/coprocessor/foreign_boxes.hpp"

namespace tessera {
namespace {

Int3 int3_of(std::array<std::int64_t, 3> const& a) { return {a[0], a[1], a[2]}; }

Cells cells_of(CellBlock const& block) {
  return {{block.begin.x, block.begin.y, block.begin.z},
          {block.size.x, block.size.y, block.size.z}};
}

std::vector<Cells> cells_of(std::vector<CellBlock> const& blocks) {
  std::vector<Cells> cells;
  cells.reserve(blocks.size());
  for (CellBlock const& block : blocks) cells.push_back(cells_of(block));
  return cells;
}

std::vector<CellBlock> blocks_of(std::vector<Cells> const& cells) {
  std::vector<CellBlock> blocks;
  blocks.reserve(cells.size());
  for (Cells const& c : cells) blocks.push_back({int3_of(c.begin), int3_of(c.size)});
  return blocks;
}

ForeignArray array_of(Populations const& populations) {
  if (populations.data == nullptr) throw BadInput("populations: expected an array");
  return {populations.data, populations.strides, populations.double_precision};
}

ForeignOrder order_in(CoProcessorOptions const& options) {
  return order_of(options.velocities.empty() ? known_order(options.order, options.lattice)
                                             : options.velocities);
}

double checked_rate(double rate, char const* what) {
  if (!(rate > 0 && rate < 2))
    throw BadInput(fmt::format("{} {}: expected more than 0 and less than 2", what, rate));
  return rate;
}

BoxMethod method_in(CoProcessorOptions const& options) {
  BoxMethod method{.lattice = order_in(options).lattice,
                   .linear = options.linear,
                   .wide = options.double_precision,
                   .parameters = {}};
  method.parameters.shear = checked_rate(options.relaxation_rate, "relaxation rate");
  method.parameters.odd =
      options.odd_rate == 0 ? method.parameters.shear : checked_rate(options.odd_rate, "odd rate");
  for (std::size_t a = 0; a < 3; ++a) {
    if (!std::isfinite(options.force[a])) throw BadInput("force: expected numbers");
    method.parameters.force[a] = options.force[a];
  }
  return method;
}

ForeignCell cell_in(CoProcessorOptions const& options) {
  ForeignCell cell{.ours = {},
                   .shifted = options.shifted,
                   .before_collision = options.before_collision,
                   .wide = true};
  std::ranges::copy(order_in(options).ours, cell.ours);
  return cell;
}

BoxWorkers workers_in(CoProcessorOptions const& options) {
  int const present = Runtime::gpus_present();
  if (options.gpus > present)
    throw BadInput(fmt::format("{} GPUs: expected at most {}", options.gpus, present));
  int const gpus = options.gpus < 0 ? present : options.gpus;
  if (gpus > 0) return {.gpus = gpus, .cores = 0};
  int const cores = static_cast<int>(cores_present());
  if (options.cores == 0 || options.cores > cores)
    throw BadInput(fmt::format("{} cores: expected 1 to {}", options.cores, cores));
  return {.gpus = 0, .cores = options.cores < 0 ? cores : options.cores};
}

}  // namespace

struct CoProcessor::State {
  explicit State(CoProcessorOptions const& options)
      : workers(workers_in(options)), boxes(method_in(options), cell_in(options), workers) {}
  BoxWorkers workers;
  ForeignBoxes boxes;
};

CoProcessor::CoProcessor(CoProcessorOptions const& options) {
  guarded([&] { state_ = std::make_unique<State>(options); });
}
CoProcessor::~CoProcessor() = default;
CoProcessor::CoProcessor(CoProcessor&&) noexcept = default;
CoProcessor& CoProcessor::operator=(CoProcessor&&) noexcept = default;

int CoProcessor::add_box(std::array<std::int64_t, 3> size) {
  int box = 0;
  guarded([&] { box = state_->boxes.add(int3_of(size)); });
  return box;
}

Cells CoProcessor::whole(int box) const {
  Cells cells;
  guarded([&] { cells = cells_of(state_->boxes.whole(box)); });
  return cells;
}

Cells CoProcessor::computed(int box) const {
  Cells cells;
  guarded([&] { cells = cells_of(state_->boxes.computed(box)); });
  return cells;
}

std::vector<Cells> CoProcessor::outer_envelope(int box) const {
  std::vector<Cells> cells;
  guarded([&] { cells = cells_of(state_->boxes.outer_envelope(box)); });
  return cells;
}

std::vector<Cells> CoProcessor::inner_envelope(int box) const {
  std::vector<Cells> cells;
  guarded([&] { cells = cells_of(state_->boxes.inner_envelope(box)); });
  return cells;
}

void CoProcessor::send(int box, Populations const& from, std::vector<Cells> const& cells) {
  guarded([&] { state_->boxes.send(box, array_of(from), blocks_of(cells)); });
}

void CoProcessor::collide_and_stream(int box) {
  guarded([&] { state_->boxes.collide_and_stream(box); });
}

void CoProcessor::receive(int box, Populations const& to, std::vector<Cells> const& cells) {
  guarded([&] { state_->boxes.receive(box, array_of(to), blocks_of(cells)); });
}

void CoProcessor::wait() {
  guarded([&] { state_->boxes.wait(); });
}

int CoProcessor::gpus() {
  int count = 0;
  guarded([&] { count = Runtime::gpus_present(); });
  return count;
}

std::string CoProcessor::workers() const {
  auto const counted = [](int count, char const* one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  return state_->workers.gpus > 0 ? counted(state_->workers.gpus, "GPU")
                                  : counted(state_->workers.cores, "core");
}

}  // namespace tessera
