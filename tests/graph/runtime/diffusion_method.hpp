// SPDX-License-Identifier: MIT
// A second method on the task graph: diffusion of a scalar on a torus, Heun's method in time. It
// differs from the lattice in what the interface leaves open: two stages a step, a state in place,
// a box for each tile that reads, sums without blocks.
#pragma once

#include <array>
#include <map>

#include "graph/tile_method.hpp"
#include "tests/graph/runtime/diffusion_codelets.hpp"

namespace tessera::test {

/// Which tile each row belongs to, by row.
using TileOfRow = std::vector<std::int32_t>;

struct RowStore : UnitStore {
  std::size_t bytes() const override { return values.size() * sizeof(double); }
  std::vector<double> values;  ///< u, row by row, of all rows
};

struct NewRows : NewTiles {
  explicit NewRows(TileOfRow rows) : tile_of_row(std::move(rows)) {}
  TileOfRow tile_of_row;
};

class DiffusionMethod final : public TileMethod {
 public:
  /// `parts`: the tiles of the first half of them begin in domain 0, and so on; 1: all in domain 0.
  DiffusionMethod(TileOfRow tile_of_row, std::int32_t width, std::int32_t parts = 1);

  /// The sum over all cells after a step that has been measured; all tasks must have ended.
  double sum(std::int64_t step) const { return sums_.at(step); }
  std::int32_t width() const { return width_; }

  std::vector<TileFacts> tiles() const override;
  int stages_per_step() const override { return 2; }
  void submit_begin(std::size_t tile, Placement const& placement) override;
  void submit_stage(std::size_t tile, std::int64_t stage, Placement const& placement,
                    Callback const& callback) override;
  std::vector<DataHandle const*> residents(std::size_t tile, std::int64_t) const override {
    return {&tiles_[tile].state};
  }
  void submit_measurement(std::size_t tile, std::int64_t step, std::size_t slot,
                          Placement const& placement) override;
  void submit_collection(std::int64_t step, std::size_t slot) override;
  std::unique_ptr<UnitStore> room_for(std::span<std::size_t const> tiles) const override;
  void submit_unload(std::size_t tile, std::int64_t stages, UnitStore& store,
                     Placement const& placement) override;
  void submit_load(std::size_t tile, std::int64_t stages, UnitStore& store,
                   Placement const& placement) override;
  void submit_discard(std::size_t, std::int64_t) override {}
  void adopt(std::unique_ptr<NewTiles> tiles) override;

 private:
  struct TileData {
    DiffusionArguments arguments;
    std::vector<std::int32_t> neighbours;
    std::vector<RowNeighbours> row_neighbours;
    DataHandle table;  ///< of these
    DataHandle state;
    std::array<std::vector<DataHandle>, 2> boxes;  ///< by parity of the stage; one a neighbour
    std::array<DataHandle, 2> sums;                ///< by slot
  };
  void add_tiles();
  std::vector<DataHandle const*> own_boxes(std::size_t tile, std::int64_t stages) const;
  std::vector<DataHandle const*> others_boxes(std::size_t tile, std::int64_t stages) const;
  /// The values of a tile's state in main memory while `use` runs.
  template <class Use>
  void with_state(std::size_t tile, starpu_data_access_mode mode, Use&& use);

  TileOfRow tile_of_row_;
  std::int32_t width_;
  std::int32_t parts_;
  std::vector<TileData> tiles_;
  std::map<std::int64_t, double> sums_;
};

}  // namespace tessera::test
