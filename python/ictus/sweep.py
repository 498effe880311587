"""One scene with many values of its keys."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .results import Run, Table
from .scene import Scene

__all__ = ["sweep"]


def figure(summary: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path of a summary: "energy.error"."""
    value: Any = summary
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            raise KeyError(f"the summary has no {path}")
        value = value[key]
    return value


def sweep(
    scene: Scene,
    values: Mapping[str, Sequence[Any]],
    figures: Sequence[str] | Mapping[str, str | Callable[[Run], Any]],
    *,
    threads: int | None = None,
    frames: bool = False,
) -> Table:
    """Runs a scene with every combination of values of some keys, on all cores, and gives a table of what came of it.

        ictus.sweep(scene, {"bodies.ball.velocity.2": [-1, -2, -4]}, {"force": "contact.force_max"})

    Parameters
    ----------
    values
        Values by the dotted path of a key.
    figures
        Columns of the table: names with a path into the summary of the run, or a function of the run; or a list of
        paths.
    threads
        How many runs go on at a time; all cores unless it is given. The table does not depend on it.
    frames
        Whether the runs write frames, for figures that read them.
    """
    wanted = dict(figures) if isinstance(figures, Mapping) else {path: path for path in figures}
    combinations = list(itertools.product(*values.values()))
    quiet: dict[str, Any] = {"output.report": False, "output.checkpoint_every": 0}
    if not frames:
        quiet["output.frames_every"] = 0
    scenes = [scene.with_({**dict(zip(values, chosen)), **quiet}) for chosen in combinations]  # mistakes, before any runs

    def one(number: int) -> list[Any]:
        with tempfile.TemporaryDirectory(prefix="ictus-") as folder:
            run = scenes[number].run(os.path.join(folder, "run"), progress=False)
            return [what(run) if callable(what) else figure(run.summary, what) for what in wanted.values()]

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        found = list(pool.map(one, range(len(scenes))))
    columns = {path: np.array([chosen[i] for chosen in combinations]) for i, path in enumerate(values)}
    columns.update({name: np.array([row[i] for row in found]) for i, name in enumerate(wanted)})
    return Table(columns)
