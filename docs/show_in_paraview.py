"""Shows the frames of a run in ParaView: pvpython show_in_paraview.py RUN [--colour ARRAY] [--out PREFIX].

With --out, writes PREFIX.0000.png, PREFIX.0001.png, ...; otherwise saves RUN/ictus.pvsm, a state to open in ParaView.
"""

import argparse
from pathlib import Path

from paraview import simple


def array_place(source, name: str) -> str:
    """POINTS or CELLS, whichever has the array."""
    if source.PointData.GetArray(name):
        return "POINTS"
    if source.CellData.GetArray(name):
        return "CELLS"
    raise SystemExit(f"the frames have no array {name}")


def show(run: Path, colour: str):
    reader = simple.PVDReader(FileName=str(run / "frames.pvd"))
    simple.UpdatePipeline(proxy=reader)
    shown = reader
    if reader.PointData.GetArray("radius"):
        lines = simple.ExtractSurface(Input=reader)
        shown = simple.Tube(Input=lines, Scalars=["POINTS", "radius"], VaryRadius="By Absolute Scalar", NumberofSides=16)
        simple.UpdatePipeline(proxy=shown)
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = [1280, 720]
    if shown is not reader:
        simple.Show(reader, view).Opacity = 0.4
    display = simple.Show(shown, view)
    simple.ColorBy(display, (array_place(shown, colour), colour))
    display.RescaleTransferFunctionToDataRangeOverTime()
    display.SetScalarBarVisibility(view, True)
    view.CameraViewUp = [0, 0, 1]
    view.CameraPosition = [0.35, -1.0, 0.45]
    view.CameraFocalPoint = [0, 0, 0]
    simple.ResetCamera(view)
    return view


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--colour", default="velocity")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    view = show(arguments.run, arguments.colour)
    if arguments.out:
        simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
        simple.SaveAnimation(f"{arguments.out}.png", view, ImageResolution=[1280, 720])
    else:
        simple.SaveState(str(arguments.run / "ictus.pvsm"))


main()
