// SPDX-License-Identifier: MIT
// The measurements of `tessera bench` on a GPU. Each prints a table and returns the exit status;
// each throws EnvironmentError if there is no GPU, or none in this build.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

struct GpuBenchOptions {
  std::int64_t size = 256;  ///< edge of the cube in voxels
  int repeats = 5;          ///< the median counts
  std::string json;         ///< file for the figures, or empty
};

/// One to nineteen arrays read and written: a straight line of time over arrays.
int bench_transfers(GpuBenchOptions const& options);
/// Nineteen arrays, reads or writes shifted along x.
int bench_alignment(GpuBenchOptions const& options);
/// Array of structures, structure of arrays, Tessera's step.
int bench_layout(GpuBenchOptions const& options);
/// Threads of a CUDA block.
int bench_threads(GpuBenchOptions const& options);
/// Cubes of many sizes.
int bench_domains(GpuBenchOptions const& options);
/// One or two relaxation times, Stokes or Navier-Stokes, single or double precision.
int bench_collision(GpuBenchOptions const& options);

}  // namespace tessera
