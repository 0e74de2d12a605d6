// SPDX-License-Identifier: MIT
// The data of one look at the running flow: the four channels of scripts.
//
// Everything is in SI units; without a voxel size in lattice units (spacing 1, step 1, density 1).
// Pointers are borrowed: they are valid while the frame is being analysed. Each of several ranks
// has a frame of its own part; blocks then have a ghost layer (insitu/frame_fields.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/box.hpp"
#include "io/fields/field.hpp"

namespace tessera {

/// Values of the cell array vtkGhostType (vtkDataSetAttributes::CellGhostTypes).
inline constexpr std::uint8_t duplicate_cell = 1;  ///< another rank owns it
inline constexpr std::uint8_t hidden_cell = 32;    ///< not part of the grid: a solid voxel

/// Smallest and largest value.
using ValueRange = std::array<double, 2>;

/// Ranges of the fields of a block that change from frame to frame.
struct FieldRanges {
  std::array<ValueRange, 4> velocity{};  ///< x, y, z, and of the magnitude
  std::array<ValueRange, 1> pressure{};
  std::array<ValueRange, 1> density{};
};

/// A brick of voxels with its cell data, x fastest.
struct ImageBlock {
  Int3 lower;  ///< first voxel, in voxels of the image
  Int3 shape;
  float const* velocity = nullptr;      ///< x, y, z of each voxel, m/s
  float const* pressure = nullptr;      ///< Pa, without the mean gradient
  float const* density = nullptr;       ///< kg/m^3
  std::int32_t const* tile = nullptr;   ///< -1 in solid
  std::uint8_t const* solid = nullptr;  ///< 1 solid, 0 pore
  std::uint8_t const* ghost = nullptr;  ///< vtkGhostType
  std::optional<FieldRanges> ranges;    ///< if they are known
};

/// An unstructured mesh, with fields on its points and cells.
struct MeshBlock {
  int corners = 4;  ///< of each cell: 4 quadrangles, 8 hexahedra
  std::span<std::array<double, 3> const> points;
  std::span<std::int64_t const> cells;  ///< the corners of each, in VTK's order
  std::vector<Field> of_points;
  std::vector<Field> of_cells;
};

/// The quadrangles between fluid and solid voxels.
struct WallSurface {
  std::vector<float> points;             ///< x, y, z of each, m
  std::vector<std::int64_t> quads;       ///< four points each
  std::vector<float> wall_shear_stress;  ///< x, y, z for each quadrangle, Pa
  std::vector<std::int8_t> normal;       ///< x, y, z for each quadrangle, into the fluid
  std::size_t size() const { return quads.size() / 4; }
};

/// One row of numbers. Numbers that are not known yet are NaN.
struct MonitorRow {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double measured_at_step = unknown;  ///< a little before the step of the frame
  double k_lattice = unknown;         ///< voxels squared
  double k_m2 = unknown;
  double k_mD = unknown;            // NOLINT(readability-identifier-naming): the unit
  double error_estimate = unknown;  ///< relative, of k
  double force_balance = unknown;   ///< drag on the walls over the driving force
  double reynolds = unknown;
  double change = unknown;     ///< relative, of the velocities, at the last comparison
  double mass = unknown;       ///< of all fluid nodes, over its initial value
  double mflups = unknown;     ///< since the frame before
  double imbalance = unknown;  ///< of the workers since the frame before: busiest over mean, less 1
};

/// One tile: the box around its blocks, and its activity since the frame before.
struct TileRow {
  Int3 lower;  ///< in voxels of the image; may reach beyond it
  Int3 upper;
  std::int32_t tile = 0;
  std::int32_t domain = 0;   ///< memory that it lies in
  std::int32_t worker = -1;  ///< that computed it last; -1: none yet
  double seconds = 0;        ///< in its steps
  std::int64_t nodes = 0;
};

struct Frame {
  std::int64_t step = 0;
  double time = 0;                     ///< s
  Int3 shape;                          ///< of the image, voxels
  double spacing = 1;                  ///< edge of a voxel, m; the image begins at the origin
  bool in_si = false;                  ///< else in lattice units, the edge of a voxel is 1
  std::vector<ImageBlock> blocks;      ///< channel fluid; none if no script uses it
  std::vector<MeshBlock> cells;        ///< channel fluid of a flow without voxels
  WallSurface const* walls = nullptr;  ///< channel walls; none if no script uses it
  MonitorRow monitor;                  ///< channel monitor
  bool monitor_is_here = true;         ///< only one of several ranks has the row
  std::vector<TileRow> tiles;          ///< channel tiles
};

/// The row of the channel monitor: names and numbers.
inline std::array<std::pair<char const*, double>, 13> columns_of(Frame const& frame) {
  MonitorRow const& row = frame.monitor;
  return {{{"step", static_cast<double>(frame.step)},
           {"time", frame.time},
           {"measured_at_step", row.measured_at_step},
           {"k_lattice", row.k_lattice},
           {"k_m2", row.k_m2},
           {"k_mD", row.k_mD},
           {"error_estimate", row.error_estimate},
           {"force_balance", row.force_balance},
           {"reynolds", row.reynolds},
           {"change", row.change},
           {"mass", row.mass},
           {"mflups", row.mflups},
           {"imbalance", row.imbalance}}};
}

}  // namespace tessera
