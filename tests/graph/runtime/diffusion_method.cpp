// SPDX-License-Identifier: MIT
#include "tests/graph/runtime/diffusion_method.hpp"

#include <algorithm>
#include <set>

#include "graph/tasks/starpu_call.hpp"

namespace tessera::test {
namespace {

std::size_t parity(std::int64_t n) { return static_cast<std::size_t>(n & 1); }

std::size_t index_of(std::vector<std::int32_t> const& sorted, std::int32_t value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, value) - sorted.begin());
}

}  // namespace

DiffusionMethod::DiffusionMethod(TileOfRow tile_of_row, std::int32_t width, std::int32_t parts)
    : tile_of_row_(std::move(tile_of_row)), width_(width), parts_(parts) {
  add_tiles();
}

void DiffusionMethod::add_tiles() {
  auto const rows = static_cast<std::int32_t>(tile_of_row_.size());
  auto const tile_of = [&](std::int32_t row) {
    return tile_of_row_[static_cast<std::size_t>((row + rows) % rows)];
  };
  tiles_ =
      std::vector<TileData>(static_cast<std::size_t>(*std::ranges::max_element(tile_of_row_)) + 1);
  for (std::int32_t r = 0; r < rows; ++r)
    tiles_[static_cast<std::size_t>(tile_of(r))].arguments.global_rows.push_back(r);
  // Rows of others that each tile reads, and whose they are.
  std::vector<std::vector<std::int32_t>> halo(tiles_.size());
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    std::set<std::int32_t> read;
    std::set<std::int32_t> owners;
    for (std::int32_t const r : tiles_[t].arguments.global_rows) {
      for (std::int32_t const beside : {(r + rows - 1) % rows, (r + 1) % rows}) {
        if (tile_of(beside) == static_cast<std::int32_t>(t)) continue;
        read.insert(beside);
        owners.insert(tile_of(beside));
      }
    }
    halo[t].assign(read.begin(), read.end());
    tiles_[t].neighbours.assign(owners.begin(), owners.end());
  }
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileData& tile = tiles_[t];
    DiffusionArguments& a = tile.arguments;
    a.layout = {width_, static_cast<std::int32_t>(a.global_rows.size()),
                static_cast<std::int32_t>(halo[t].size())};
    auto const number = [&](std::int32_t row) {
      return static_cast<std::int32_t>(tile_of(row) == static_cast<std::int32_t>(t)
                                           ? index_of(a.global_rows, row)
                                           : a.global_rows.size() + index_of(halo[t], row));
    };
    for (std::int32_t const r : a.global_rows)
      tile.row_neighbours.push_back({number((r + rows - 1) % rows), number((r + 1) % rows)});
    tile.table = DataHandle::constant(tile.row_neighbours.data(),
                                      tile.row_neighbours.size() * sizeof(RowNeighbours));
    std::size_t const state_rows = 2 * (a.global_rows.size() + halo[t].size());
    tile.state = DataHandle::vector(state_rows * static_cast<std::size_t>(width_), sizeof(double));
    for (DataHandle& sums : tile.sums)
      sums = DataHandle::vector(a.global_rows.size(), sizeof(double));
    // The rows that a tile reads of a neighbour stand in the neighbour's box for it, ascending.
    std::map<std::int32_t, std::int32_t> places;
    for (std::int32_t const row : halo[t]) {
      std::int32_t const owner = tile_of(row);
      a.receives.push_back({static_cast<std::int32_t>(index_of(tile.neighbours, owner)),
                            places[owner]++, number(row)});
    }
  }
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileData& tile = tiles_[t];
    for (std::size_t n = 0; n < tile.neighbours.size(); ++n) {
      std::int32_t place = 0;
      for (std::int32_t const row : halo[static_cast<std::size_t>(tile.neighbours[n])]) {
        if (tile_of(row) != static_cast<std::int32_t>(t)) continue;
        tile.arguments.sends.push_back(
            {static_cast<std::int32_t>(n), place++,
             static_cast<std::int32_t>(index_of(tile.arguments.global_rows, row))});
      }
      for (auto& boxes : tile.boxes)
        boxes.push_back(DataHandle::vector(
            static_cast<std::size_t>(place) * static_cast<std::size_t>(width_), sizeof(double)));
    }
  }
}

std::vector<TileFacts> DiffusionMethod::tiles() const {
  std::vector<TileFacts> facts;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    DiffusionLayout const& layout = tiles_[t].arguments.layout;
    facts.push_back(
        {.work = static_cast<double>(layout.rows) * width_,
         .kept_bytes = static_cast<std::size_t>(layout.rows * width_) * sizeof(double),
         .part = static_cast<std::int32_t>(t) * parts_ / static_cast<std::int32_t>(tiles_.size()),
         .neighbours = tiles_[t].neighbours});
  }
  return facts;
}

std::vector<DataHandle const*> DiffusionMethod::own_boxes(std::size_t tile,
                                                          std::int64_t stages) const {
  std::vector<DataHandle const*> found;
  for (DataHandle const& box : tiles_[tile].boxes[parity(stages)]) found.push_back(&box);
  return found;
}

std::vector<DataHandle const*> DiffusionMethod::others_boxes(std::size_t tile,
                                                             std::int64_t stages) const {
  std::vector<DataHandle const*> found;
  for (std::int32_t const n : tiles_[tile].neighbours) {
    TileData const& other = tiles_[static_cast<std::size_t>(n)];
    found.push_back(
        &other.boxes[parity(stages)][index_of(other.neighbours, static_cast<std::int32_t>(tile))]);
  }
  return found;
}

void DiffusionMethod::submit_begin(std::size_t t, Placement const& placement) {
  submit_beginning(tiles_[t].state, own_boxes(t, 0), tiles_[t].arguments, placement);
}

void DiffusionMethod::submit_stage(std::size_t t, std::int64_t stage, Placement const& placement,
                                   Callback const& callback) {
  submit_diffusion(static_cast<int>(stage % 2), tiles_[t].state, tiles_[t].table,
                   others_boxes(t, stage), own_boxes(t, stage + 1), tiles_[t].arguments, placement,
                   callback);
}

void DiffusionMethod::submit_measurement(std::size_t t, std::int64_t, std::size_t slot,
                                         Placement const& placement) {
  submit_row_sums(tiles_[t].state, tiles_[t].sums[slot], tiles_[t].arguments, placement);
}

void DiffusionMethod::submit_collection(std::int64_t step, std::size_t slot) {
  // Rows in their global order, whatever the tiles. A test may wait here.
  std::vector<double> of_row(tile_of_row_.size());
  for (TileData const& tile : tiles_) {
    starpu_data_handle_t const handle = tile.sums[slot].get();
    check_starpu(starpu_data_acquire(handle, STARPU_R), "starpu_data_acquire");
    auto const* const sums = static_cast<double const*>(starpu_data_get_local_ptr(handle));
    for (std::size_t r = 0; r < tile.arguments.global_rows.size(); ++r)
      of_row[static_cast<std::size_t>(tile.arguments.global_rows[r])] = sums[r];
    starpu_data_release(handle);
  }
  double total = 0;
  for (double const sum : of_row) total += sum;
  sums_[step] = total;
}

std::unique_ptr<UnitStore> DiffusionMethod::room_for(std::span<std::size_t const>) const {
  auto store = std::make_unique<RowStore>();
  store->values.resize(tile_of_row_.size() * static_cast<std::size_t>(width_));
  return store;
}

template <class Use>
void DiffusionMethod::with_state(std::size_t t, starpu_data_access_mode mode, Use&& use) {
  starpu_data_handle_t const handle = tiles_[t].state.get();
  check_starpu(starpu_data_acquire(handle, mode), "starpu_data_acquire");
  use(static_cast<double*>(starpu_data_get_local_ptr(handle)));
  starpu_data_release(handle);
}

void DiffusionMethod::submit_unload(std::size_t t, std::int64_t, UnitStore& store,
                                    Placement const&) {
  auto& values = dynamic_cast<RowStore&>(store).values;
  with_state(t, STARPU_R, [&](double const* state) {
    auto const& rows = tiles_[t].arguments.global_rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      std::copy_n(state + static_cast<std::ptrdiff_t>(r) * width_, width_,
                  values.begin() + std::ptrdiff_t{rows[r]} * width_);
  });
}

void DiffusionMethod::submit_load(std::size_t t, std::int64_t stages, UnitStore& store,
                                  Placement const&) {
  auto const& values = dynamic_cast<RowStore&>(store).values;
  TileData const& tile = tiles_[t];
  std::vector<double const*> from;
  from.reserve(tile.arguments.global_rows.size());
  for (std::int32_t const row : tile.arguments.global_rows)
    from.push_back(values.data() + std::ptrdiff_t{row} * width_);
  with_state(t, STARPU_W, [&](double* state) {
    for (std::size_t r = 0; r < from.size(); ++r)
      std::copy_n(from[r], width_, state + static_cast<std::ptrdiff_t>(r) * width_);
  });
  auto const& boxes = tile.boxes[parity(stages)];
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    check_starpu(starpu_data_acquire(boxes[n].get(), STARPU_W), "starpu_data_acquire");
    auto* const box = static_cast<double*>(starpu_data_get_local_ptr(boxes[n].get()));
    for (RowTransfer const& send : tile.arguments.sends) {
      if (send.box == static_cast<std::int32_t>(n))
        std::copy_n(from[static_cast<std::size_t>(send.row)], width_,
                    box + std::ptrdiff_t{send.place} * width_);
    }
    starpu_data_release(boxes[n].get());
  }
}

void DiffusionMethod::adopt(std::unique_ptr<NewTiles> tiles) {
  tile_of_row_ = dynamic_cast<NewRows const&>(*tiles).tile_of_row;
  add_tiles();
}

}  // namespace tessera::test
