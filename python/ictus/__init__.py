"""Ictus: structure-preserving simulation of impacts of elastic and rigid bodies.

    import ictus

    scene = ictus.load("two-bars/steel")      # a case that comes with the library, or a file
    run = scene.run()
    run.plot("energy.kinetic", "energy.strain")
    run.show()                                # the report, with the motion in 3-D

Scenes are made of parts with the words of scene files: `ictus.bodies`, `ictus.integrators`, `ictus.joints`, `ictus.loads`,
`ictus.signals`, `ictus.shapes`, `ictus.sections`, `ictus.hardenings`, `ictus.motors`, `ictus.radii`; the parts that every
scene has are in `ictus` itself, those of the parts in `ictus.parts`.
"""

from . import _kinds
from ._core import InputError, Mistake, NumericalFailure, State, __version__
from ._kinds import *  # noqa: F403
from .batch import Batch, batch
from .mesh import surface_file, volume_file
from .results import Frame, Run, Table, open_run, resume
from .scene import Scene, cases, load
from .simulation import Simulation
from .sweep import sweep
from .system import System

__all__ = [
    "Batch", "Frame", "InputError", "Mistake", "NumericalFailure", "Run", "Scene", "Simulation", "State", "System",
    "Table", "__version__", "batch", "cases", "load", "open_run", "resume", "surface_file", "sweep", "volume_file",
]
__all__ += _kinds.__all__
