"""Scenes: what is simulated."""

from __future__ import annotations

import copy
import os
import pathlib
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from . import _core, parts
from .results import Run
from .simulation import Simulation

__all__ = ["Scene", "cases", "load"]


class Scene(parts.Scene):
    __doc__ = (parts.Scene.__doc__ or "") + """
    A scene is checked as a whole, by the rules and with the texts of the program `ictus`, when it is run, simulated,
    or asked to `check`.
    """

    _file = ""  # the one it was read from: paths in it are meant from there
    _case = ""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_file", "_case"):
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    def check(self, **changes: Any) -> "Scene":
        """Raises InputError with every mistake that can be found without building the bodies."""
        self._document(changes)
        return self

    def _document(self, changes: Mapping[str, Any] | None = None) -> _core.Document:
        document = _core.read_tree(self, self._file, self._case)
        if changes:  # of all keys, also those that have their defaults
            document = _core.read_tree(document.tree(), self._file, self._case, dict(changes))
        return document

    def with_(self, changes: Mapping[str, Any] | None = None, /, **keys: Any) -> "Scene":
        """A copy in which keys at dotted paths have new values, as `--set` gives them to the program:
        `scene.with_({"bodies.ball.velocity.2": -3, "time.end": "2 ms"})`. None takes a key away."""
        document = self._document({**(changes or {}), **keys})
        return self._like(document.tree())

    def _like(self, tree: Mapping[str, Any]) -> "Scene":
        scene = type(self)._from_tree(dict(tree))
        scene._file, scene._case = self._file, self._case  # type: ignore[attr-defined]
        return scene  # type: ignore[return-value]

    def copy(self) -> "Scene":
        """A copy that shares nothing with this scene."""
        return copy.deepcopy(self)

    def yaml(self) -> str:
        """The scene as a scene file, with every default filled in."""
        return self._document().yaml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a scene file."""
        pathlib.Path(path).write_text(self.yaml(), encoding="utf-8")

    def simulation(
        self,
        *,
        threads: int = 1,
        systems: Mapping[str, Any] | None = None,
        forces: Mapping[str, Callable[..., Any]] | None = None,
        controls: Mapping[str, Callable[[float], float]] | None = None,
    ) -> Simulation:
        """A simulation to step by hand.

        Parameters
        ----------
        threads
            On how many its loops run; the bits do not depend on it.
        systems
            For bodies of type own-system, by name: objects as `ictus.System` describes them.
        forces
            For loads of type own-force, by name: functions f(t, q, v) that give the force on each unknown of the body.
            A force without a function is an array that can be written between steps: `simulation.forces[name]`.
        controls
            For signals of type control, by name: functions of time. A control without one is set between steps:
            `simulation.controls[name] = value`.
        """
        return Simulation(self._document(), threads, dict(systems or {}), dict(forces or {}), dict(controls or {}))

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        threads: int = 1,
        force: bool = False,
        progress: bool | Callable[[float, float], None] = True,
        systems: Mapping[str, Any] | None = None,
        forces: Mapping[str, Callable[..., Any]] | None = None,
        controls: Mapping[str, Callable[[float], float]] | None = None,
    ) -> Run:
        """Runs the scene to its end and gives its results.

        Ctrl-C ends the run after its step and leaves a checkpoint, from which `ictus.resume(folder)` goes on.

        Parameters
        ----------
        folder
            Where the results go. Absent: a temporary folder, which goes when nobody holds the run any more.
        force
            Replace results that are there.
        progress
            Whether to show how far the run is, or a function of time and end that does so.
        threads, systems, forces, controls
            As `simulation` has them.
        """
        from .progress import Progress

        document = self._document()
        kept = None
        if folder is None:
            kept = tempfile.TemporaryDirectory(prefix="ictus-")
            folder = os.path.join(kept.name, "run")
        with Progress(progress) as bar:
            status, as_expected = _core.run(document, os.fspath(folder), threads, force, bar.update, dict(systems or {}),
                                            dict(forces or {}), dict(controls or {}))
        return Run(folder, status=status, as_expected=as_expected, kept=kept)


def load(name: str | os.PathLike[str], changes: Mapping[str, Any] | None = None, /) -> Scene:
    """Reads a scene file, or a case that comes with the library: `ictus.load("two-bars/steel")`."""
    document = _core.load(os.fspath(name), dict(changes or {}))
    scene = Scene._from_tree(document.tree())
    if not document.case:
        scene._file = document.file  # type: ignore[attr-defined]
    scene._case = document.case  # type: ignore[attr-defined]
    return scene  # type: ignore[return-value]


def cases() -> list[str]:
    """The names of the cases that come with the library."""
    return list(_core.cases())



