// SPDX-License-Identifier: MIT
// `tessera bench spectral`: the experiments of a published solver of spectral differences (A.
// Cassagne, CERFACS WN-CFD-14-5, 2014) with its kernels and with ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/literature/spectral/spectral_report.hpp"
#include "bench/modes/hybrid_modes.hpp"

namespace tessera {

struct SpectralOptions : MeasuringOptions {
  std::vector<std::string> parts;  ///< of spectral_parts; empty: all
  std::vector<int> degrees{1, 2, 3, 4, 5, 6};
  double points = 0;      ///< of a mesh, about; 0: chosen
  bool gpu_only = false;  ///< nothing on a core, if there is a GPU
};

inline const std::vector<std::string> spectral_parts{"degrees",  "published", "layouts",
                                                     "routines", "tasks",     "gpus"};

int bench_spectral(SpectralOptions const& options);

/// Kernels in a loop, by degree: on straight, curved and mixed elements, beside the published ones.
void measure_degrees(SpectralOptions const& options, SpectralReport& report);
/// The meshes of the report, 100 iterations of four stages.
void measure_published_meshes(SpectralOptions const& options, SpectralReport& report);
/// The published kernels with variables or points first.
void measure_layouts(SpectralOptions const& options, SpectralReport& report);
/// Shares of time of the published routines on a core.
void measure_routines(SpectralOptions const& options, SpectralReport& report);
/// The task graph with tiles of several sizes, beside the loop.
void measure_tasks(SpectralOptions const& options, SpectralReport& report);
/// One mesh on 1 to all GPUs or cores, and a model of 8 and 64 GPUs.
void measure_workers(SpectralOptions const& options, SpectralReport& report);

}  // namespace tessera
