"""Meshes from meshio and PyVista as files that scenes can name."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np

from . import _core

__all__ = ["surface_file", "volume_file"]


def _cells(mesh: Any) -> dict[str, np.ndarray]:
    """Cells by type, of a mesh of meshio or a grid of PyVista."""
    if hasattr(mesh, "cells_dict"):
        names = {5: "triangle", 9: "quad", 10: "tetra", 12: "hexahedron"}
        return {names.get(kind, str(kind)): np.asarray(cells) for kind, cells in mesh.cells_dict.items()}
    if hasattr(mesh, "faces"):  # PolyData of PyVista: a count before each face
        faces, found, at = np.asarray(mesh.faces), {3: [], 4: []}, 0  # type: dict[int, list[Any]]
        while at < len(faces):
            size = int(faces[at])
            if size not in found:
                raise _core.InputError(f"mesh: has a face of {size} corners; triangles and quads can be read")
            found[size].append(faces[at + 1:at + 1 + size])
            at += 1 + size
        return {name: np.array(found[size]) for size, name in ((3, "triangle"), (4, "quad")) if found[size]}
    raise _core.InputError(f"mesh: must be of meshio or PyVista, not a {type(mesh).__name__}")


def _points(mesh: Any) -> np.ndarray:
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
    """Writes tetrahedra and hexahedra of a mesh for `shapes.File(path=...)`, with its sets of points; gives the path."""
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
