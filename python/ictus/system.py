"""Mechanical systems of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["System"]


class System:
    """A system with generalised coordinates, told by the formulas of its energies.

    Derive from it (or write any class with the same attributes), give the scene a body of type own-system, and hand the
    object to `Scene.simulation(systems={name: system})` or `Scene.run`.

    `q` and `v` are coordinates and velocities at the start, at most nine. Formulas are called with dual numbers, which
    differentiate them exactly: write them with + − * / ** and NumPy's sin, cos, tan, exp, log and sqrt.

    A force without a potential (damping, a motor) comes from `applied(q, v)`. A system that strikes something says how
    many `contacts` it has and how far each is from touching: `gap(i, q)`; `point(i, q)` and `push(i, q)` say where in
    space that is and in which direction the contact pushes. `points(q)` gives a line through points to draw.
    """

    q: Sequence[float] = ()
    v: Sequence[float] = ()
    contacts: int = 0

    def kinetic(self, q: Any, v: Any) -> Any:
        """Kinetic energy (J)."""
        raise NotImplementedError("an own system must give its kinetic energy")

    def potential(self, q: Any) -> Any:
        """Potential energy (J); zero unless it is given."""
        return 0.0 * q[0]

    def gap(self, i: int, q: Any) -> Any:
        """How far contact i is from touching (m); below zero it overlaps."""
        raise NotImplementedError("a system with contacts must give their gaps")

    def point(self, i: int, q: Any) -> Any:
        """Where contact i is in space (m)."""
        return np.zeros(3)

    def push(self, i: int, q: Any) -> Any:
        """Direction in which contact i pushes the system."""
        return np.array([1.0, 0.0, 0.0])
