// SPDX-License-Identifier: MIT
// The fields of a flow that has ended, taken from its nodes and written.
#pragma once

#include <filesystem>
#include <optional>

#include "permeability/flows/axis_flow.hpp"
#include "permeability/report/answer_files.hpp"
#include "run/fields/spread_fields.hpp"
#include "run/fields/state_fields.hpp"

namespace tessera {

/// Whole on rank 0, or spread: each rank holds the layers of its part of the image. All functions
/// are collective. What fails is reported by `files`, which go on without it.
class EndFields {
 public:
  enum class Held { whole, spread };

  /// The fields have the image's shape and these units. The flow and `files` must outlive it.
  EndFields(AxisFlow& flow, Int3 image_shape, FieldUnits const& units, Held held,
            AnswerFiles& files);

  /// Makes room for the fields. Where memory does not suffice on one rank, no rank has them.
  void allocate();
  /// Visits each node of the flow once, and fills the fields if there is room. Returns the largest
  /// speed of any node, lattice units.
  double take();
  /// Writes them, if there are any, to the flow's file of fields.
  void write();

  bool exist() const;
  /// Nothing where they are spread, or on another rank.
  StateFields const* whole() const { return whole_ ? &*whole_ : nullptr; }

 private:
  void allocate_spread();
  double take_spread();

  AxisFlow& flow_;
  Int3 shape_;
  FieldUnits units_;
  Held held_;
  AnswerFiles& files_;
  std::filesystem::path file_;
  std::optional<StateFields> whole_;
  std::optional<SpreadFields> spread_;
};

}  // namespace tessera
