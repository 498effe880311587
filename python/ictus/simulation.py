"""Simulations that are stepped by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from . import _core

__all__ = ["Body", "Simulation"]


class Body:
    """A body of a simulation: its part of the arrays, without copies."""

    def __init__(self, simulation: "Simulation", name: str) -> None:
        self._simulation, self.name = simulation, name
        self.dofs: slice = simulation.dofs(name)

    @property
    def positions(self) -> np.ndarray:
        """Its configuration; may be written in place."""
        return self._simulation.positions[self.dofs]

    @positions.setter
    def positions(self, values: Any) -> None:
        _write(self.positions, values, f"positions of {self.name}")

    @property
    def velocities(self) -> np.ndarray:
        """Its velocities; may be written in place."""
        return self._simulation.velocities[self.dofs]

    @velocities.setter
    def velocities(self, values: Any) -> None:
        _write(self.velocities, values, f"velocities of {self.name}")

    @property
    def momenta(self) -> np.ndarray:
        return self._simulation.momenta[self.dofs]

    @property
    def points(self) -> np.ndarray:
        """Where the points with which it is drawn are, n × 3 (m)."""
        return self._simulation.draw(self.name)["points"]

    def draw(self) -> dict[str, np.ndarray]:
        """These points and all fields at them, such as displacement and velocity."""
        return self._simulation.draw(self.name)

    def __repr__(self) -> str:
        return f"<body {self.name}, unknowns {self.dofs.start} to {self.dofs.stop - 1}>"


def _write(array: np.ndarray, values: Any, what: str) -> None:
    if values is None:
        raise _core.InputError(f"{what}: must be an array of numbers")
    values = np.asarray(values, dtype=float)
    if values.ndim and values.shape != array.shape:
        raise _core.InputError(f"{what}: must be an array of {array.size} numbers, not of shape {values.shape}")
    array[...] = values


class _Bodies(Mapping[str, Body]):
    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> Body:
        return Body(self._simulation, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.body_names)

    def __len__(self) -> int:
        return len(self._simulation.body_names)


class _Controls(MutableMapping[str, float]):
    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> float:
        return self._simulation.control(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._simulation.set_control(name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("controls belong to the scene")

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.control_names)

    def __len__(self) -> int:
        return len(self._simulation.control_names)

    def __repr__(self) -> str:
        return repr(dict(self))


class _Forces(Mapping[str, np.ndarray]):
    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> np.ndarray:
        return self._simulation.force(name)

    def __setitem__(self, name: str, values: Any) -> None:
        _write(self._simulation.force(name), values, f"forces.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.force_names)

    def __len__(self) -> int:
        return len(self._simulation.force_names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Simulation(_core.Simulation):
    """A simulation that is stepped by hand; `Scene.simulation()` makes one.

    It steps to the same bits as a run of the scene, and writes no files.

    Attributes
    ----------
    time, steps_taken, step_size, finished
        Where it is. Steps beyond the end of the scene are allowed.
    positions, velocities
        Arrays of all unknowns that always show the present motion. Writing into them starts a new motion from there
        with the next step; what that gave in energy and momentum is booked as coming from outside.
    momenta
        Read only.
    gaps, contact_forces
        Of each contact of the scene: the gap (m, NaN where unknown) and the mean normal force in the last call of step
        (N).
    impulses
        What contacts did in the last step.
    energies
        kinetic, strain, potential, what was lost by each mechanism, external work, the total, and the error: what the
        scheme made or lost of itself.
    state
        Where it is as a value: can be kept, pickled, and assigned to go back.
    """

    @property
    def bodies(self) -> Mapping[str, Body]:
        """The bodies by name."""
        return _Bodies(self)

    @property
    def controls(self) -> MutableMapping[str, float]:
        """Signals of type control that no function gives: set them between steps."""
        return _Controls(self)

    @property
    def forces(self) -> _Forces:
        """Loads of type own-force that no function gives: arrays to write between steps."""
        return _Forces(self)

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<simulation of {', '.join(self.body_names)} at t = {self.time:g} s>"
