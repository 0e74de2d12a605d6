// SPDX-License-Identifier: MIT
#include "methods/coprocessor/foreign_boxes.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "base/errors.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// StarPU runs once in a process: all that are alive share it.
std::shared_ptr<Runtime> shared_runtime(BoxWorkers const& wanted) {
  static std::mutex mutex;
  static std::weak_ptr<Runtime> alive;
  static BoxWorkers running;
  std::lock_guard const lock(mutex);
  if (auto found = alive.lock()) {
    if (running.gpus != wanted.gpus || running.cores != wanted.cores)
      throw BadInput(fmt::format(
          "a co-processor of {} GPUs and {} cores: expected {} and {}, as the one that is alive",
          wanted.gpus, wanted.cores, running.gpus, running.cores));
    return found;
  }
  auto started = std::make_shared<Runtime>(std::string{}, wanted.cores, wanted.gpus);
  alive = started;
  running = wanted;
  return started;
}

std::string text_of(CellBlock const& b) {
  return fmt::format("{} x {} x {} cells from {}, {}, {}", b.size.x, b.size.y, b.size.z, b.begin.x,
                     b.begin.y, b.begin.z);
}

/// Slabs for a few tasks a core; a GPU computes a box in one piece.
BoxShape shape_of(Int3 size, bool plane, unsigned cores) {
  constexpr std::int64_t least_planes = 4;
  BoxShape shape{.size = {static_cast<std::int32_t>(size.x), static_cast<std::int32_t>(size.y),
                          static_cast<std::int32_t>(size.z)},
                 .margin = {1, 1, plane ? 0 : 1},
                 .planes = static_cast<std::int32_t>(size.z),
                 .slabs = 1};
  if (cores > 1) {
    std::int64_t const most = std::min<std::int64_t>(BoxShape::most_slabs, 4 * std::int64_t{cores});
    std::int64_t const slabs = std::clamp<std::int64_t>(size.z / least_planes, 1, most);
    shape.planes = static_cast<std::int32_t>((size.z + slabs - 1) / slabs);
    shape.slabs = (shape.size[2] + shape.planes - 1) / shape.planes;
  }
  return shape;
}

BoxSlabs slabs_of(BoxDescription const& box) {
  int const velocities = velocities_of(box.method.lattice).size;
  BoxSlabs slabs;
  for (std::int32_t s = 0; s < box.shape.slabs; ++s)
    slabs.push_back(DataHandle::vector(box.shape.populations_of_slab(velocities),
                                       box.method.wide ? sizeof(double) : sizeof(float)));
  return slabs;
}

/// Where cores compute, they are busy, if only with waiting for tasks; a GPU leaves them, but for
/// the one that drives it.
int threads_that_pack(BoxWorkers const& workers) {
  constexpr int most = 16;
  return workers.gpus == 0 ? 1
                           : std::clamp(static_cast<int>(cores_present()) - workers.gpus, 1, most);
}

/// Main memory under a datum, for the program itself.
class Held {
 public:
  Held(DataHandle const& handle, starpu_data_access_mode mode) : handle_(handle.get()) {
    check_starpu(starpu_data_acquire(handle_, mode), "starpu_data_acquire");
  }
  ~Held() { starpu_data_release(handle_); }
  Held(Held const&) = delete;
  Held& operator=(Held const&) = delete;

 private:
  starpu_data_handle_t handle_;
};

}  // namespace

TravelPiece::TravelPiece(std::size_t bytes) : bytes_(bytes) {
  check_starpu(starpu_malloc_flags(&memory_, bytes, STARPU_MALLOC_PINNED), "starpu_malloc_flags");
  handle_ = DataHandle::at_home(memory_, bytes / sizeof(float), sizeof(float));
}

TravelPiece::TravelPiece(TravelPiece&& other) noexcept { *this = std::move(other); }

TravelPiece& TravelPiece::operator=(TravelPiece&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  std::swap(handle_, other.handle_);
  return *this;
}

TravelPiece::~TravelPiece() {
  handle_ = {};
  if (memory_ != nullptr) starpu_free_flags(memory_, bytes_, STARPU_MALLOC_PINNED);
}

struct ForeignBoxes::Box {
  BoxDescription description;
  BoxSlabs populations[2];
  Home home;
  TravelPiece out, in;
  std::size_t now = 0;
  bool filled = false;
  std::int64_t steps = 0;

  /// A piece of this size.
  static TravelPiece& sized(TravelPiece& piece, std::size_t bytes) {
    if (piece.bytes() != bytes) {
      piece = {};
      piece = TravelPiece(bytes);
    }
    return piece;
  }
};

ForeignBoxes::ForeignBoxes(BoxMethod const& method, ForeignCell const& cell,
                           BoxWorkers const& workers)
    : method_(method),
      cell_(cell),
      velocities_(velocities_of(method.lattice).size),
      runtime_(shared_runtime(workers)),
      domains_(Runtime::domains(workers.gpus == 0)),
      packers_(threads_that_pack(workers)) {}

ForeignBoxes::~ForeignBoxes() = default;

int ForeignBoxes::add(Int3 size) {
  bool const plane = velocities_of(method_.lattice).dimensions == 2;
  auto const enough = [](std::int64_t cells) {
    return cells >= 3 && cells < std::numeric_limits<std::int32_t>::max() / 64;
  };
  if (!enough(size.x) || !enough(size.y) || (plane ? size.z != 1 : !enough(size.z)))
    throw BadInput(
        fmt::format("a box of {} x {} x {} cells: expected at least 3 x 3 x {} with its margin",
                    size.x, size.y, size.z, plane ? "1, and no more," : "3"));
  auto box = std::make_unique<Box>();
  Domain const& domain = domains_[boxes_.size() % domains_.size()];
  unsigned const cores = domain.is_gpu() ? 1 : static_cast<unsigned>(domain.workers.size());
  box->description = {shape_of(size, plane, cores), method_};
  if (box->description.shape.populations_of_slab(velocities_) >
      std::numeric_limits<std::uint32_t>::max())
    throw BadInput(fmt::format("a box of {} x {} x {} cells: expected fewer than 2^32 populations",
                               size.x, size.y, size.z));
  for (BoxSlabs& slabs : box->populations) slabs = slabs_of(box->description);
  box->home.move_to(
      {.kinds = domain.kind, .worker = domain.is_gpu() ? domain.workers.front() : -1});
  boxes_.push_back(std::move(box));
  return static_cast<int>(boxes_.size()) - 1;
}

ForeignBoxes::Box& ForeignBoxes::at(int box) const {
  if (box < 0 || static_cast<std::size_t>(box) >= boxes_.size())
    throw BadInput(fmt::format("box {}: expected one of {}", box, boxes_.size()));
  return *boxes_[static_cast<std::size_t>(box)];
}

CellBlock ForeignBoxes::whole(int box) const {
  auto const& size = at(box).description.shape.size;
  return {{0, 0, 0}, {size[0], size[1], size[2]}};
}

CellBlock ForeignBoxes::computed(int box) const {
  BoxShape const& shape = at(box).description.shape;
  return {{shape.margin[0], shape.margin[1], shape.margin[2]},
          {shape.computed(0), shape.computed(1), shape.computed(2)}};
}

std::vector<CellBlock> ForeignBoxes::outer_envelope(int box) const {
  return shell_of(whole(box), at(box).description.shape.margin[2] == 0);
}

std::vector<CellBlock> ForeignBoxes::inner_envelope(int box) const {
  return shell_of(computed(box), at(box).description.shape.margin[2] == 0);
}

void ForeignBoxes::check_blocks(std::vector<CellBlock> const& blocks, CellBlock const& within,
                                char const* what) const {
  if (blocks.empty() || blocks.size() > BoxParts::most)
    throw BadInput(
        fmt::format("{} parts of a box: expected 1 to {}", blocks.size(), BoxParts::most));
  for (CellBlock const& block : blocks) {
    for (Axis const axis : all_axes) {
      std::int64_t const end = block.begin[axis] + block.size[axis];
      if (block.size[axis] < 1 || block.begin[axis] < within.begin[axis] ||
          end > within.begin[axis] + within.size[axis])
        throw BadInput(fmt::format("{}: expected a part of the {}, {}", text_of(block), what,
                                   text_of(within)));
    }
  }
}

Travel ForeignBoxes::travel_of(std::vector<CellBlock> const& blocks,
                               ForeignArray const& array) const {
  Travel travel{cell_, packed_parts(blocks, array, velocities_)};
  travel.cell.wide = array.wide;
  return travel;
}

std::size_t ForeignBoxes::bytes_of(Travel const& travel) const {
  return static_cast<std::size_t>(travel.parts.cells() * velocities_ * (travel.cell.wide ? 8 : 4));
}

void ForeignBoxes::send(int box, ForeignArray const& array, std::vector<CellBlock> const& blocks) {
  Box& to = at(box);
  check_blocks(blocks, whole(box), "box");
  Travel const travel = travel_of(blocks, array);
  bool const all = blocks.size() == 1 && blocks.front().size == whole(box).size;
  if (!to.filled && !all)
    throw BadInput(fmt::format("box {}: expected all of its cells first, in one part", box));
  TravelPiece& piece = Box::sized(to.out, bytes_of(travel));
  {
    Held const held(piece.handle(), STARPU_W);
    copy_parts(travel.parts, array, velocities_, piece.data(), Packing::to_piece, packers_);
  }
  submit_take_parts(to.description, travel, piece.handle(), to.populations[to.now], !to.filled,
                    {.home = &to.home});
  to.filled = true;
}

void ForeignBoxes::collide_and_stream(int box) {
  Box& in = at(box);
  if (!in.filled)
    throw BadInput(fmt::format("box {}: expected all of its cells to be sent before a step", box));
  submit_box_step(in.description, in.populations[in.now], in.populations[1 - in.now],
                  {.home = &in.home});
  in.now = 1 - in.now;
  ++in.steps;
}

void ForeignBoxes::receive(int box, ForeignArray const& array,
                           std::vector<CellBlock> const& blocks) {
  Box& from = at(box);
  check_blocks(blocks, computed(box), "cells that are computed");
  if (from.steps == 0)
    throw BadInput(fmt::format("box {}: expected a step before anything is received", box));
  Travel const travel = travel_of(blocks, array);
  TravelPiece& piece = Box::sized(from.in, bytes_of(travel));
  std::size_t const state = cell_.before_collision ? 1 - from.now : from.now;
  submit_give_parts(from.description, travel, from.populations[state], piece.handle(),
                    {.home = &from.home});
  Held const held(piece.handle(), STARPU_R);
  copy_parts(travel.parts, array, velocities_, piece.data(), Packing::from_piece, packers_);
}

void ForeignBoxes::wait() { check_starpu(starpu_task_wait_for_all(), "starpu_task_wait_for_all"); }

}  // namespace tessera
