// SPDX-License-Identifier: MIT
// The tasks of the diffusion method on a tile of whole rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/host_device.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera::test {

/// A tile's rows. Its state is two fields, u and v, each of the own rows and behind them the halo
/// rows of the field.
struct DiffusionLayout {
  std::int32_t width = 0;
  std::int32_t rows = 0;  ///< own
  std::int32_t halo = 0;  ///< rows of others
};

/// A row that crosses: of the sender `row`, the `place`-th in the box.
struct RowTransfer {
  std::int32_t box;
  std::int32_t place;
  std::int32_t row;
};

/// Constant arguments of a tile's tasks; they outlive the tasks.
struct DiffusionArguments {
  DiffusionLayout layout;
  std::vector<std::int32_t> global_rows;
  std::vector<RowTransfer> receives;  ///< into halo rows
  std::vector<RowTransfer> sends;
};

/// Rows above and below each own row: numbers of own or halo rows.
struct RowNeighbours {
  std::int32_t above;
  std::int32_t below;
};

/// What stands in a cell at first; exact in binary.
TESSERA_HOST_DEVICE double at_first(std::int32_t row, std::int32_t column) {
  return ((row * 37 + column * 11 + row * column) % 64) / 64.0;
}

/// Heun's method, the time step 1/8 of the stable one's scale: products are exact, so fused
/// multiply-add changes nothing. Stage 0: v = u + L u / 8; stage 1: u = (u + v + L v / 8) / 2.
TESSERA_HOST_DEVICE double forward(double centre, double left, double right, double above,
                                   double below) {
  return centre + 0.125 * (((left + right) + (above + below)) - 4 * centre);
}
TESSERA_HOST_DEVICE double after_stage(int stage, double old, double moved) {
  return stage == 0 ? moved : 0.5 * (old + moved);
}

/// Buffers: W state, then W own boxes.
void submit_beginning(DataHandle const& state, std::span<DataHandle const* const> boxes,
                      DiffusionArguments const& arguments, Placement const& placement);
/// Buffers: RW state, R RowNeighbours [rows], R the others' boxes, W own boxes.
void submit_diffusion(int stage, DataHandle const& state, DataHandle const& neighbours,
                      std::span<DataHandle const* const> others,
                      std::span<DataHandle const* const> boxes, DiffusionArguments const& arguments,
                      Placement const& placement, Callback const& callback);
/// Sums of the rows of u, on a core: R state, W double [rows].
void submit_row_sums(DataHandle const& state, DataHandle const& sums,
                     DiffusionArguments const& arguments, Placement const& placement);

#ifdef TESSERA_HAS_CUDA
void begin_on_gpu(void** buffers, void* argument) noexcept;
void diffuse_first_on_gpu(void** buffers, void* argument) noexcept;
void diffuse_second_on_gpu(void** buffers, void* argument) noexcept;
#endif

}  // namespace tessera::test
