# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A plot of the permeability and its estimated error against the step.

Arguments: --width PIXELS (900).
"""
import argparse
import math

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import from_first
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkCommonDataModel import vtkTable

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--width", type=int, default=900)
arguments = parser.parse_args(catalyst.get_args())

monitor = TrivialProducer(registrationName="monitor")
seen = []  # rows of the monitor: each frame brings one
series = TrivialProducer(registrationName="series")


def chart(title):
    view = CreateView("XYChartView")
    view.ViewSize = [arguments.width, arguments.width // 2]
    view.ChartTitle, view.BottomAxisTitle, view.ShowLegend = title, "step", 0
    view.ChartTitleFontSize = 18
    return view


def extract(view, name):
    picture = CreateExtractor("PNG", view, registrationName=name)
    picture.Trigger = "TimeStep"
    picture.Writer.FileName = name + "_{timestep:07d}.png"
    picture.Writer.ImageResolution = view.ViewSize


permeability = chart("permeability")
extract(permeability, "permeability")
error = chart("estimated relative error of the permeability")
error.LeftAxisLogScale = 1
extract(error, "error")
lines = []

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def row(info):
    monitor.UpdatePipeline(info.time)
    columns = servermanager.Fetch(monitor)
    names = "measured_at_step", "k_mD", "k_lattice", "error_estimate"
    there = columns is not None and columns.GetNumberOfRows() > 0  # in the first process
    own = [columns.GetColumnByName(name).GetValue(0) for name in names] if there else []
    step, in_md, in_voxels, error = from_first(own, len(names))
    return (step, in_voxels, error, "k_lattice") if math.isnan(in_md) else (step, in_md, error, "k_mD")


def table_of(rows):
    table = vtkTable()
    for at, name in enumerate(["step", "k", "error"]):
        column = vtkDoubleArray()
        column.SetName(name)
        for values in rows:
            column.InsertNextValue(values[at])
        table.AddColumn(column)
    return table


def catalyst_execute(info):
    latest = row(info)
    if not math.isnan(latest[0]) and (not seen or seen[-1][0] < latest[0]):
        seen.append(latest)
    if len(seen) < 2:
        return
    permeability.LeftAxisTitle = "k in " + {"k_mD": "mD", "k_lattice": "voxels squared"}[latest[3]]
    series.GetClientSideObject().SetOutput(table_of(seen))
    series.MarkModified(series.SMProxy)
    series.UpdatePipeline(info.time)
    if not lines:
        for view, column in (permeability, "k"), (error, "error"):
            line = Show(series, view, "XYChartRepresentation")
            line.AttributeType = "Row Data"  # in situ ParaView does not find out by itself
            line.UseIndexForXAxis, line.XArrayName = 0, "step"
            line.SeriesVisibility = [column]
            line.SeriesColor = [column, "0.15", "0.35", "0.65"]
            line.SeriesLineThickness = [column, "3"]
            line.SeriesMarkerStyle = [column, "4"]
            lines.append(line)
