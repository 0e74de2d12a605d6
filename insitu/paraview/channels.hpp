// SPDX-License-Identifier: MIT
// Frames as VTK's data objects. Arrays are not copied: they are valid as long as the frame.
#pragma once

#include <vtkPartitionedDataSet.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include "insitu/frame.hpp"

namespace tessera {

/// Images with cell data velocity, pressure, density, tile, solid, vtkGhostType; or cells with
/// their fields. Field data step and in_si (1, or 0: the flow's own units).
vtkSmartPointer<vtkPartitionedDataSet> fluid_channel(Frame const& frame);
/// Quadrangles with cell data wall_shear_stress.
vtkSmartPointer<vtkPolyData> walls_channel(Frame const& frame);
/// One row, or on other ranks none, a column for each number of MonitorRow, and step and time.
vtkSmartPointer<vtkTable> monitor_channel(Frame const& frame);
/// A box for each tile with cell data tile, domain, worker, seconds, nodes.
vtkSmartPointer<vtkUnstructuredGrid> tiles_channel(Frame const& frame);

}  // namespace tessera
