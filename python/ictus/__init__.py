"""Ictus: structure-preserving simulation of impacts of elastic and rigid bodies.

    import ictus

    scene = ictus.load("two-bars/steel")      # a case that comes with the library, or a file
    run = scene.run()
    run.plot("energy.kinetic", "energy.strain")
    run.show()                                # the report, with the motion in 3-D

Scenes are made of parts with the words of scene files: `ictus.bodies`, `ictus.integrators`, `ictus.loads`,
`ictus.signals`, `ictus.shapes`, `ictus.sections`; the parts that every scene has are in `ictus` itself.
"""

from . import _kinds, bodies, integrators, loads, parts  # noqa: F401
from ._core import InputError, Mistake, NumericalFailure, State, __version__
from .batch import Batch, batch
from .mesh import surface_file, volume_file
from .parts import Contact, Limits, Output, Probe, Tie, Time
from .results import Frame, Run, Table, open_run, resume
from .scene import Scene, cases, load
from .simulation import Simulation
from .sweep import sweep
from .system import System

__all__ = [
    "Batch", "Contact", "Frame", "InputError", "Limits", "Mistake", "NumericalFailure", "Output", "Probe", "Run",
    "Scene", "Simulation", "State", "System", "Table", "Tie", "Time", "__version__", "batch", "bodies", "cases",
    "integrators", "load", "loads", "open_run", "resume", "surface_file", "sweep", "volume_file",
]
for _module in _kinds.modules:
    globals()[_module.__name__.rpartition(".")[2]] = _module
    __all__.append(_module.__name__.rpartition(".")[2])
__all__ = sorted(set(__all__))
