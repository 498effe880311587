"""Meshes of meshio, VTK and PyVista as files that scenes can name."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np

from . import _core

__all__ = ["surface_file", "volume_file"]


_NAMES = {5: "triangle", 9: "quad", 10: "tetra", 12: "hexahedron"}  # of cells in VTK's numbers


def _cells(mesh: Any) -> dict[str, np.ndarray]:
    """Cells by type, of a mesh of meshio or a data set of VTK; those of PyVista are such."""
    if hasattr(mesh, "GetPolys"):
        return _of_vtk(mesh.GetPolys(), lambda sizes: np.select([sizes == 3, sizes == 4], [5, 9], 7))
    if hasattr(mesh, "GetCellTypesArray"):
        from vtkmodules.util.numpy_support import vtk_to_numpy

        return _of_vtk(mesh.GetCells(), lambda sizes: vtk_to_numpy(mesh.GetCellTypesArray()))
    if hasattr(mesh, "cells_dict"):
        return {name: np.asarray(cells) for name, cells in mesh.cells_dict.items()}
    raise _core.InputError(f"mesh: must be of meshio, VTK or PyVista, not a {type(mesh).__name__}")


def _of_vtk(cells: Any, types_of: Any) -> dict[str, np.ndarray]:
    from vtkmodules.util.numpy_support import vtk_to_numpy

    offsets = vtk_to_numpy(cells.GetOffsetsArray()).astype(np.int64)
    corners, sizes = vtk_to_numpy(cells.GetConnectivityArray()), np.diff(offsets)
    types = types_of(sizes)
    return {_NAMES.get(int(kind), f"cells of VTK's type {kind}"):
            np.stack([corners[begin:begin + size] for begin, size in zip(offsets[:-1][types == kind], sizes[types == kind])])
            for kind in np.unique(types) if len(set(sizes[types == kind])) == 1}


def _points(mesh: Any) -> np.ndarray:
    if not hasattr(mesh, "GetPoints") and not hasattr(mesh, "points"):
        raise _core.InputError(f"mesh: must be of meshio, VTK or PyVista, not a {type(mesh).__name__}")
    if hasattr(mesh, "GetPoints"):
        from vtkmodules.util.numpy_support import vtk_to_numpy

        points = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
    else:
        points = np.asarray(mesh.points, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise _core.InputError(f"mesh: must have points of three coordinates, not an array of shape {points.shape}")
    if not np.isfinite(points).all():
        raise _core.InputError("mesh: must have finite coordinates")
    return points


def _checked(cells: np.ndarray, points: np.ndarray) -> np.ndarray:
    if cells.size and not (0 <= cells.min() and cells.max() < len(points)):
        raise _core.InputError(f"mesh: has cells of points that are not among its {len(points)}")
    return cells


def volume_file(mesh: Any, path: str | os.PathLike[str]) -> str:
    """Writes tetrahedra and hexahedra of a mesh for `shapes.SolidMesh(file=...)`, with its sets of points; gives the path."""
    points, cells = _points(mesh), _cells(mesh)
    kinds = {name: code for name, code in (("tetra", "C3D4"), ("hexahedron", "C3D8")) if len(cells.get(name, ()))}
    if not kinds:
        raise _core.InputError(f"mesh: has no tetrahedra and no hexahedra, only {', '.join(cells) or 'nothing'}")
    path = pathlib.Path(path).with_suffix(".inp")
    with open(path, "w", encoding="utf-8") as out:
        out.write("*NODE\n")
        for i, point in enumerate(points, 1):
            out.write(f"{i}, " + ", ".join(repr(float(x)) for x in point) + "\n")
        number = 1
        for name, code in kinds.items():
            out.write(f"*ELEMENT, TYPE={code}\n")
            for cell in _checked(cells[name], points):
                out.write(f"{number}, " + ", ".join(str(int(node) + 1) for node in cell) + "\n")
                number += 1
        for name, nodes in getattr(mesh, "point_sets", {}).items():
            out.write(f"*NSET, NSET={name}\n")
            nodes = [int(node) + 1 for node in nodes]
            for at in range(0, len(nodes), 12):
                out.write(", ".join(map(str, nodes[at:at + 12])) + "\n")
    return str(path)


def surface_file(mesh: Any, path: str | os.PathLike[str]) -> str:
    """Writes the triangles of a mesh (quads as two) for shells and convex bodies; gives the path."""
    points, cells = _points(mesh), _cells(mesh)
    triangles = [_checked(cells["triangle"], points)] if len(cells.get("triangle", ())) else []
    if len(cells.get("quad", ())):
        quads = _checked(cells["quad"], points)
        triangles += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    if not triangles:
        raise _core.InputError(f"mesh: has no triangles, only {', '.join(cells) or 'nothing'}")
    path = pathlib.Path(path).with_suffix(".obj")
    with open(path, "w", encoding="utf-8") as out:
        for point in points:
            out.write("v " + " ".join(repr(float(x)) for x in point) + "\n")
        for triangle in np.concatenate(triangles):
            out.write("f " + " ".join(str(int(node) + 1) for node in triangle) + "\n")
    return str(path)
