// SPDX-License-Identifier: MIT
// Boxes that the processes of a run send each other stage by stage. A box has two data, for even
// and for odd stages, and a number among the boxes of all ranks that is the same at both ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/tasks/data_handle.hpp"

namespace tessera {

/// The two data of a box, by parity of the stage.
using StageBox = std::array<DataHandle, 2>;

/// Sends what stands in an own box before a stage to another rank.
void submit_send(StageBox const& box, std::int64_t number, int rank, std::int64_t stage);

/// Boxes of other ranks, as this rank receives them.
class RankInboxes {
 public:
  /// Adds a box of so many values: its number, the rank that sends it.
  void add(std::int64_t number, int rank, std::size_t values, std::size_t bytes_of_value);
  void clear() { boxes_.clear(); }
  std::size_t count() const { return boxes_.size(); }
  /// Bytes of the buffers of all boxes.
  std::size_t bytes() const;

  /// The datum of box i, in the order of adding, that holds what a stage reads.
  DataHandle const& at(std::size_t i, std::int64_t stage) const;
  /// Receives box i for a stage, unless that has been submitted already for this stage or a later
  /// one: in a sweep one reader may be a stage ahead of another.
  void submit_receive(std::size_t i, std::int64_t stage);
  /// Stages may begin with another number from now on.
  void forget_stages();

 private:
  struct Coming {
    StageBox box;
    std::int64_t number;
    int rank;
    std::int64_t received = -1;  ///< for the stages up to this one
  };

  std::vector<Coming> boxes_;
};

}  // namespace tessera
