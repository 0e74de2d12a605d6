// SPDX-License-Identifier: MIT
#include "methods/lattice/boundary_data.hpp"

#include <algorithm>
#include <limits>

#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// Memory of a link before the first step.
constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BoundaryData::BoundaryData(Tiling const& tiling, Tile const& tile, Boundaries const& boundaries)
    : plan_(std::make_unique<BoundaryPlan>(plan_boundaries(tiling, tile, boundaries))) {
  if (!any(counts())) return;
  lists_ = DataHandle::constant(plan_->buffer.data(), plan_->buffer.size());
  entering_ = DataHandle::vector(std::max(counts().links, 1U), sizeof(double));
  if (counts().remembered > 0) {
    remembered_.assign(counts().remembered, nothing_yet);
    memory_ = DataHandle::at_home(remembered_.data(), remembered_.size());
  }
  if (counts().groups == 0) return;
  for (DataHandle& forces : wall_forces_)
    forces = DataHandle::vector(counts().groups, sizeof(WallForce));
}

void BoundaryData::unload(std::vector<std::int32_t> const& blocks,
                          BlockPopulations& populations) const {
  if (!memory_) return;
  check_starpu(starpu_data_acquire(memory_.get(), STARPU_R), "starpu_data_acquire");
  std::vector<std::uint32_t> const& first = plan_->first_link;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    populations.remembered[blocks[b]].assign(remembered_.begin() + first[b],
                                             remembered_.begin() + first[b + 1]);
  }
  starpu_data_release(memory_.get());
}

void BoundaryData::load(std::vector<std::int32_t> const& blocks,
                        BlockPopulations const& populations) {
  if (!memory_) return;
  check_starpu(starpu_data_acquire(memory_.get(), STARPU_W), "starpu_data_acquire");
  std::ranges::fill(remembered_, nothing_yet);
  std::vector<std::uint32_t> const& first = plan_->first_link;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    auto const kept = populations.remembered.find(blocks[b]);
    // What was remembered may belong to other links, if the conditions have been changed since.
    if (kept == populations.remembered.end() || kept->second.size() != first[b + 1] - first[b])
      continue;
    std::ranges::copy(kept->second, remembered_.begin() + first[b]);
  }
  starpu_data_release(memory_.get());
}

}  // namespace tessera
