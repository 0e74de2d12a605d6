// SPDX-License-Identifier: MIT
#include "case/gas/gas_in_situ.hpp"

#include <fmt/format.h>

#include <memory>

#include "case/gas/gas_fields.hpp"
#include "case/gas/gas_flow.hpp"
#include "case/in_situ_asked.hpp"
#include "insitu/linear_cells.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// The fields of a frame, on linear cells: all of ParaView is quick with these.
class GasFrame {
 public:
  GasFrame(GasCase const& c, GasSetup const& setup)
      : state_(setup.of), fields_(setup.of.mesh, c.gas.r), linear_(fields_.cells()) {
    for (std::size_t e = 0; e < setup.of.mesh.elements(); ++e)
      degree_.insert(degree_.end(), linear_.cells_of(e), setup.of.mesh.degree[e]);
  }

  std::int64_t fill(GasFlow& flow, std::size_t set, Frame& frame) {
    std::int64_t const bytes = flow.take_snapshots(set, state_);
    fields_.take(state_);
    frame.cells = {{.corners = linear_.corners(),
                    .points = fields_.cells().points,
                    .cells = linear_.connections(),
                    .of_points = fields_.of_points(),
                    .of_cells = {{"degree", 1, std::span<std::uint8_t const>(degree_)}}}};
    return bytes;
  }

 private:
  GasState state_;
  GasFields fields_;
  LinearCells linear_;
  std::vector<std::uint8_t> degree_;
};

GasFlow& gas(RunningFlow& flow) { return dynamic_cast<GasFlow&>(flow); }

}  // namespace

InSituOptions in_situ_options(GasCase const& c) {
  InSituOptions options = in_situ_asked(c.file, c.insitu);
  for (Script const& script : options.scripts) {
    if (!script.file.empty()) continue;
    throw BadInput(fmt::format(
        "{} {}: it looks at voxels, which method = \"spectral\" has none of: expected a "
        "script, such as examples/spectral/bump/mach.py",
        options.asked_by, script.name));
  }
  return options;
}

Scene scene_of(GasCase const& c, GasSetup const& setup) {
  Scene scene;
  scene.cells = {.time = [](RunningFlow& flow) { return gas(flow).next_clock().time; },
                 .fill =
                     [&c, &setup, frame_of = std::shared_ptr<GasFrame>()](
                         RunningFlow& flow, std::size_t set, Frame& frame) mutable {
                       if (!frame_of) frame_of = std::make_shared<GasFrame>(c, setup);
                       return frame_of->fill(gas(flow), set, frame);
                     }};
  return scene;
}

}  // namespace tessera
