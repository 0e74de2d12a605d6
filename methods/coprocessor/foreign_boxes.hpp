// SPDX-License-Identifier: MIT
// ForeignBoxes of another program's lattice, computed here: it sends the cells around a box, has
// one step computed, and receives the cells that its own boxes beside it need (A. Python, master's
// thesis, Geneva 2018, after Palabos' CoProcessor3D).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/box.hpp"
#include "base/machine/standing_team.hpp"
#include "graph/runtime/runtime.hpp"
#include "methods/coprocessor/box_tasks.hpp"
#include "methods/coprocessor/foreign.hpp"

namespace tessera {

/// The workers: GPUs, or so many cores if there are none.
struct BoxWorkers {
  int gpus = 0;
  int cores = 1;
};

/// A piece of main memory that GPUs copy at full speed, as a datum.
class TravelPiece {
 public:
  TravelPiece() = default;
  explicit TravelPiece(std::size_t bytes);
  TravelPiece(TravelPiece&& other) noexcept;
  TravelPiece& operator=(TravelPiece&& other) noexcept;
  TravelPiece(TravelPiece const&) = delete;
  TravelPiece& operator=(TravelPiece const&) = delete;
  /// Waits for the tasks that use it.
  ~TravelPiece();

  std::size_t bytes() const { return bytes_; }
  void* data() const { return memory_; }
  DataHandle const& handle() const { return handle_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  DataHandle handle_;
};

class ForeignBoxes {
 public:
  /// Throws BadInput, EnvironmentError.
  ForeignBoxes(BoxMethod const& method, ForeignCell const& cell, BoxWorkers const& workers);
  ~ForeignBoxes();
  ForeignBoxes(ForeignBoxes const&) = delete;
  ForeignBoxes& operator=(ForeignBoxes const&) = delete;

  /// Adds a box. Its size includes the outermost layer, which is not computed. Returns its number.
  /// Throws BadInput.
  int add(Int3 size);

  /// All cells of a box; its computed cells; the outermost cells of either.
  CellBlock whole(int box) const;
  CellBlock computed(int box) const;
  std::vector<CellBlock> outer_envelope(int box) const;
  std::vector<CellBlock> inner_envelope(int box) const;

  /// Copies cells from the array into the box. Returns when the array may be changed. Throws
  /// BadInput.
  void send(int box, ForeignArray const& array, std::vector<CellBlock> const& blocks);
  /// Submits one step of a box and does not wait for it. All cells must have been sent before; the
  /// outer envelope, since the step before. Throws BadInput.
  void collide_and_stream(int box);
  /// Waits for the box and writes computed cells to the array. Throws BadInput.
  void receive(int box, ForeignArray const& array, std::vector<CellBlock> const& blocks);
  /// Waits until all submitted work is done.
  void wait();

 private:
  struct Box;
  Box& at(int box) const;
  void check_blocks(std::vector<CellBlock> const& blocks, CellBlock const& within,
                    char const* what) const;
  Travel travel_of(std::vector<CellBlock> const& blocks, ForeignArray const& array) const;
  std::size_t bytes_of(Travel const& travel) const;

  BoxMethod method_;
  ForeignCell cell_;
  int velocities_;
  std::shared_ptr<Runtime> runtime_;
  std::vector<Domain> domains_;
  StandingTeam packers_;
  std::vector<std::unique_ptr<Box>> boxes_;
};

}  // namespace tessera
