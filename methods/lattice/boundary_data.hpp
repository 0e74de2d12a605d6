// SPDX-License-Identifier: MIT
// What a tile keeps for boundaries other than plain walls.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/lattice/block_populations.hpp"
#include "codelets/lattice/boundary_plan.hpp"
#include "codelets/lattice/step_buffers.hpp"
#include "graph/tasks/data_handle.hpp"

namespace tessera {

class BoundaryData {
 public:
  /// Data of a tile that has only plain walls.
  BoundaryData() : plan_(std::make_unique<BoundaryPlan>()) {}
  /// Throws BadInput where a condition is not supported.
  BoundaryData(Tiling const& tiling, Tile const& tile, Boundaries const& boundaries);

  BoundaryCounts const& counts() const { return plan_->counts; }
  /// The buffers of the step after which so many steps have been taken.
  BoundaryHandles handles(std::int64_t steps) const {
    return {lists_, entering_, wall_forces(steps), memory_};
  }
  /// Force on the links of each group in the last of so many steps; none if no force is measured.
  DataHandle const& wall_forces(std::int64_t steps) const {
    return wall_forces_[static_cast<std::size_t>(steps & 1)];
  }
  BoundaryView view() const { return plan_->view(); }
  /// Bytes of the buffers that StarPU allocates.
  std::size_t bytes() const {
    return entering_.bytes() + wall_forces_[0].bytes() + wall_forces_[1].bytes();
  }

  /// Copies what links remember to or from the store of the populations of the tile's blocks. Waits
  /// for the tasks that use it.
  void unload(std::vector<std::int32_t> const& blocks, BlockPopulations& populations) const;
  void load(std::vector<std::int32_t> const& blocks, BlockPopulations const& populations);

 private:
  std::unique_ptr<BoundaryPlan> plan_;  ///< what `lists_` reads
  DataHandle lists_;                    ///< none if there are but plain walls
  DataHandle entering_;
  std::vector<double> remembered_;         ///< by link: what `memory_` keeps
  DataHandle memory_;                      ///< none if nothing is remembered
  std::array<DataHandle, 2> wall_forces_;  ///< by parity of the step
};

}  // namespace tessera
