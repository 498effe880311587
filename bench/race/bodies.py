"""Contests of the race whose exact answer is known: a tower that stands, a rod that swings in flight, two bars that meet, a block that
strikes a wall, and a rod that slides to rest."""

import csv
import json
import math
import sys

import page
from elastic import DENSITY, E, PLACES, Bars, Block
from racing import CORES, ICTUS, build, ictus, interleaved, last_json, number, run, script


def rows(found, figures):
    """Of a contest: name, cores, time per step, and what `figures` names."""
    lines = []
    for (name, cores), r in found.items():
        if "failure" in r:
            lines.append([name, str(cores), r["failure"]] + [""] * (len(figures) + 1))
        else:
            lines.append([name, str(cores), str(r["steps"]), number(r["seconds"]), *(number(r.get(figure)) for figure in figures)])
    return lines


def headings(*more):
    return [("Program", False), ("Cores", True), ("Steps", True), ("Time [s]", True), *((heading, True) for heading in more)]


def error_plot(found):
    points = {}
    for (name, cores), r in found.items():
        if cores == 1 and "failure" not in r and r["error"] > 0:
            points.setdefault(name.partition(",")[0], []).append((r["seconds"], r["error"]))
    curves = [(name, [p[0] for p in sorted(some)], [p[1] for p in sorted(some)], "points") for name, some in points.items()]
    return page.plot("Error", ("time", "s", True), ("error", "1", True), curves, "One core. Lower and further left is better.")


def on_cores(racers_of, rounds):
    found = {}
    for cores in sorted({1, CORES}):
        for name, result in interleaved(racers_of(cores), rounds).items():
            found[(name, cores)] = result
    return found


# A tower --------------------------------------------------------------------------------------------------------------

def race_tower(folder, rounds):
    def read(summary):
        top, side = summary["probes"]["top"], 0.1
        with open(folder / "ictus" / "history.csv", encoding="utf-8") as history:
            *_, last = csv.DictReader(line for line in history if not line.startswith("#"))
        return {"moved": math.hypot(top["x"], top["y"], top["z"] - 9.5 * side), "kinetic": float(last["energy.kinetic"]),
                "penetration": summary["contact"]["max_penetration"]}

    scene = folder / "tower.yaml"
    text = run([ICTUS, "show", "rigid/stack"], 1, lambda ended: ended.stdout)
    scene.write_text(text.replace("end: 20", "end: 5"), encoding="utf-8")

    def racers(cores):
        found = {"Ictus": lambda: ictus(scene, folder, cores, read)}
        for peer in ("ODE", "Bullet", "MuJoCo", "DART"):
            if program := build(peer, "stack", folder):
                found[peer] = lambda program=program: run([program], cores, last_json)
        if driver := script("Chrono", "stack.py"):
            found["Chrono"] = lambda: run([sys.executable, driver], cores, last_json)
        return found
    return on_cores(racers, rounds)


def tower_section(found):
    return page.section("tower", "A tower", page.text(
        "Ten cubes of 0.1 m stand on each other and on a floor, μ = 0.5, for 5 s in steps of 2 ms. The exact motion is none: what moved, "
        "sank in or still has energy in the end is error. ODE takes its exact step, MuJoCo elliptic cones and contacts as stiff as its "
        "documentation advises; the others are as they come."),
        page.table("Tower", headings("Largest way of a cube [m]", "Kinetic energy at the end [J]", "Largest penetration [m]"),
                   [(None, rows(found, ["moved", "kinetic", "penetration"]))]))


# A rod ----------------------------------------------------------------------------------------------------------------

ROD_SIDE, ROD_SPEED, WAVE_NUMBER, SIGMA = 5e-3, 0.5, 4.730040744862704, 0.982502214576238


def rod_scene(elements):
    """The rod of rod.hpp along z, which moves along x."""
    omega = WAVE_NUMBER**2 * math.sqrt(E / DENSITY * ROD_SIDE**2 / 12)
    end = 5.25 * 2 * math.pi / omega

    def twist(b):
        shape = 0.5 * (math.cosh(b) + math.cos(b) - SIGMA * (math.sinh(b) + math.sin(b)))
        slope = 0.5 * WAVE_NUMBER * (math.sinh(b) - math.sin(b) - SIGMA * (math.cosh(b) + math.cos(b)))
        return [0, ROD_SPEED * slope, 0, ROD_SPEED * shape, 0, 0]

    velocities = [twist(WAVE_NUMBER * i / elements) for i in range(elements + 1)]
    text = f"""time: {{end: {end!r}, courant: 0.8}}
bodies:
  rod: {{type: beam, length: 1, cells: {elements}, section: {{type: square, side: {ROD_SIDE}}}, density: {DENSITY},
        youngs_modulus: {E}, slender: true, velocities: {json.dumps(velocities)}}}
probes: {{end: {{body: rod, at: end}}}}
"""

    def read(summary):
        last, t = summary["probes"]["end"], omega * end
        return {"error": math.hypot(omega * last["x"] - ROD_SPEED * math.sin(t), last["velocity.x"] - ROD_SPEED * math.cos(t)) / ROD_SPEED,
                "energy_drift": summary["energy"]["error"]}
    return text, read


def rod_steps_of_chains(links):
    """Well inside those with which their fastest springs would blow up."""
    return 5000 * links * links // 400


def race_rod(folder, rounds):
    def racers(_):
        found = {}
        for elements in (10, 20, 40):
            text, read = rod_scene(elements)
            scene = folder / f"rod-{elements}.yaml"
            scene.write_text(text, encoding="utf-8")
            found[f"Ictus, {elements} elements"] = lambda scene=scene, read=read: ictus(scene, folder, 1, read)
        for elements in (20, 40):
            steps = rod_steps_of_chains(elements)
            for peer in ("MuJoCo", "DART"):
                if program := build(peer, "rod", folder):
                    found[f"{peer}, {elements} links"] = lambda program=program, elements=elements, steps=steps: run(
                        [program, str(elements), str(steps)], 1, last_json)
            if driver := script("PyElastica", "rod.py"):
                found[f"PyElastica, {elements} elements"] = lambda driver=driver, elements=elements: run(
                    [sys.executable, driver, elements], 1, last_json)
        return found
    return {(name, 1): result for name, result in interleaved(racers(1), rounds).items()}


def rod_section(found):
    return page.section("rod", "A rod in free flight", page.text(
        "A rod of steel, 1 m long and 5 mm square, sets out in the shape of its first bending mode and swings five and a quarter times. "
        "Error: distance of the motion of its end in phase space from that of Euler's and Bernoulli's rod. MuJoCo and DART have chains "
        "of stiff links with springs of bending stiffness over length; they do not stretch or shear, so that their steps are longer, and bend in "
        "one plane. Ictus has elements for slender beams, which bend to fourth order in their size, and shear and rotary inertia, which Euler's and Bernoulli's rod has "
        "not: the error that finer meshes keep, 0.004. PyElastica has round sections of the same bending stiffness and mass."),
        page.table("Rod", headings("Error", "Energy error"), [(None, rows(found, ["error", "energy_drift"]))]), error_plot(found))


# A rod on a floor ------------------------------------------------------------------------------------------------------

SLIDING_SPEED, SLIDING_FRICTION, SLIDING_END = 0.5, 0.2, 0.3


def sliding_scene(elements):
    """The rod of sliding_rod.hpp."""
    return f"""time: {{end: {SLIDING_END}, courant: 0.8}}
gravity: [0, 0, -9.81]
bodies:
  rod: {{type: beam, length: 1, cells: {elements}, section: {{type: square, side: {ROD_SIDE}}}, density: {DENSITY},
        youngs_modulus: {E}, slender: true, position: [0, 0, {ROD_SIDE / 2}], rotation: [0, 90 deg, 0], velocity: [{SLIDING_SPEED}, 0, 0]}}
  floor: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [rod, floor], friction: {SLIDING_FRICTION}}}]
probes: {{end: {{body: rod, at: end}}}}
"""


def race_sliding(folder, rounds, elements=20):
    def read(summary):
        last = summary["probes"]["end"]
        return {"error": abs((last["x"] - 1) * 2 * SLIDING_FRICTION * 9.81 / SLIDING_SPEED**2 - 1), "creep": abs(last["velocity.x"]),
                "penetration": summary["contact"]["max_penetration"]}

    racers = {}
    for own in (elements // 2, elements):
        scene = folder / f"sliding-rod-{own}.yaml"
        scene.write_text(sliding_scene(own), encoding="utf-8")
        racers[f"Ictus, {own} elements"] = lambda scene=scene: ictus(scene, folder, 1, read)
    for peer in ("MuJoCo", "DART"):
        if program := build(peer, "sliding_rod", folder):
            racers[f"{peer}, {elements} links"] = lambda program=program: run([program, elements], 1, last_json)
    return {(name, 1): result for name, result in interleaved(racers, rounds).items()}


def sliding_section(found):
    return page.section("sliding", "A rod on a floor", page.text(
        "The same rod lies on a floor, is thrown along itself at 0.5 m/s, and friction stops it (μ = 0.2). Error: that of the way, exactly "
        "v²/(2 μ g). Ictus resolves the waves of stretching and takes the short steps that they ask for; chains of links have "
        "none, and steps as long as their springs allow. Contacts of MuJoCo are springs with a time constant of a millisecond."),
        page.table("Rod on a floor", headings("Error of the way", "Velocity at the end [m/s]", "Largest penetration [m]"),
                   [(None, rows(found, ["error", "creep", "penetration"]))]))


# Bars and blocks ------------------------------------------------------------------------------------------------------

def bars_scene(courant, elements=Bars.elements):
    bar = f"type: bar, length: {Bars.length}, cells: {elements}, density: {DENSITY}, youngs_modulus: {E}, area: {Bars.side**2}"
    probes = "\n".join(f"  {body}{k}: {{body: {body}, at: {place}}}" for body in ("left", "right") for k, place in enumerate(PLACES))
    return f"""time: {{end: {Bars.end!r}, courant: {courant}}}
bodies:
  left: {{{bar}, position: [{-Bars.length - Bars.gap!r}, 0, 0], velocity: [{Bars.velocity}, 0, 0]}}
  right: {{{bar}}}
contacts: [{{between: [left, right]}}]
probes:
{probes}
"""


def bars_error(summary):
    return Bars.error(*([summary["probes"][f"{body}{k}"]["velocity"] for k in range(len(PLACES))] for body in ("left", "right")))


def block_scene(courant, mesh):
    probes = "\n".join(f"  z{k}: {{body: block, at: {place}}}" for k, place in enumerate(PLACES))
    return f"""time: {{end: {Block.end!r}, courant: {courant}}}
bodies:
  block: {{type: solid, shape: {{type: mesh, file: {mesh}}}, density: {DENSITY}, youngs_modulus: {E}, poissons_ratio: 0,
          position: [0, 0, {Block.gap}], velocity: [0, 0, {-Block.velocity}]}}
  wall: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [block, wall]}}]
probes:
{probes}
"""


def mesh_text():
    points, tetrahedra = Block.mesh()
    text = "*NODE\n" + "".join(f"{i}, {x!r}, {y!r}, {z!r}\n" for i, (x, y, z) in enumerate(points, 1))
    return text + "*ELEMENT, TYPE=C3D4\n" + "".join(
        f"{i}, {', '.join(str(corner + 1) for corner in corners)}\n" for i, corners in enumerate(tetrahedra, 1))


def race_elastic(problem, scene, read, folder, rounds):
    def racers(cores):
        found = {"Ictus": lambda: ictus(scene, folder, cores, read)}
        driver = script("CalculiX", "ccx.py")
        if driver and cores == 1:  # so small a system takes several threads longer
            found["CalculiX"] = lambda: run([sys.executable, driver, problem, folder / "calculix", "1"], cores, last_json)
        return found
    return on_cores(racers, rounds)


def race_bars(folder, rounds):
    scene = folder / "bars.yaml"
    scene.write_text(bars_scene(0.9), encoding="utf-8")

    def read(summary):
        return {"error": bars_error(summary), "energy_drift": summary["energy"]["error"]}
    return race_elastic("bars", scene, read, folder, rounds)


def race_block(folder, rounds):
    mesh, scene = folder / "block.inp", folder / "block.yaml"
    mesh.write_text(mesh_text(), encoding="utf-8")
    scene.write_text(block_scene(0.9, mesh.name), encoding="utf-8")

    def read(summary):
        speeds = [summary["probes"][f"z{k}"]["velocity_z"] for k in range(len(PLACES))]
        return {"error": Block.error(speeds), "energy_drift": summary["energy"]["error"]}
    return race_elastic("block", scene, read, folder, rounds)


def bars_section(found):
    return page.section("bars", "Two bars", page.text(
        "A steel bar of 50 elements meets another at 2 m/s; after a wave has run to and fro the first is at rest and the second flies. "
        "Error: that of the velocities at five places of each, over 2 m/s. CalculiX has bricks, implicit steps with its usual numerical "
        "damping, and penalty contact of surfaces."),
        page.table("Two bars", headings("Error", "Energy error"), [(None, rows(found, ["error", "energy_drift"]))]))


def block_section(found):
    return page.section("block", "An elastic block on a wall", page.text(
        f"A steel cube of {6 * Block.cells**3} linear tetrahedra without Poisson's ratio strikes a wall at 2 m/s and leaves it as it came. "
        "Error: that of the velocities at five heights, over 2 m/s; both programs have the same mesh. CalculiX as with two bars."),
        page.table("Block", headings("Error", "Energy error"), [(None, rows(found, ["error", "energy_drift"]))]))
