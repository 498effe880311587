"""The results of runs: tables, frames, plots, the report."""

from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core

__all__ = ["Frame", "Run", "Table", "open_run", "resume"]


class Table(Mapping[str, np.ndarray]):
    """Columns by name, each an array: `table["time"]`. What cells leave empty is NaN."""

    def __init__(self, columns: dict[str, np.ndarray]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            near = _core.nearest(name, list(self._columns))
            raise KeyError(f"no column is named '{name}'"
                           + (f", did you mean '{near}'?" if near else "")) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self) -> Any:
        """The table as a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _repr_html_(self) -> str | None:
        try:
            return self.to_pandas()._repr_html_()
        except ImportError:
            return None

    def __repr__(self) -> str:
        return f"<table of {self.rows} rows: {', '.join(self._columns)}>"


class Frame:
    """The bodies at one instant, as points, cells (in VTK's numbering) and fields."""

    def __init__(self, time: float, data: dict[str, Any]) -> None:
        self.time = time  #: s
        self.points: np.ndarray = data["points"]  #: n × 3 (m)
        self.connectivity: np.ndarray = data["connectivity"]
        self.offsets: np.ndarray = data["offsets"]  #: where the points of each cell end in connectivity
        self.types: np.ndarray = data["types"]  #: of cells: 1 point, 3 line, 5 triangle, 9 quad, 10 and 12 solids
        self.body: np.ndarray = data["body"]  #: of each cell, a number into body_names
        self.body_names: list[str] = data["body_names"]
        self.point_data: dict[str, np.ndarray] = data["point_data"]
        self.cell_data: dict[str, np.ndarray] = data["cell_data"]

    def of(self, name: str) -> np.ndarray:
        """The points of one body, n × 3 (m)."""
        if name not in self.body_names:
            near = _core.nearest(name, self.body_names)
            raise _core.InputError(f"no body is named '{name}'" + (f", did you mean '{near}'?" if near else ""))
        cells = np.flatnonzero(self.body == self.body_names.index(name))
        begins = np.concatenate([[0], self.offsets[:-1]])
        points = np.unique(np.concatenate([self.connectivity[begins[i]:self.offsets[i]] for i in cells]))
        return self.points[points]

    def to_meshio(self) -> Any:
        """The frame as a mesh of meshio."""
        import meshio

        names = {1: "vertex", 3: "line", 5: "triangle", 9: "quad", 10: "tetra", 12: "hexahedron"}
        begins = np.concatenate([[0], self.offsets[:-1]]).astype(np.int64)
        blocks, data = [], {name: [] for name in [*self.cell_data, "body"]}
        # Cells of one type that lie side by side make a block.
        for start, stop in _stretches(self.types):
            size = int(self.offsets[start] - begins[start])
            blocks.append((names[int(self.types[start])],
                           self.connectivity[begins[start]:self.offsets[stop - 1]].reshape(-1, size)))
            for name in data:
                data[name].append((self.body if name == "body" else self.cell_data[name])[start:stop])
        return meshio.Mesh(self.points, blocks, point_data=self.point_data, cell_data=data)

    def to_vtk(self) -> Any:
        """The frame as a vtkUnstructuredGrid."""
        from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkUnstructuredGrid

        points, cells, grid = vtkPoints(), vtkCellArray(), vtkUnstructuredGrid()
        points.SetData(numpy_to_vtk(self.points, deep=True))
        ends = np.concatenate([[0], self.offsets]).astype(np.int64)
        cells.SetData(numpy_to_vtkIdTypeArray(ends, deep=True),
                      numpy_to_vtkIdTypeArray(self.connectivity.astype(np.int64), deep=True))
        grid.SetPoints(points)
        grid.SetCells(numpy_to_vtk(self.types.astype(np.uint8), deep=True), cells)
        for fields, data in ((self.point_data, grid.GetPointData()), ({**self.cell_data, "body": self.body}, grid.GetCellData())):
            for name, values in fields.items():
                array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
                array.SetName(name)
                data.AddArray(array)
        return grid

    def to_pyvista(self) -> Any:
        """The frame as an unstructured grid of PyVista."""
        import pyvista

        return pyvista.wrap(self.to_vtk())

    def __repr__(self) -> str:
        return f"<frame at t = {self.time:g} s of {', '.join(self.body_names)}>"


def _stretches(values: np.ndarray) -> Iterator[tuple[int, int]]:
    ends = np.flatnonzero(np.diff(values)) + 1
    yield from zip([0, *ends], [*ends, len(values)])


class _Frames(Sequence[Frame]):
    """The frames of a run, read when they are asked for."""

    def __init__(self, folder: str) -> None:
        self._listed = _core.list_frames(folder)

    @property
    def times(self) -> np.ndarray:
        return np.array([time for time, _ in self._listed])

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        time, file = self._listed[i]
        return Frame(time, _core.read_frame(file))

    def __repr__(self) -> str:
        return f"<{len(self)} frames>"


class _Html:
    """What a notebook shows."""

    def __init__(self, data: str) -> None:
        self.data = data

    def _repr_html_(self) -> str:
        return self.data


class Run:
    """The results of a run, in a folder."""

    def __init__(self, folder: str | os.PathLike[str], *, status: str | None = None, as_expected: bool | None = None,
                 kept: Any = None) -> None:
        self.folder = pathlib.Path(folder)
        self._kept = kept  # a temporary folder goes with the last who holds it
        self.summary: dict[str, Any] = json.loads(_core.read_summary(str(self.folder)))
        #: "completed", "interrupted", "out of time" or "failed"
        self.status: str = status or self.summary["status"]
        #: whether everything that the scene expects was met; None where the run did not end
        self.as_expected = as_expected
        self._history: Table | None = None
        self._contacts: Table | None = None

    @property
    def history(self) -> Table:
        """Energies, momenta, gaps, forces and probes over time; the columns are those of history.csv."""
        if self._history is None:
            self._history = Table(_core.read_history(str(self.folder)))
        return self._history

    @property
    def contacts(self) -> Table:
        """The impulses of contacts; the columns are those of contacts.csv."""
        if self._contacts is None:
            self._contacts = Table(_core.read_contacts(str(self.folder)))
        return self._contacts

    @property
    def frames(self) -> Sequence[Frame]:
        """The bodies at instants, read one by one as they are asked for."""
        return _Frames(str(self.folder))

    @property
    def scene(self) -> Any:
        """The scene that was run, with every default filled in."""
        from .scene import load

        return load(self.folder / "scene.yaml")

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draws columns of the history over time with matplotlib; without any the energies."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots()
        units = self.summary.get("units", {}).get("history", {})
        for name in columns or ("energy.kinetic", "energy.strain", "energy.potential", "energy.total"):
            unit = units.get(name)
            ax.plot(self.history["time"], self.history[name], label=f"{name} ({unit})" if unit else name)
        ax.set_xlabel("time (s)")
        ax.legend()
        return ax

    @property
    def report(self) -> pathlib.Path:
        """The report, one HTML file; made now if the run left none."""
        path = self.folder / "report.html"
        if not path.exists():
            _core.write_report(str(self.folder))
        return path

    def show(self, width: str = "100%", height: int = 640) -> Any:
        """The report with the motion in 3-D, in a notebook."""
        page = html.escape(self.report.read_text(encoding="utf-8"), quote=True)
        return _Html(f'<iframe srcdoc="{page}" style="width: {width}; height: {height}px; border: 0"></iframe>')

    def __repr__(self) -> str:
        where = "a temporary folder" if self._kept else self.folder
        return f"<run in {where}: {self.status}, t = {self.summary['time']['end']:g} s>"


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The results that a run left in a folder, from here or from the program."""
    return Run(folder)


def resume(folder: str | os.PathLike[str], *, threads: int = 1,
           progress: bool | Callable[[float, float], None] = True) -> Run:
    """Takes up a run where its last checkpoint left it."""
    from .progress import Progress

    with Progress(progress) as bar:
        status, as_expected = _core.resume(os.fspath(folder), threads, bar.update)
    return Run(folder, status=status, as_expected=as_expected)
