// SPDX-License-Identifier: MIT
// The messages of a step alone: data of the size of the tiles' outboxes travel between ranks as in
// a flow, but tasks that do nothing stand where tiles are computed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/home.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

class MessageLoop {
 public:
  /// All ranks: of the tiles of a flow, each where it is now. `bytes_of_value`: of a population.
  MessageLoop(FlowGraph const& flow, std::size_t bytes_of_value);

  /// All ranks: so many steps; returns the seconds they take here.
  double run(std::int64_t steps);

  std::size_t messages_sent() const { return sends_.size(); }  ///< a step
  std::size_t bytes_sent() const { return bytes_sent_; }
  std::size_t bytes_received() const { return bytes_received_; }

 private:
  struct Letter {
    std::array<DataHandle, 2> data;  ///< by parity of the step
    std::int32_t rank = 0;           ///< that it goes to, or comes from
    std::int32_t tile = 0;           ///< that sends it, among those of all ranks
  };
  struct TileLetters {
    std::vector<std::size_t> sends;     ///< of sends_
    std::vector<std::size_t> receives;  ///< of receives_
    std::unique_ptr<Home> home;
  };

  Letter letter(std::int32_t rank, std::int32_t tile, std::uint32_t values) const;
  /// What a tile has received it reads, if so, and then writes what it sends in the next step.
  void submit_tiles(bool read, std::size_t now);
  void submit_step();

  std::size_t bytes_of_value_;
  std::vector<Letter> sends_;
  std::vector<Letter> receives_;
  std::vector<TileLetters> tiles_;
  std::int64_t steps_ = 0;
  std::size_t bytes_sent_ = 0;
  std::size_t bytes_received_ = 0;
};

}  // namespace tessera
