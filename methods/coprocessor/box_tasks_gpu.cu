// SPDX-License-Identifier: MIT
#include "graph/tasks/gpu_call.hpp"
#include "methods/coprocessor/box_codelets.hpp"

namespace tessera {
namespace {

constexpr int threads = 256;

int blocks_for(std::int64_t cells) { return static_cast<int>((cells + threads - 1) / threads); }

template <class Model, class Real>
__global__ void __launch_bounds__(threads)
    take_parts(BoxView<Real> const box, BoxParts const parts, std::int64_t cells,
               void const* __restrict__ piece, ForeignCell const foreign,
               typename Model::template Parameters<Real> const parameters) {
  std::int64_t const n = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (n < cells) take_cell<Model>(box, cell_of(parts, n), piece, foreign, parameters);
}

template <class Lattice, class Real>
__global__ void __launch_bounds__(threads)
    give_parts(BoxView<Real const> const box, BoxParts const parts, std::int64_t cells,
               void* __restrict__ piece, ForeignCell const foreign) {
  std::int64_t const n = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (n < cells) give_cell<Lattice>(box, cell_of(parts, n), piece, foreign);
}

/// Population q to the last of a cell at `at` of a box of one slab.
template <class Lattice, int q = 0, class Real>
__device__ __forceinline__ void pull(Real (&f)[Lattice::size], Real const* __restrict__ at,
                                     std::int64_t stride, std::int64_t pitch, std::int64_t plane) {
  if constexpr (q < Lattice::size) {
    f[q] = at[q * stride - Lattice::x(q) - Lattice::y(q) * pitch - Lattice::z(q) * plane];
    pull<Lattice, q + 1>(f, at, stride, pitch, plane);
  }
}

/// A thread a cell; rows and planes of the grid are those of the box.
template <class Model, class Real>
__global__ void __launch_bounds__(128)
    step(BoxShape const shape, Real const* __restrict__ old, Real* __restrict__ next,
         typename Model::template Parameters<Real> const parameters) {
  using Lattice = typename Model::Lattice;
  auto const x = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  if (x >= shape.size[0] - 1) return;
  auto const y = static_cast<std::int32_t>(blockIdx.y) + 1;
  auto const z = static_cast<std::int32_t>(blockIdx.z) + shape.margin[2];
  std::int64_t const stride = shape.stride();
  std::int64_t const pitch = shape.pitch();
  std::int64_t const plane = shape.plane();
  std::int64_t const at = z * plane + y * pitch + (BoxShape::aligned - 1) + x;
  Real f[Lattice::size];
  pull<Lattice>(f, old + at, stride, pitch, plane);
  Model::collide(f, parameters);
#pragma unroll
  for (int q = 0; q < Lattice::size; ++q) next[at + q * stride] = f[q];
}

}  // namespace

void take_parts_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TravelArguments const*>(argument);
  BoxDescription const& box = *arguments.box;
  Travel const& travel = arguments.travel;
  BoxPointers const slabs = slabs_behind_piece(buffers, box.shape);
  std::int64_t const cells = travel.parts.cells();
  with_box_types(box.method, [&]<class Model, class Real>() {
    take_parts<Model><<<blocks_for(cells), threads, 0, starpu_cuda_get_local_stream()>>>(
        view_of<Real>(box.shape, slabs), travel.parts, cells, vector_data<void const>(buffers, 0),
        travel.cell, Model::template narrow<Real>(box.method.parameters));
  });
  check_gpu(cudaGetLastError());
}

void give_parts_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TravelArguments const*>(argument);
  BoxDescription const& box = *arguments.box;
  Travel const& travel = arguments.travel;
  BoxPointers const slabs = slabs_behind_piece(buffers, box.shape);
  std::int64_t const cells = travel.parts.cells();
  with_box_types(box.method, [&]<class Model, class Real>() {
    give_parts<typename Model::Lattice>
        <<<blocks_for(cells), threads, 0, starpu_cuda_get_local_stream()>>>(
            view_of<Real const>(box.shape, slabs), travel.parts, cells,
            vector_data<void>(buffers, 0), travel.cell);
  });
  check_gpu(cudaGetLastError());
}

void box_step_on_gpu(void** buffers, void* argument) noexcept {
  BoxDescription const& box = *static_cast<SlabArguments const*>(argument)->box;
  BoxShape const& shape = box.shape;  // of one slab: methods/coprocessor/foreign_boxes.cpp
  auto const row = static_cast<unsigned>(shape.computed(0));
  unsigned const block = row < 128 ? (row + 31) / 32 * 32 : 128;
  dim3 const grid((row + block - 1) / block, static_cast<unsigned>(shape.computed(1)),
                  static_cast<unsigned>(shape.computed(2)));
  with_box_types(box.method, [&]<class Model, class Real>() {
    step<Model><<<grid, block, 0, starpu_cuda_get_local_stream()>>>(
        shape, vector_data<Real const>(buffers, 1), vector_data<Real>(buffers, 0),
        Model::template narrow<Real>(box.method.parameters));
  });
  check_gpu(cudaGetLastError());
}

}  // namespace tessera
