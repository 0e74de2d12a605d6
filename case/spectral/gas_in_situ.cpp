// SPDX-License-Identifier: MIT
#include "case/spectral/gas_in_situ.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/errors.hpp"
#include "case/in_situ_asked.hpp"
#include "case/spectral/gas_fields.hpp"
#include "case/spectral/gas_flow.hpp"
#include "insitu/linear_cells.hpp"

namespace tessera {
namespace {

/// Some elements on linear cells: all of ParaView is quick with these.
struct MeshPart {
  MeshPart(GasCase const& c, GasSetup const& setup, std::vector<std::size_t> const& elements)
      : state(setup.of, elements),
        fields(setup.of.mesh, elements, c.gas.r),
        linear(fields.cells()) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      degree.insert(degree.end(), linear.cells_of(i), fields.degrees()[i]);
  }

  GasState state;
  GasFields fields;
  LinearCells linear;
  std::vector<std::uint8_t> degree;
};

/// The fields of a frame: of several processes each shows its own elements, which have their points
/// for themselves, so that nothing of the others' is missing.
class GasFrame {
 public:
  GasFrame(GasCase const& c, GasSetup const& setup) : case_(c), setup_(setup) {}

  std::int64_t fill(GasFlow& flow, std::size_t set, Frame& frame) {
    auto const own = elements_of(setup_.of.packs, flow.own_packs());
    if (!part_ || part_->fields.elements() != own) part_.emplace(case_, setup_, own);
    std::int64_t const bytes = flow.take_snapshots(set, part_->state);
    part_->fields.take(part_->state);
    frame.cells = {{.corners = part_->linear.corners(),
                    .points = part_->fields.cells().points,
                    .cells = part_->linear.connections(),
                    .of_points = part_->fields.of_points(),
                    .of_cells = {{"degree", 1, std::span<std::uint8_t const>(part_->degree)}}}};
    return bytes;
  }

 private:
  GasCase const& case_;
  GasSetup const& setup_;
  std::optional<MeshPart> part_;  ///< of the elements that were here last
};

GasFlow& gas(RunningFlow& flow) { return dynamic_cast<GasFlow&>(flow); }

}  // namespace

InSituOptions in_situ_options(GasCase const& c) {
  InSituOptions options = in_situ_asked(c);
  for (Script const& script : options.scripts) {
    if (!script.file.empty()) continue;
    throw BadInput(fmt::format(
        "{} {}: it looks at voxels, which method = \"spectral\" has none of: expected a "
        "script, such as examples/spectral/bump/mach.py",
        options.asked_by, script.name));
  }
  return options;
}

CellScene scene_of(GasCase const& c, GasSetup const& setup) {
  return {.time = [](RunningFlow& flow) { return gas(flow).next_clock().time; },
          .fill =
              [&c, &setup, frame_of = std::shared_ptr<GasFrame>()](
                  RunningFlow& flow, std::size_t set, Frame& frame) mutable {
                if (!frame_of) frame_of = std::make_shared<GasFrame>(c, setup);
                return frame_of->fill(gas(flow), set, frame);
              }};
}

}  // namespace tessera
