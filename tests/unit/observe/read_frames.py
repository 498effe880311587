"""Reads frames.pvd and its .vtu files in a folder with `vtk` or `meshio` and tells what it found, as JSON."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def names_in(text: bytes) -> list:
    return text.decode().split("\0")[:-1]


def by_vtk(path: Path) -> dict:
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    reader = vtkXMLUnstructuredGridReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(str(path))
    reader.Update()
    if errors:
        sys.exit(f"{path}: VTK refuses it")
    grid = reader.GetOutput()
    points, cells = grid.GetPointData(), grid.GetCellData()

    def values(name: str) -> list:
        array = grid.GetFieldData().GetArray(name)
        return [array.GetValue(i) for i in range(array.GetNumberOfValues())]

    body = cells.GetArray("body")
    return {
        "points": grid.GetNumberOfPoints(),
        "cells": grid.GetNumberOfCells(),
        "time": values("TimeValue")[0],
        "body_names": names_in(bytes(values("body_names"))),
        "body_unbounded": values("body_unbounded"),
        "bodies": sorted({body.GetValue(i) for i in range(body.GetNumberOfTuples())}),
        "point_fields": [points.GetArrayName(i) for i in range(points.GetNumberOfArrays())],
        "cell_fields": [cells.GetArrayName(i) for i in range(cells.GetNumberOfArrays())],
        "displacement_of_point_3": points.GetArray("displacement").GetTuple(3),
    }


def by_meshio(path: Path) -> dict:
    import meshio

    mesh = meshio.read(path)
    return {
        "points": len(mesh.points),
        "cells": sum(len(block.data) for block in mesh.cells),
        "time": float(mesh.field_data["TimeValue"].item()),
        "body_names": names_in(bytes(mesh.field_data["body_names"])),
        "body_unbounded": mesh.field_data["body_unbounded"].ravel().tolist(),
        "bodies": sorted({int(b) for block in mesh.cell_data["body"] for b in block.ravel()}),
        "point_fields": list(mesh.point_data),
        "cell_fields": list(mesh.cell_data),
        "displacement_of_point_3": mesh.point_data["displacement"][3].tolist(),
    }


tell = {"vtk": by_vtk, "meshio": by_meshio}[sys.argv[1]]
folder = Path(sys.argv[2])
frames = ElementTree.parse(folder / "frames.pvd").getroot().iter("DataSet")
print(json.dumps([{"timestep": float(f.get("timestep")), **tell(folder / f.get("file"))} for f in frames]))
