"""Reads frames.pvd and its .vtu files in a folder with VTK's own reader and tells what it found, as JSON."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def tell(path: Path, timestep: float) -> dict:
    reader = vtkXMLUnstructuredGridReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(str(path))
    reader.Update()
    if errors:
        sys.exit(f"{path}: VTK refuses it")
    grid = reader.GetOutput()
    points, cells = grid.GetPointData(), grid.GetCellData()
    body = cells.GetArray("body")
    names = grid.GetFieldData().GetAbstractArray("body_names")
    unbounded = grid.GetFieldData().GetArray("body_unbounded")
    return {
        "points": grid.GetNumberOfPoints(),
        "cells": grid.GetNumberOfCells(),
        "timestep": timestep,
        "time": grid.GetFieldData().GetArray("TimeValue").GetValue(0),
        "body_names": [names.GetValue(i) for i in range(names.GetNumberOfValues())],
        "body_unbounded": [unbounded.GetValue(i) for i in range(unbounded.GetNumberOfTuples())],
        "bodies": sorted({body.GetValue(i) for i in range(body.GetNumberOfTuples())}),
        "point_fields": [points.GetArrayName(i) for i in range(points.GetNumberOfArrays())],
        "cell_fields": [cells.GetArrayName(i) for i in range(cells.GetNumberOfArrays())],
        "displacement_of_point_3": points.GetArray("displacement").GetTuple(3),
    }


folder = Path(sys.argv[1])
frames = ElementTree.parse(folder / "frames.pvd").getroot().iter("DataSet")
print(json.dumps([tell(folder / frame.get("file"), float(frame.get("timestep"))) for frame in frames]))
