#!/usr/bin/env python3
"""Error against processor time for every integrator that can run a problem: which to use, as a plot. accuracy.html in --out.

    bench/accuracy.py [--out runs/accuracy]

Two bars have an exact solution. The others are measured against themselves at a step that is four times as short as the shortest shown,
by the integrator that is named, on the same mesh: what is left is the error of time alone.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import page  # noqa: E402
import runs  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def two_bars():
    """Error of the velocity of the tips in the norm of `ictus converge`; the mesh follows the step."""
    ended = subprocess.run([str(runs.ICTUS), "converge", "two-bars/identical", "--integrators", "all", "--steps", "0.1,0.05,0.025,0.0125",
                            "--mesh-follows", "--threads", "1", "--out", str(ROOT / "runs" / "accuracy" / "bars"), "--force", "--json"],
                           capture_output=True, text=True, check=False)
    study = json.loads(ended.stdout)
    found = {}
    for one in study["runs"]:
        errors = [error for column, error in one["errors"].items() if column.endswith(".velocity") and error is not None]
        if one["status"] == "completed" and errors:
            found.setdefault(one["integrator"], []).append((one["wall_seconds"], max(errors)))
    return found


def difference(a, b):
    """Distance of the probes of two summaries at the end, over their size."""
    total = size = 0.0
    for probe, quantities in b["probes"].items():
        for quantity, exact in quantities.items():
            if exact is None or a["probes"][probe].get(quantity) is None:
                continue
            total += (a["probes"][probe][quantity] - exact) ** 2
            size += exact**2
    return (total / size) ** 0.5


def by_steps(case, integrators, steps, judge, more=()):
    finest = runs.run(case, [*runs.SILENT, *more, "--set", f"integrator={{type: {judge}}}", "--set", "time.courant=null", "--set",
                             f"time.step={min(steps) / 4!r}"])
    found = {}
    if "failure" in finest:
        print(f"{case}: {finest['failure']}", file=sys.stderr)
        return found
    for integrator in integrators:
        for step in steps:
            one = runs.run(case, [*runs.SILENT, *more, "--set", f"integrator={{type: {integrator}}}", "--set", "time.courant=null", "--set",
                                  f"time.step={step!r}"])
            if "failure" in one:
                print(f"{case}, {integrator}, {step}: {one['failure']}", file=sys.stderr)
                continue
            error = difference(one["summary"], finest["summary"])
            if error > 0:
                found.setdefault(integrator, []).append((one["processor"], error))
    return found


PROBLEMS = {
    "two-bars": ("Two bars", "Error of the velocities of the tips against the exact solution; the mesh follows the step.", two_bars),
    "pendulum": ("Pendulum that strikes a wall", "pendulum/wall, its first second: place and velocity at the end.",
                 lambda: by_steps("pendulum/wall", ["moreau-variational", "moreau"], [8e-3, 4e-3, 2e-3, 1e-3, 5e-4], "moreau-variational",
                                    ("--set", "time.end=1"))),
    "shells": ("Two hollow balls collide", "shells/offset-spheres: places of the probes at the end.",
               lambda: by_steps("shells/offset-spheres", ["capture-return", "reflection", "discrete-gradient", "cd-lagrange", "dcr"],
                                steps_of("shells/offset-spheres"), "capture-return")),
    "beam": ("Cantilever under a sudden load", "beam/cantilever: place of the tip at the end.",
             lambda: by_steps("beam/cantilever", ["multisymplectic-beam"], steps_of("beam/cantilever"), "multisymplectic-beam")),
}


def steps_of(case):
    """The step of a case, and halves of it."""
    ended = subprocess.run([str(runs.ICTUS), "check", case, "--json"], capture_output=True, text=True, check=True)
    step = json.loads(ended.stdout)["step"]
    return [step, step / 2, step / 4]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "accuracy")
    parser.add_argument("--only", default=",".join(PROBLEMS))
    arguments = parser.parse_args()
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
            "Error", ("processor time", "s", True), ("error", "1", True), curves, "Lower and further left is better."),
            page.table(title, [("Integrator", False), ("Processor time [s]", True), ("Error", True)], [(None, rows)])))
    page.write(arguments.out / "accuracy.html", "Ictus accuracy", "Error against processor time", sections)
    print(f"page {arguments.out / 'accuracy.html'}")


if __name__ == "__main__":
    main()
