"""CalculiX: implicit dynamics with its default numerical damping (alpha = -0.05), penalty contact of surfaces ten times as stiff as an
element, and increments that it shortens itself at impacts, as its manual advises; a wave takes at least so many to pass an element.

    ccx.py bars|block FOLDER STEPS_PER_ELEMENT [ELEMENTS of a bar]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from elastic import DENSITY, E, PLACES, SPEED, Bars, Block  # noqa: E402


def lines(numbers):
    numbers = [str(one) for one in numbers]
    return "".join(", ".join(numbers[at:at + 12]) + ",\n" for at in range(0, len(numbers), 12))


def number(value):
    """CalculiX reads twenty letters."""
    return f"{value:.12g}"


def deck(nodes, elements, kind, sets, surfaces, more, element_size, step, end, master="MASTER"):
    """`sets` of nodes by name, `surfaces` as (name, [(element, face)])."""
    text = "*NODE, NSET=ALL\n" + "".join(f"{n}, {number(x)}, {number(y)}, {number(z)}\n" for n, (x, y, z) in nodes.items())
    text += f"*ELEMENT, TYPE={kind}, ELSET=BODY\n" + "".join(f"{n}, {', '.join(map(str, corners))}\n" for n, corners in elements.items())
    text += more[0] + "".join(f"*NSET, NSET={name}\n{lines(found)}" for name, found in sets.items())
    for name, faces in surfaces:
        text += f"*SURFACE, NAME={name}, TYPE=ELEMENT\n" + "".join(f"{element}, {face}\n" for element, face in faces)
    text += f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{number(E)}, 0.\n*DENSITY\n{number(DENSITY)}\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n"
    text += f"*SURFACE INTERACTION, NAME=TOUCH\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{number(10 * E / element_size)}\n"
    text += f"*CONTACT PAIR, INTERACTION=TOUCH, TYPE=SURFACE TO SURFACE\nSLAVE, {master}\n"
    text += more[1] + f"*STEP, NLGEOM, INC=1000000\n*DYNAMIC\n{number(step)}, {number(end)}, {number(1e-4 * step)}, {number(step)}\n"
    return text + ("*NODE PRINT, NSET=PROBES, FREQUENCY=1000000\nV\n*EL PRINT, ELSET=BODY, TOTALS=ONLY, FREQUENCY=1000000\nELSE, ELKE\n"
                   "*END STEP\n")


def bars(steps_per_element):
    n, size = Bars.elements, Bars.length / Bars.elements
    nodes, elements, sets = {}, {}, {"LEFT": [], "PROBES": []}
    for body, begin in enumerate((-Bars.length - Bars.gap, 0.0)):
        first = body * 4 * (n + 1)
        for i in range(n + 1):
            for corner, (y, z) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1)), 1):
                nodes[first + 4 * i + corner] = (begin + i * size, y * Bars.side, z * Bars.side)
        for i in range(n):
            low = first + 4 * i
            elements[body * n + i + 1] = [low + k for k in range(1, 9)]
        sets["PROBES"] += [first + 4 * round(place * n) + 1 for place in PLACES]
    sets["LEFT"] = list(range(1, 4 * (n + 1) + 1))
    return deck(nodes, elements, "C3D8", sets, [("SLAVE", [(n, "S2")]), ("MASTER", [(n + 1, "S1")])],
                ("", f"*INITIAL CONDITIONS, TYPE=VELOCITY\nLEFT, 1, {Bars.velocity!r}\n"), size, size / SPEED / steps_per_element, Bars.end)


def block(steps_per_element):
    points, tetrahedra = Block.mesh()
    nodes = {i: point for i, point in enumerate(points, 1)}
    elements = {i: [corner + 1 for corner in corners] for i, corners in enumerate(tetrahedra, 1)}
    faces = {frozenset((0, 1, 2)): "S1", frozenset((0, 1, 3)): "S2", frozenset((1, 2, 3)): "S3", frozenset((0, 2, 3)): "S4"}
    foot = [(i, face) for i, corners in enumerate(tetrahedra, 1) for some, face in faces.items()
            if all(points[corners[k]][2] == 0 for k in some)]
    # The wall: one brick that is held.
    first, wall = len(nodes) + 1, len(elements) + 1
    half, low = 2 * Block.side, -Block.gap
    for k, (x, y, z) in enumerate(((-1, -1, -1), (2, -1, -1), (2, 2, -1), (-1, 2, -1), (-1, -1, 0), (2, -1, 0), (2, 2, 0), (-1, 2, 0))):
        nodes[first + k] = (x * Block.side, y * Block.side, low + z * half)
    held = list(range(first, first + 8))
    more = (f"*ELEMENT, TYPE=C3D8, ELSET=WALL\n{wall}, {', '.join(map(str, held))}\n*SOLID SECTION, ELSET=WALL, MATERIAL=STEEL\n"
            f"*NSET, NSET=HELD\n{lines(held)}*BOUNDARY\nHELD, 1, 3\n",
            f"*INITIAL CONDITIONS, TYPE=VELOCITY\nFREE, 3, {-Block.velocity!r}\n")
    sets = {"FREE": range(1, first), "PROBES": [i + 1 for i in Block.probes()]}
    size = Block.side / Block.cells
    return deck(nodes, elements, "C3D4", sets, [("SLAVE", foot), ("MASTER", [(wall, "S2")])], more, size,
                size / SPEED / steps_per_element, Block.end)


def main():
    problem, folder, steps_per_element = sys.argv[1], pathlib.Path(sys.argv[2]), float(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 4:
        Bars.elements = int(sys.argv[4])
    (folder / f"{problem}.inp").write_text({"bars": bars, "block": block}[problem](steps_per_element))
    begin = time.perf_counter()
    ended = subprocess.run(["ccx", problem], cwd=folder, capture_output=True, text=True, check=False, env=os.environ)
    seconds = time.perf_counter() - begin
    data = (folder / f"{problem}.dat").read_text()
    if ended.returncode != 0 or "velocities" not in data:
        raise SystemExit(ended.stdout[-1000:] + ended.stderr)
    velocities = data[data.rindex("velocities"):].split("\n\n")[1]
    found = {int(words[0]): [float(word) for word in words[1:]] for words in map(str.split, velocities.splitlines()) if len(words) == 4}
    energies = {name: float(value) for name, value in re.findall(r"total (internal|kinetic) energy.*?\n\s*\n\s*(\S+)", data, re.S)}
    axis = 0 if problem == "bars" else 2
    speeds = [values[axis] for values in found.values()]
    mass = DENSITY * (Bars.side**2 * Bars.length if problem == "bars" else Block.side**3)
    error = Bars.error(speeds[:len(PLACES)], speeds[len(PLACES):]) if problem == "bars" else Block.error(speeds)
    at_start = 0.5 * mass * (Bars if problem == "bars" else Block).velocity ** 2
    increments = len((folder / f"{problem}.sta").read_text().splitlines()) - 2
    print(json.dumps({"steps": increments, "seconds": seconds, "error": error,
                      "energy_drift": abs(sum(energies.values()) - at_start) / at_start if energies else None}))


if __name__ == "__main__":
    main()
