// SPDX-License-Identifier: MIT
// Metrics of curved elements, which a thread of the stage on a GPU copies into shared memory before
// it needs them.
#pragma once

#include "codelets/spectral/gpu/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// Metrics for a thread that has a lane of a line of a pack; the CUDA block has `threads`.
template <int dimension, int p, class N, bool curved, int threads>
class AheadOfUse {
  __host__ __device__ static constexpr PackShape shape() { return {dimension, p}; }
  static constexpr int n = p + 1;
  static constexpr int lines = power(p + 1, dimension - 1);

 public:
  /// Numbers that are copied for a thread at a time: the areas along its line.
  static constexpr int at_a_time = curved ? dimension * (p + 2) : 0;

  /// `shared`: the thread's first number, the next ones stand `threads` behind each other.
  __device__ AheadOfUse(GpuStage<N> const& stage, TilePack const& pack, int line, int lane,
                        N* shared)
      : stage_(stage), pack_(pack), line_(line), lane_(lane), brought_(shared) {}

  __device__ void bring_areas(int d) const {
    if constexpr (curved) {
      MetricStrides const strides = metric_strides(shape(), pack_.affine != 0);
      N const* const first = stage_.data.tables.geometry + pack_.metrics + d * strides.direction +
                             line_ * strides.line + lane_;
#pragma unroll
      for (int f = 0; f < p + 2; ++f) {
#pragma unroll
        for (int a = 0; a < dimension; ++a) {
          int const i = f * dimension + a;
          bring(first + f * strides.flux_point + a * strides.component, i);
        }
      }
    }
  }
  __device__ void bring_jacobian() const {
    if constexpr (curved) {
      bool const affine = pack_.affine != 0;
      N const* const first =
          stage_.data.tables.geometry + pack_.jacobian + lane_ + (affine ? 0 : line_ * lanes);
#pragma unroll
      for (int i = 0; i < n; ++i) bring(first + (affine ? 0 : i * lines * lanes), i);
    }
  }
  __device__ static void await_brought() {
    if constexpr (curved) {
      asm volatile("cp.async.wait_all;" ::: "memory");
      __syncwarp();
    }
  }

  /// Number i of those that have been copied.
  __device__ N number(int i) const { return brought_[i * threads]; }

 private:
  /// Copies number i for this thread and the adjacent one; the two take turns.
  __device__ void bring(N const* from, int i) const {
    unsigned const odd = threadIdx.x & 1U;
    if (static_cast<unsigned>(i & 1) != odd) return;
    auto const to = static_cast<unsigned>(__cvta_generic_to_shared(brought_ + i * threads - odd));
    N const* const pair = from - odd;
    if constexpr (sizeof(N) == 8) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(pair) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(pair) : "memory");
    }
  }

  GpuStage<N> const& stage_;
  TilePack const& pack_;
  int line_;
  int lane_;
  N* brought_;
};

}  // namespace tessera::spectral::gpu
