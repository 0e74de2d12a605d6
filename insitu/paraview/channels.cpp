// SPDX-License-Identifier: MIT
#include "insitu/paraview/channels.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <type_traits>
#include <utility>
#include <variant>

#include "insitu/paraview/ranges.hpp"

namespace tessera {
namespace {

/// Values of ours as an array of VTK's. VTK's arrays take pointers to what may be written; nobody
/// writes to the arrays of a source. The ranges are looked up if they are not known.
template <class Array, std::size_t components = 1, class Value>
vtkSmartPointer<Array> borrowed(char const* name, Value const* values, std::size_t count,
                                ValueRange const* known_ranges = nullptr) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetArray(const_cast<Value*>(values), static_cast<vtkIdType>(count), 1);
  if (count == 0) return array;
  if (known_ranges != nullptr) {
    note_ranges<components>(array, known_ranges);
  } else {
    note_ranges<components>(array, ranges_of<Value, components>(values, count).data());
  }
  return array;
}

vtkSmartPointer<vtkTypeInt64Array> one_number(char const* name, std::int64_t value) {
  auto array = vtkSmartPointer<vtkTypeInt64Array>::New();
  array->SetName(name);
  array->InsertNextValue(value);
  return array;
}

void add_numbers(Frame const& frame, vtkDataObject* to) {
  to->GetFieldData()->AddArray(one_number("step", frame.step));
  to->GetFieldData()->AddArray(one_number("in_si", frame.in_si ? 1 : 0));
}

vtkSmartPointer<vtkImageData> image(Frame const& frame, ImageBlock const& block) {
  auto grid = vtkSmartPointer<vtkImageData>::New();
  int extent[6];
  for (Axis a : all_axes) {
    extent[2 * index_of(a)] = static_cast<int>(block.lower[a]);
    extent[2 * index_of(a) + 1] = static_cast<int>(block.lower[a] + block.shape[a]);
  }
  grid->SetExtent(extent);
  grid->SetSpacing(frame.spacing, frame.spacing, frame.spacing);
  auto const voxels = static_cast<std::size_t>(volume(block.shape));
  vtkCellData* const cells = grid->GetCellData();
  FieldRanges const* const known = block.ranges ? &*block.ranges : nullptr;
  cells->AddArray(borrowed<vtkFloatArray, 3>("velocity", block.velocity, 3 * voxels,
                                             known ? known->velocity.data() : nullptr));
  cells->AddArray(borrowed<vtkFloatArray>("pressure", block.pressure, voxels,
                                          known ? known->pressure.data() : nullptr));
  cells->AddArray(borrowed<vtkFloatArray>("density", block.density, voxels,
                                          known ? known->density.data() : nullptr));
  cells->AddArray(borrowed<vtkIntArray>("tile", block.tile, voxels));
  cells->AddArray(borrowed<vtkUnsignedCharArray>("solid", block.solid, voxels));
  cells->AddArray(borrowed<vtkUnsignedCharArray>("vtkGhostType", block.ghost, voxels));
  add_numbers(frame, grid);
  return grid;
}

/// VTK's arrays by what is in them.
template <class Value>
using ArrayOf = std::conditional_t<
    std::is_same_v<Value, float>, vtkFloatArray,
    std::conditional_t<std::is_same_v<Value, std::int32_t>, vtkIntArray, vtkUnsignedCharArray>>;

void add_fields(std::span<Field const> fields, vtkDataSetAttributes* to) {
  for (Field const& field : fields) {
    std::visit(
        [&]<class Value>(std::span<Value const> values) {
          char const* const name = field.name.c_str();
          if constexpr (std::is_same_v<Value, float>) {  // what vectors are of
            if (field.components == 3) {
              to->AddArray(borrowed<vtkFloatArray, 3>(name, values.data(), values.size()));
              return;
            }
          }
          to->AddArray(borrowed<ArrayOf<Value>>(name, values.data(), values.size()));
        },
        field.values);
  }
}

vtkSmartPointer<vtkUnstructuredGrid> grid_of_cells(Frame const& frame, MeshBlock const& block) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkPoints> points;
  points->SetData(
      borrowed<vtkDoubleArray, 3>("points", block.points.front().data(), 3 * block.points.size()));
  grid->SetPoints(points);
  vtkNew<vtkCellArray> cells;
  cells->SetData(
      block.corners,
      borrowed<vtkTypeInt64Array>(
          "cells", reinterpret_cast<vtkTypeInt64 const*>(block.cells.data()), block.cells.size()));
  grid->SetCells(block.corners == 4 ? VTK_QUAD : VTK_HEXAHEDRON, cells);
  add_fields(block.of_points, grid->GetPointData());
  add_fields(block.of_cells, grid->GetCellData());
  add_numbers(frame, grid);
  return grid;
}

vtkSmartPointer<vtkDoubleArray> column(char const* name, double value, bool is_here) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  if (is_here) array->InsertNextValue(value);
  return array;
}

}  // namespace

vtkSmartPointer<vtkPartitionedDataSet> fluid_channel(Frame const& frame) {
  auto parts = vtkSmartPointer<vtkPartitionedDataSet>::New();
  parts->SetNumberOfPartitions(static_cast<unsigned>(frame.blocks.size() + frame.cells.size()));
  unsigned part = 0;
  for (ImageBlock const& block : frame.blocks) parts->SetPartition(part++, image(frame, block));
  for (MeshBlock const& block : frame.cells)
    parts->SetPartition(part++, grid_of_cells(frame, block));
  return parts;
}

vtkSmartPointer<vtkPolyData> walls_channel(Frame const& frame) {
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  if (frame.walls == nullptr) return surface;
  WallSurface const& walls = *frame.walls;
  vtkNew<vtkPoints> points;
  points->SetData(borrowed<vtkFloatArray, 3>("points", walls.points.data(), walls.points.size()));
  surface->SetPoints(points);
  vtkNew<vtkCellArray> quads;
  static_assert(sizeof(vtkTypeInt64) == sizeof(std::int64_t));
  quads->SetData(4, borrowed<vtkTypeInt64Array>(
                        "quads", reinterpret_cast<vtkTypeInt64 const*>(walls.quads.data()),
                        walls.quads.size()));
  surface->SetPolys(quads);
  surface->GetCellData()->AddArray(borrowed<vtkFloatArray, 3>(
      "wall_shear_stress", walls.wall_shear_stress.data(), walls.wall_shear_stress.size()));
  return surface;
}

vtkSmartPointer<vtkTable> monitor_channel(Frame const& frame) {
  auto table = vtkSmartPointer<vtkTable>::New();
  for (auto const& [name, value] : columns_of(frame))
    table->AddColumn(column(name, value, frame.monitor_is_here));
  return table;
}

vtkSmartPointer<vtkUnstructuredGrid> tiles_channel(Frame const& frame) {
  auto boxes = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkIntArray> tile, domain, worker;
  vtkNew<vtkDoubleArray> seconds;
  vtkNew<vtkTypeInt64Array> nodes;
  tile->SetName("tile");
  domain->SetName("domain");
  worker->SetName("worker");
  seconds->SetName("seconds");
  nodes->SetName("nodes");
  boxes->Allocate(static_cast<vtkIdType>(frame.tiles.size()));
  for (TileRow const& row : frame.tiles) {
    vtkIdType corners[8];
    for (int c = 0; c < 8; ++c) {  // VTK_VOXEL: x fastest
      Int3 const at{(c & 1) != 0 ? row.upper.x : row.lower.x,
                    (c & 2) != 0 ? row.upper.y : row.lower.y,
                    (c & 4) != 0 ? row.upper.z : row.lower.z};
      corners[c] = points->InsertNextPoint(frame.spacing * static_cast<double>(at.x),
                                           frame.spacing * static_cast<double>(at.y),
                                           frame.spacing * static_cast<double>(at.z));
    }
    boxes->InsertNextCell(VTK_VOXEL, 8, corners);
    tile->InsertNextValue(row.tile);
    domain->InsertNextValue(row.domain);
    worker->InsertNextValue(row.worker);
    seconds->InsertNextValue(row.seconds);
    nodes->InsertNextValue(row.nodes);
  }
  boxes->SetPoints(points);
  for (vtkDataArray* array :
       {static_cast<vtkDataArray*>(tile), static_cast<vtkDataArray*>(domain),
        static_cast<vtkDataArray*>(worker), static_cast<vtkDataArray*>(seconds),
        static_cast<vtkDataArray*>(nodes)})
    boxes->GetCellData()->AddArray(array);
  return boxes;
}

}  // namespace tessera
