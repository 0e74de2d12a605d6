// SPDX-License-Identifier: MIT
#include "tests/graph/runtime/diffusion_codelets.hpp"

#include <algorithm>
#include <numeric>

#include "graph/tasks/on_gpu.hpp"
#include "graph/tasks/vector_data.hpp"

namespace tessera::test {
namespace {

/// A row of field 0 (u) or 1 (v) in a state.
double* row_of(double* state, DiffusionLayout const& layout, int field, std::int32_t row) {
  return state +
         (static_cast<std::ptrdiff_t>(field) * (layout.rows + layout.halo) + row) * layout.width;
}

void fill_boxes(void** buffers, std::size_t first_box, int field, DiffusionArguments const& a) {
  auto* const state = vector_data<double>(buffers, 0);
  for (RowTransfer const& t : a.sends) {
    auto* const box = vector_data<double>(buffers, first_box + static_cast<std::size_t>(t.box));
    std::copy_n(row_of(state, a.layout, field, t.row), a.layout.width,
                box + std::ptrdiff_t{t.place} * a.layout.width);
  }
}

void begin_on_core(void** buffers, void* argument) noexcept {
  auto const& a = *static_cast<DiffusionArguments const*>(argument);
  auto* const state = vector_data<double>(buffers, 0);
  for (std::int32_t r = 0; r < a.layout.rows; ++r) {
    for (std::int32_t c = 0; c < a.layout.width; ++c)
      row_of(state, a.layout, 0, r)[c] = at_first(a.global_rows[static_cast<std::size_t>(r)], c);
  }
  fill_boxes(buffers, 1, 0, a);
}

template <int stage>
void diffuse_on_core(void** buffers, void* argument) noexcept {
  auto const& a = *static_cast<DiffusionArguments const*>(argument);
  DiffusionLayout const& layout = a.layout;
  auto* const state = vector_data<double>(buffers, 0);
  auto const* const neighbours = vector_data<RowNeighbours>(buffers, 1);
  for (RowTransfer const& t : a.receives) {
    auto const* const box = vector_data<double>(buffers, 2 + static_cast<std::size_t>(t.box));
    std::copy_n(box + std::ptrdiff_t{t.place} * layout.width, layout.width,
                row_of(state, layout, stage, t.row));
  }
  for (std::int32_t r = 0; r < layout.rows; ++r) {
    double const* const centre = row_of(state, layout, stage, r);
    double const* const above = row_of(state, layout, stage, neighbours[r].above);
    double const* const below = row_of(state, layout, stage, neighbours[r].below);
    double* const result = row_of(state, layout, 1 - stage, r);
    for (std::int32_t c = 0; c < layout.width; ++c) {
      double const left = centre[(c + layout.width - 1) % layout.width];
      double const right = centre[(c + 1) % layout.width];
      result[c] =
          after_stage(stage, result[c], forward(centre[c], left, right, above[c], below[c]));
    }
  }
  auto const boxes = static_cast<std::size_t>(starpu_task_get_current()->nbuffers - 2) / 2;
  fill_boxes(buffers, 2 + boxes, 1 - stage, a);
}

void sum_rows(void** buffers, void* argument) noexcept {
  auto const& a = *static_cast<DiffusionArguments const*>(argument);
  auto* const state = vector_data<double>(buffers, 0);
  auto* const sums = vector_data<double>(buffers, 1);
  for (std::int32_t r = 0; r < a.layout.rows; ++r) {
    double const* const row = row_of(state, a.layout, 0, r);
    sums[r] = std::accumulate(row, row + a.layout.width, 0.0);
  }
}

starpu_codelet& beginning_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {begin_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(begin_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "begin_diffusion"};
  return codelet;
}

starpu_codelet& diffusion_codelet(int stage) {
  static starpu_codelet first = {.cpu_funcs = {diffuse_on_core<0>},
                                 .cuda_funcs = {TESSERA_ON_GPU(diffuse_first_on_gpu)},
                                 .cuda_flags = {STARPU_CUDA_ASYNC},
                                 .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                 .model = &starpu_perfmodel_nop,
                                 .name = "diffuse_first"};
  static starpu_codelet second = {.cpu_funcs = {diffuse_on_core<1>},
                                  .cuda_funcs = {TESSERA_ON_GPU(diffuse_second_on_gpu)},
                                  .cuda_flags = {STARPU_CUDA_ASYNC},
                                  .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                  .model = &starpu_perfmodel_nop,
                                  .name = "diffuse_second"};
  return stage == 0 ? first : second;
}

starpu_codelet& row_sums_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {sum_rows},
                                   .nbuffers = 2,
                                   .modes = {STARPU_R, STARPU_W},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "row_sums"};
  return codelet;
}

}  // namespace

void submit_beginning(DataHandle const& state, std::span<DataHandle const* const> boxes,
                      DiffusionArguments const& arguments, Placement const& placement) {
  Accesses data;
  data.writes(state);
  for (DataHandle const* const box : boxes) data.writes(*box);
  submit(beginning_codelet(), data, &arguments, placement);
}

void submit_diffusion(int stage, DataHandle const& state, DataHandle const& neighbours,
                      std::span<DataHandle const* const> others,
                      std::span<DataHandle const* const> boxes, DiffusionArguments const& arguments,
                      Placement const& placement, Callback const& callback) {
  Accesses data;
  data.updates(state).reads(neighbours);
  for (DataHandle const* const box : others) data.reads(*box);
  for (DataHandle const* const box : boxes) data.writes(*box);
  submit(diffusion_codelet(stage), data, &arguments, placement, callback);
}

void submit_row_sums(DataHandle const& state, DataHandle const& sums,
                     DiffusionArguments const& arguments, Placement const& placement) {
  Accesses data;
  data.reads(state).writes(sums);
  submit(row_sums_codelet(), data, &arguments, on_cores(placement));
}

}  // namespace tessera::test
