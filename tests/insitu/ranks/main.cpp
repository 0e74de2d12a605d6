// SPDX-License-Identifier: MIT
// Frames made by hand on each of several ranks, looked at by a script: what a flow on several ranks
// will hand over.
//
//     mpirun -np 2 insitu_ranks SCRIPT FOLDER
//
// The image has 24 x 10 x 8 voxels; ranks own parts of it along x. At voxel (x, y, z), counted from
// 0: velocity (x, y, z), pressure 3x + 2y + z, density 1 + x, tile the rank; voxels with x + y + z
// a multiple of 11 are solid.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <memory>

#include "insitu/engine.hpp"
#include "insitu/frame_fields.hpp"

namespace tessera {
namespace {

constexpr Int3 image{24, 10, 8};

/// Where the part of a rank begins; parts differ in size.
std::int64_t part_of(int rank, int ranks) {
  if (rank == ranks) return image.x;
  return rank * image.x / ranks + (rank > 0 ? 1 : 0);
}

FrameFields fields_of(int rank, int ranks) {
  FrameFields fields(image, {part_of(rank, ranks), 0, 0},
                     {part_of(rank + 1, ranks), image.y, image.z});
  ImageBlock const block = fields.block();
  Int3 const upper = block.lower + block.shape;
  for (Int3 at = block.lower; at.z < upper.z; ++at.z) {
    for (at.y = block.lower.y; at.y < upper.y; ++at.y) {
      for (at.x = block.lower.x; at.x < upper.x; ++at.x) {
        if ((at.x + at.y + at.z) % 11 == 0) continue;
        auto const x = static_cast<float>(at.x);
        auto const y = static_cast<float>(at.y);
        auto const z = static_cast<float>(at.z);
        fields.set(at, {x, y, z}, 3 * x + 2 * y + z, 1 + x, rank);
      }
    }
  }
  return fields;
}

int run(char const* script, char const* folder) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  draw_on_one_thread();
  hold_display();
  std::unique_ptr<Engine> const engine = load_engine();
  engine->begin({parse_script(script)}, folder);
  FrameFields const fields = fields_of(rank, ranks);
  int errors = 0;
  for (std::int64_t step : {0, 100}) {
    Frame frame;
    frame.step = step;
    frame.time = static_cast<double>(step);
    frame.shape = image;
    frame.blocks = {fields.block()};
    frame.monitor_is_here = rank == 0;
    frame.monitor.k_lattice = 0.5;
    frame.tiles = {{{part_of(rank, ranks), 0, 0},
                    {part_of(rank + 1, ranks), image.y, image.z},
                    rank,
                    rank,
                    rank,
                    1,
                    1}};
    for (ScriptError const& error : engine->execute(frame)) {
      fmt::print(stderr, "rank {}: {}\n", rank, error.text);
      ++errors;
    }
  }
  engine->end();
  return errors == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  int const status = tessera::run(argv[1], argv[2]);
  MPI_Finalize();
  return status;
}
