"""Many small simulations in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from .scene import Scene

__all__ = ["Batch", "batch"]


class Batch(_core.Batch):
    """Simulations that are stepped together; `ictus.batch` makes one.

    Arrays have a row for each simulation, always show the present, and may be written in place between steps, as those
    of a Simulation. They understand `__dlpack__`: `torch.from_dlpack(batch.positions)` shares their memory.

    Attributes
    ----------
    positions, velocities
        n × unknowns.
    controls
        n × controls, in the order of control_names: what loads with a control do in the next steps.
    contact_forces
        n × contacts (N), read only: the mean of the last call of step.
    """

    def reset(self, which: Any = None, states: Sequence[_core.State] | None = None) -> None:
        """Takes simulations back to where they began, or to states; `which` is a mask or a list of numbers."""
        chosen = np.arange(len(self)) if which is None else np.asarray(which)
        if chosen.dtype == bool:
            if chosen.shape != (len(self),):
                raise _core.InputError(f"which: must be a mask of {len(self)} values, not of shape {chosen.shape}")
            chosen = np.flatnonzero(chosen)
        if states is not None and len(states) != len(chosen):
            raise _core.InputError(f"states: must be {len(chosen)}, one for each that is reset, not {len(states)}")
        for k, i in enumerate(chosen):
            self.set_state(int(i), self._initial[int(i)] if states is None else states[k])

    def states(self) -> list[_core.State]:
        """Where each simulation is."""
        return [self.state(i) for i in range(len(self))]

    _initial: list[_core.State]
    #: The values with which each simulation was made, by key.
    drawn: dict[str, np.ndarray]


def batch(
    scene: Scene | Sequence[Scene],
    count: int | None = None,
    *,
    vary: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Batch:
    """Many simulations of a scene, with keys drawn at random, or one of each of several scenes that are alike.

        batch = ictus.batch(scene, 1000, vary={"bodies.ball.velocity.0": (-1, 1)}, seed=7)
        for _ in range(100):
            batch.controls[:, 0] = policy(batch.positions, batch.velocities)
            batch.step(10)

    Parameters
    ----------
    count
        How many, of one scene.
    vary
        Bounds by the dotted path of a key; values are drawn evenly between them.
    seed
        The same seed gives the same values, whatever the machine and the number of threads.
    threads
        How many work on it: all cores unless it is given. The bits do not depend on it.
    """
    drawn: dict[str, np.ndarray] = {}
    if isinstance(scene, Scene):
        if count is None or count < 1:
            raise _core.InputError(f"count: must be at least 1, not {count}")
        for i, (path, (low, high)) in enumerate((vary or {}).items()):
            drawn[path] = np.random.Generator(np.random.PCG64([seed, i])).uniform(low, high, count)
        if drawn:
            documents = [scene._document({path: float(values[i]) for path, values in drawn.items()})
                         for i in range(count)]
        else:
            documents = [scene._document()] * count
    else:
        if count is not None or vary:
            raise _core.InputError("count: and vary are for one scene, not for several")
        documents = [one._document() for one in scene]
    made = Batch(documents, threads or os.cpu_count() or 1)
    made.drawn = drawn
    made._initial = made.states()
    return made
