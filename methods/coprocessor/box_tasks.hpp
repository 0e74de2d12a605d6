// SPDX-License-Identifier: MIT
// The tasks of a box: cells arrive, a step of a slab, cells leave.
#pragma once

#include <span>
#include <vector>

#include "graph/tasks/submit.hpp"
#include "methods/coprocessor/box_models.hpp"
#include "methods/coprocessor/box_parts.hpp"
#include "methods/coprocessor/box_shape.hpp"

namespace tessera {

/// The populations of a box at a step, slab by slab.
using BoxSlabs = std::vector<DataHandle>;

/// Shape and method of a box; outlives its tasks.
struct BoxDescription {
  BoxShape shape{};
  BoxMethod method;
};

/// Cells in transfer.
struct Travel {
  ForeignCell cell;
  BoxParts parts;
};

/// Writes transferred cells into the box. `all`: all cells of the box are transferred, which has no
/// content yet.
void submit_take_parts(BoxDescription const& box, Travel const& travel, DataHandle const& piece,
                       BoxSlabs const& populations, bool all, Placement const& placement);

/// Computes all cells except the margin, from the old populations.
void submit_box_step(BoxDescription const& box, BoxSlabs const& old, BoxSlabs const& next,
                     Placement const& placement);

/// Writes cells of the box into the piece that is transferred.
void submit_give_parts(BoxDescription const& box, Travel const& travel, BoxSlabs const& populations,
                       DataHandle const& piece, Placement const& placement);

}  // namespace tessera
