#!/usr/bin/env python3
"""Error against time for every integrator and for other programs that can run a problem: which to use, as a plot.
accuracy.html in --out.

    bench/accuracy.py [--out runs/accuracy] [--only two-bars,pendulum,shells,beam]

Two bars and the rod have exact solutions. The others are measured on the same mesh at a step that is four times as short as the
shortest shown, by one integrator or by each itself, as the page says: what is left is the error of time alone. `scripts/setup race`
installs the other programs; those that are not there are left out.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "race")]
import bodies  # noqa: E402
import page  # noqa: E402
import racing  # noqa: E402
import runs  # noqa: E402

PEERS = ROOT / "runs" / "accuracy" / "peers"


def peer(name, program, *words):
    """What a driver of another program prints, compiled where it is not yet; none where the program is not there or fails."""
    driver = racing.build(name, program, PEERS)
    result = racing.run([driver, *words], 1, racing.last_json) if driver else None
    if result and "failure" in result:
        print(f"{name}, {program} {' '.join(map(str, words))}: {result['failure']}", file=sys.stderr)
        return None
    return result


def seconds_of(one):
    """Of the steps alone on one core, as the other programs are timed."""
    return one["summary"]["time"]["wall_seconds"]


def two_bars():
    """The two bars of the race, on finer and finer meshes: explicit schemes at 0.9 of the critical step, dcr at half of it, those that cut
    their steps at a tenth."""
    courant = {"dcr": 0.5, "multisymplectic": 0.1, "multisymplectic-prolonged": 0.1}
    found = {}
    for elements in (25, 50, 100, 200):
        for integrator in ("capture-return", "reflection", "discrete-gradient", "cd-lagrange", "dcr", "moreau-jean", "multisymplectic",
                           "multisymplectic-prolonged"):
            text = bodies.bars_scene(courant.get(integrator, 0.9), elements) + f"integrator: {{type: {integrator}}}\n"
            one = runs.run(text, runs.SILENT)
            if "failure" in one:
                print(f"two bars, {integrator}, {elements}: {one['failure']}", file=sys.stderr)
                continue
            found.setdefault(integrator, []).append((seconds_of(one), bodies.bars_error(one["summary"])))
        if elements <= 100 and (driver := racing.script("CalculiX", "ccx.py")):
            one = racing.run([sys.executable, driver, "bars", PEERS / "calculix", "1", elements], 1, racing.last_json)
            if "failure" not in one:
                found.setdefault("CalculiX", []).append((one["seconds"], one["error"]))
    return found


def rods():
    """The free rod of the race, in more and more elements or links."""
    found = {}
    for elements in (10, 20, 40, 80):
        text, read = bodies.rod_scene(elements)
        for integrator in ("multisymplectic-beam", "capture-return"):
            one = runs.run(text + f"integrator: {{type: {integrator}}}\n", runs.SILENT)
            if "failure" in one:
                print(f"rod, {integrator}, {elements}: {one['failure']}", file=sys.stderr)
            else:
                found.setdefault(integrator, []).append((seconds_of(one), read(one["summary"])["error"]))
        for name in ("MuJoCo", "DART"):
            if one := peer(name, "rod", elements, bodies.rod_steps_of_chains(elements)):
                found.setdefault(name, []).append((one["seconds"], one["error"]))
    return found


def difference(a, b):
    """Distance of the probes of two summaries at the end, over their size; of places alone where these tell them."""
    total = size = 0.0
    for probe, quantities in b["probes"].items():
        places = [quantity for quantity in quantities if quantity.startswith("displacement")]
        for quantity in places or quantities:
            exact = quantities[quantity]
            if exact is None or a["probes"][probe].get(quantity) is None:
                continue
            total += (a["probes"][probe][quantity] - exact) ** 2
            size += exact**2
    return (total / size) ** 0.5


def by_steps(case, integrators, steps, judge=None, more=(), others=None):
    """`judge`: the integrator whose motion at a quarter of the shortest step is the measure; none: each is its own. `others`: name of a
    program to what makes its probes, and its time, of a step."""
    def with_step(integrator, step):
        one = runs.run(case, [*runs.SILENT, *more, "--set", f"integrator={{type: {integrator}}}", "--set", "time.courant=null", "--set",
                              f"time.step={step!r}"])
        if "failure" in one:
            print(f"{case}, {integrator}, {step}: {one['failure']}", file=sys.stderr)
            return None
        return one

    finest = with_step(judge, min(steps) / 4) if judge else None
    found = {}
    for integrator in integrators:
        measure = finest or with_step(integrator, min(steps) / 4)
        for step in steps:
            if measure and (one := with_step(integrator, step)):
                error = difference(one["summary"], measure["summary"])
                if error > 0:
                    found.setdefault(integrator, []).append((seconds_of(one), error))
    for name, go in (others or {}).items():
        for step in steps:
            if one := go(step):
                found.setdefault(name, []).append((one["seconds"], difference(one, finest["summary"])))
    return found


def mujoco_pendulum(step):
    one = peer("MuJoCo", "pendulum", step)
    return one and {"seconds": one.pop("seconds"), "probes": {"bob": one}}


SHELL_PROBES = "probes={left: {body: left, position: [-2.01, 0.25, 0]}, right: {body: right, position: [2.01, -0.25, 0]}}"
PROBLEMS = {
    "two-bars": ("Two bars", "A steel bar meets another; meshes of 25 to 200 elements, with steps that follow. Error of the velocities at the end "
                 "against the exact solution.", two_bars),
    "pendulum": ("Pendulum that strikes a wall", "pendulum/wall, its first second: place and velocity at the end. MuJoCo has a stiff spring for "
                 "the wall; the others of the race have no springs along a hinge.",
                 lambda: by_steps("pendulum/wall", ["moreau-variational", "moreau"], [8e-3, 4e-3, 2e-3, 1e-3, 5e-4], "moreau-variational",
                                  ("--set", "time.end=1"), {"MuJoCo": mujoco_pendulum})),
    "shells": ("Two hollow balls collide", "shells/offset-spheres: places of the probes at the end, against those of the same integrator at a quarter of the "
               "shortest step. A collision is many impacts of single vertices. Where they stay in touch and energy goes (cd-lagrange, dcr) the motion has a limit, and "
               "the error falls with the step. Where they give energy back they leave and return, which comes first hangs on little, and there is no limit to "
               "approach: with capture-return an approach velocity that differs by 7e-7 of itself moves the probes by 7e-3 of their way, with reflection by 4e-2, "
               "with cd-lagrange by 2e-4 (without friction, which holds vertices in place, by 4e-3). Such errors are those of a tossed coin, and what can be compared is energy, momentum "
               "and their mean. On one mesh the two kinds differ by 6 %, the energy of the vertices. Of the programs of the race only CalculiX has shells, and it makes "
               "bricks of them.",
               lambda: by_steps("shells/offset-spheres", ["capture-return", "reflection", "discrete-gradient", "cd-lagrange", "dcr"],
                                steps_of("shells/offset-spheres"), more=("--set", SHELL_PROBES))),
    "beam": ("A rod in free flight", "The rod of the race, in 10 to 80 elements or links: motion of its end against the exact one. MuJoCo and DART "
             "have chains of stiff links.", rods),
}


def steps_of(case):
    """The step of a case, a half and a quarter of it."""
    ended = subprocess.run([str(runs.ICTUS), "check", case, "--json"], capture_output=True, text=True, check=True)
    step = json.loads(ended.stdout)["step"]
    return [step, step / 2, step / 4]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "accuracy")
    parser.add_argument("--only", default=",".join(PROBLEMS))
    arguments = parser.parse_args()
    PEERS.mkdir(parents=True, exist_ok=True)
    sections = []
    for name in arguments.only.split(","):
        title, about, measure = PROBLEMS[name]
        print(f"== {title}", flush=True)
        found = measure()
        rows = [[integrator, f"{seconds:.3g}", f"{error:.2g}"] for integrator, points in found.items() for seconds, error in points]
        for row in rows:
            print("  ".join(row), flush=True)
        curves = [(integrator, [p[0] for p in sorted(points)], [p[1] for p in sorted(points)], "both") for integrator, points in found.items()]
        sections.append(page.section(name, title, page.text(about), page.plot(
            "Error", ("time", "s", True), ("error", "1", True), curves, "Lower and further left is better."),
            page.table(title, [("Integrator or program", False), ("Time of the steps [s]", True), ("Error", True)], [(None, rows)])))
    page.write(arguments.out / "accuracy.html", "Ictus accuracy", "Error against time on one core", sections)
    print(f"page {arguments.out / 'accuracy.html'}")


if __name__ == "__main__":
    main()
