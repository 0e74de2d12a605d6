// SPDX-License-Identifier: MIT
#include "run/insitu/scene_frames.hpp"

#include <utility>
#include <vector>

#include "models/lattice/units.hpp"

namespace tessera {

void SceneFrames::begin(Scene scene) { scene_ = std::move(scene); }

Frame SceneFrames::frame_of(RunningFlow& flow) const {
  Frame frame;
  frame.step = flow.steps();
  frame.time = time_of(flow);
  if (VoxelScene const* const scene = voxels()) {
    frame.shape = scene->shape;
    frame.spacing = scene->units.spacing;
    frame.in_si = scene->units.in_si;
  }
  return frame;
}

void SceneFrames::add_units(MonitorRow& row) const {
  if (voxels() == nullptr || !voxels()->units.in_si) return;
  double const spacing = voxels()->units.spacing;
  row.k_m2 = row.k_lattice * spacing * spacing;
  row.k_mD = row.k_m2 / millidarcy_m2;
}

void SceneFrames::forget() {
  parts_.reset();
  walls_.reset();
}

std::int64_t SceneFrames::fill(RunningFlow& flow, std::size_t set, Frame& frame) {
  auto const* const cells = std::get_if<CellScene>(&scene_);
  return cells != nullptr ? cells->fill(flow, set, frame)
                          : fill_voxels(dynamic_cast<NodeFlow&>(flow), set, frame);
}

void SceneFrames::add_walls(Frame& frame) {
  ImageBlock const& image = frame.blocks.front();
  VoxelScene const& scene = *voxels();
  FieldUnits const& units = scene.units;
  if (!walls_)
    walls_ = std::make_unique<Walls>(image, scene.walls, units.spacing, parts_->beyond());
  std::vector<double> factors;
  if (scene.wall_factors) factors = scene.wall_factors(frame.step);
  frame.walls = &walls_->update(image, units.dynamic_viscosity(), factors);
}

std::int64_t SceneFrames::fill_voxels(NodeFlow& flow, std::size_t set, Frame& frame) {
  if (!parts_) parts_ = std::make_unique<FrameParts>(*voxels());
  parts_->take([&](FrameParts::Visit const& visit) { flow.visit_snapshots(set, visit); });
  frame.blocks = {parts_->block()};
  return flow.nodes() * static_cast<std::int64_t>(sizeof(NodeState));
}

double SceneFrames::time_of(RunningFlow& flow) const {
  if (auto const* const cells = std::get_if<CellScene>(&scene_)) return cells->time(flow);
  auto const steps = static_cast<double>(flow.steps());
  return voxels()->iterates ? steps : steps * voxels()->units.time;
}

}  // namespace tessera
