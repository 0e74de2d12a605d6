// SPDX-License-Identifier: MIT
#include "graph/tasks/gpu_call.hpp"
#include "graph/tasks/vector_data.hpp"
#include "tests/graph/runtime/diffusion_codelets.hpp"

namespace tessera::test {
namespace {

__global__ void begin_row(double* row, std::int32_t width, std::int32_t global_row) {
  for (int c = static_cast<int>(threadIdx.x); c < width; c += static_cast<int>(blockDim.x))
    row[c] = at_first(global_row, c);
}

__global__ void diffuse(int stage, double const* from, double* to, RowNeighbours const* neighbours,
                        std::int32_t width) {
  auto const r = static_cast<std::int64_t>(blockIdx.x);
  double const* const centre = from + r * width;
  double const* const above = from + std::int64_t{neighbours[r].above} * width;
  double const* const below = from + std::int64_t{neighbours[r].below} * width;
  double* const result = to + r * width;
  for (int c = static_cast<int>(threadIdx.x); c < width; c += static_cast<int>(blockDim.x)) {
    double const left = centre[(c + width - 1) % width];
    double const right = centre[(c + 1) % width];
    result[c] = after_stage(stage, result[c], forward(centre[c], left, right, above[c], below[c]));
  }
}

void copy_row(double* to, double const* from, std::int32_t width) {
  check_gpu(cudaMemcpyAsync(to, from, static_cast<std::size_t>(width) * sizeof(double),
                            cudaMemcpyDeviceToDevice, starpu_cuda_get_local_stream()));
}

void fill_boxes(void** buffers, std::size_t first_box, double const* field,
                DiffusionArguments const& a) {
  for (RowTransfer const& t : a.sends) {
    auto* const box = vector_data<double>(buffers, first_box + static_cast<std::size_t>(t.box));
    copy_row(box + std::int64_t{t.place} * a.layout.width,
             field + std::int64_t{t.row} * a.layout.width, a.layout.width);
  }
}

void diffuse_on_gpu(int stage, void** buffers, DiffusionArguments const& a) {
  DiffusionLayout const& layout = a.layout;
  std::int64_t const field = std::int64_t{layout.rows + layout.halo} * layout.width;
  auto* const state = vector_data<double>(buffers, 0);
  double* const from = state + stage * field;
  double* const to = state + (1 - stage) * field;
  for (RowTransfer const& t : a.receives) {
    auto const* const box = vector_data<double>(buffers, 2 + static_cast<std::size_t>(t.box));
    copy_row(from + std::int64_t{t.row} * layout.width, box + std::int64_t{t.place} * layout.width,
             layout.width);
  }
  diffuse<<<static_cast<unsigned>(layout.rows), 64, 0, starpu_cuda_get_local_stream()>>>(
      stage, from, to, vector_data<RowNeighbours>(buffers, 1), layout.width);
  check_gpu(cudaGetLastError());
  auto const boxes = static_cast<std::size_t>(starpu_task_get_current()->nbuffers - 2) / 2;
  fill_boxes(buffers, 2 + boxes, to, a);
}

}  // namespace

void begin_on_gpu(void** buffers, void* argument) noexcept {
  auto const& a = *static_cast<DiffusionArguments const*>(argument);
  auto* const state = vector_data<double>(buffers, 0);
  for (std::int32_t r = 0; r < a.layout.rows; ++r) {
    begin_row<<<1, 64, 0, starpu_cuda_get_local_stream()>>>(
        state + std::int64_t{r} * a.layout.width, a.layout.width,
        a.global_rows[static_cast<std::size_t>(r)]);
  }
  check_gpu(cudaGetLastError());
  fill_boxes(buffers, 1, state, a);
}

void diffuse_first_on_gpu(void** buffers, void* argument) noexcept {
  diffuse_on_gpu(0, buffers, *static_cast<DiffusionArguments const*>(argument));
}

void diffuse_second_on_gpu(void** buffers, void* argument) noexcept {
  diffuse_on_gpu(1, buffers, *static_cast<DiffusionArguments const*>(argument));
}

}  // namespace tessera::test
