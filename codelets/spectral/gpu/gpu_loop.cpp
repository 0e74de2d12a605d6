// SPDX-License-Identifier: MIT
#include "codelets/spectral/gpu/gpu_loop.hpp"

#include <algorithm>

#include "codelets/spectral/states.hpp"

namespace tessera::spectral {

template <class N>
GpuLoop<N>::GpuLoop(MeshOfGas const& of, TileOfPack const& tile_of_pack,
                    GasParameters const& parameters,
                    std::function<Primitive<double>(Point const&)> const& initial)
    : parameters_(parameters), place_(of.packs.packs.size()), dt_(1) {
  auto const tiles = make_tiles<N>(of, tile_of_pack).tiles;
  check_boxes(tiles);
  for (ElementTile const& tile : tiles) add_tile(of, tile, initial);
  launch_all(PackTask::begin, {}, true);
}

template <class N>
void GpuLoop<N>::add_tile(MeshOfGas const& of, ElementTile const& tile,
                          std::function<Primitive<double>(Point const&)> const& initial) {
  TileCounts const& counts = tile.counts;
  auto const size = [](std::int64_t numbers) { return static_cast<std::size_t>(numbers); };
  auto const two = [&](std::int64_t numbers) {
    return std::array{DeviceArray<N>(size(numbers)), DeviceArray<N>(size(numbers))};
  };
  TileBuffers& made = tiles_.emplace_back(TileBuffers{
      counts, tile.neighbours, DeviceArray<std::byte>(tile.tables.size() * sizeof(CacheLine)),
      DeviceArray<N>(size(counts.state_numbers)), DeviceArray<N>(size(counts.state_numbers)),
      two(counts.trace_numbers), two(tile.outboxes.front().numbers),
      DeviceArray<double>(size(counts.packs))});
  made.tables.upload(tile.table_bytes());
  std::vector<N> state(size(counts.state_numbers));
  TileView<N> const view = view_of<N>(counts, tile.table_bytes());
  for (std::size_t i = 0; i < tile.packs.size(); ++i) {
    TilePack const& pack = view.packs[i];
    auto const numbers = size(PackShape{counts.dimension, pack.degree}.state_size());
    set_state(of, tile.packs[i], initial, state.data() + pack.state);
    place_[size(tile.packs[i])] = {static_cast<std::int32_t>(tiles_.size()) - 1,
                                   static_cast<std::int32_t>(i), pack.state, numbers};
  }
  made.state.upload(state.data());
  points_ += counts.points;
}

template <class N>
void GpuLoop<N>::launch_all(PackTask task, Stage const& stage, bool last) {
  for (TileBuffers const& tile : tiles_) {
    GpuStage<N> to_do{
        .data = {view_of<N>(tile.counts, tile.tables.get()), tile.state.get(), tile.kept.get(),
                 tile.traces[1 - now_].get(), nullptr, nullptr, last ? tile.speeds.get() : nullptr},
        .sources = {tile.traces[now_].get()},
        .outboxes = {tile.outbox[1 - now_].get()},
        .parameters = parameters_,
        .stage = stage,
        .dt = dt_.get(),
        .task = task};
    for (std::size_t i = 0; i < tile.neighbours.size(); ++i) {
      auto const neighbour = static_cast<std::size_t>(tile.neighbours[i]);
      to_do.sources[1 + i] = tiles_[neighbour].outbox[now_].get();
    }
    check_cuda(launch(tile.counts, to_do, stream_.get()), "launching a stage");
  }
  now_ = 1 - now_;
}

template <class N>
double GpuLoop<N>::run(std::int64_t steps, double dt) {
  dt_.upload(&dt);
  auto const stages = stages_of(parameters_.integrator);
  return timer_.seconds(stream_.get(), [&] {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (Stage const& stage : stages)
        launch_all(PackTask::stage, stage, &stage == &stages.back());
    }
  });
}

template <class N>
std::vector<N> GpuLoop<N>::state_of_pack(std::int32_t pack) const {
  PackPlace const& place = place_[static_cast<std::size_t>(pack)];
  std::vector<N> state(place.numbers);
  N const* const from = tiles_[static_cast<std::size_t>(place.tile)].state.get() + place.state;
  check_cuda(cudaMemcpy(state.data(), from, place.numbers * sizeof(N), cudaMemcpyDeviceToHost),
             "running");
  return state;
}

template <class N>
double GpuLoop<N>::speed_of_pack(std::int32_t pack) const {
  PackPlace const& place = place_[static_cast<std::size_t>(pack)];
  return tiles_[static_cast<std::size_t>(place.tile)].speeds.value(
      static_cast<std::size_t>(place.number));
}

template <class N>
std::size_t GpuLoop<N>::data_bytes() const {
  std::size_t bytes = 0;
  for (TileBuffers const& tile : tiles_) {
    bytes +=
        tile.state.bytes() + tile.kept.bytes() + tile.traces[0].bytes() + tile.outbox[0].bytes();
  }
  return bytes;
}

template <class N>
std::size_t GpuLoop<N>::table_bytes() const {
  std::size_t bytes = 0;
  for (TileBuffers const& tile : tiles_) bytes += tile.tables.bytes();
  return bytes;
}

template class GpuLoop<double>;
template class GpuLoop<float>;

}  // namespace tessera::spectral
