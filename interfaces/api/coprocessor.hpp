// SPDX-License-Identifier: MIT
// Tessera beside another lattice Boltzmann program: it computes boxes of that program's lattice, on
// GPUs or on cores, step by step. A step of the whole is
//
//   send() the outer envelope of each box, which other boxes or walls have filled;
//   collide_and_stream();
//   the other program's own sweeps, meanwhile;
//   receive() the inner envelope, which they need.
//
// The whole of a box travels at first, and when it is asked for. Errors:
// interfaces/api/tessera.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera.hpp"

namespace tessera {

/// How the other program computes and stores, in lattice units.
struct CoProcessorOptions {
  /// D2Q9, D3Q19 or D3Q27 in the other program's order; empty: `order` of `lattice`.
  std::vector<std::array<int, 3>> velocities;
  std::string lattice = "D3Q19";
  std::string order = "walberla";  ///< which lbmpy has, too; or "palabos"
  bool shifted = false;            ///< populations are stored less their weight, f_q - w_q
  bool before_collision = false;   ///< a step collides, then streams; else streams, then collides
  double relaxation_rate = 1;      ///< 1 / tau of the even half: the viscosity is (tau - 1/2) / 3
  double odd_rate = 0;             ///< of the odd half (TRT); 0: the same (BGK)
  std::array<double, 3> force{};   ///< body force per mass, after Guo et al.
  bool linear = false;             ///< equilibrium linear in the velocity, else of second order
  bool double_precision = true;    ///< of what is computed
  int gpus = -1;                   ///< -1: all there are; 0: cores
  int cores = -1;                  ///< without GPUs; -1: all there are
};

/// Populations of a whole box, margin included, in the caller's memory.
struct Populations {
  void* data = nullptr;                   ///< population 0 of cell (0, 0, 0)
  std::array<std::int64_t, 4> strides{};  ///< along x, y, z and from velocity to velocity; elements
  bool double_precision = true;           ///< else float
};

/// A block of cells of a box.
struct Cells {
  std::array<std::int64_t, 3> begin{};  ///< x, y, z
  std::array<std::int64_t, 3> size{};
};

class TESSERA_API CoProcessor {
 public:
  explicit CoProcessor(CoProcessorOptions const& options);
  ~CoProcessor();
  CoProcessor(CoProcessor&&) noexcept;
  CoProcessor& operator=(CoProcessor&&) noexcept;
  CoProcessor(CoProcessor const&) = delete;
  CoProcessor& operator=(CoProcessor const&) = delete;

  /// A box of so many cells along x, y, z with a margin of one cell all around (a plane: z = 1,
  /// which has none), which the other program fills. Returns its number.
  int add_box(std::array<std::int64_t, 3> size);

  /// All cells; those that are computed, which are all but the margin.
  Cells whole(int box) const;
  Cells computed(int box) const;
  /// The margin; the outermost cells that are computed; as blocks without any in common.
  std::vector<Cells> outer_envelope(int box) const;
  std::vector<Cells> inner_envelope(int box) const;

  /// Takes these cells of the array; at first, whole().
  void send(int box, Populations const& from, std::vector<Cells> const& cells);
  /// One step of a box; returns before it is done.
  void collide_and_stream(int box);
  /// Writes these cells, as the last step has left them, to the array.
  void receive(int box, Populations const& to, std::vector<Cells> const& cells);
  /// Until what has been asked for is done.
  void wait();

  /// How many GPUs there are.
  static int gpus();
  /// "2 GPUs", "16 cores"
  std::string workers() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera
