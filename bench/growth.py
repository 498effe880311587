#!/usr/bin/env python3
"""How cost, memory and output grow with the size of a problem, beside the ceilings of the machine: growth.html in --out.

    bench/growth.py [--out runs/growth] [--largest 1e7]
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
LIMIT = 300  # s of processor time, of one run
CEILINGS = ROOT / "build" / "release" / "bin" / "bench_machine_ceilings"

BAR = """time: {{end: {end}, courant: 0.9}}
integrator: {{type: capture-return}}
bodies:
  bar: {{type: bar, length: 1, cells: {n}, density: 1, youngs_modulus: 1, position: [1.0e-9, 0, 0], velocity: [-0.01, 0, 0]}}
  wall: {{type: plane, position: [0, 0, 0], normal: [1, 0, 0]}}
contacts: [{{between: [bar, wall]}}]
probes: {{tip: {{body: bar, at: end}}}}
"""
SOLID = """time: {{end: {end}, courant: 0.9}}
integrator: {{type: capture-return}}
bodies:
  block:
    type: solid
    shape: {{type: box, size: [1, 1, 1], cells: [{side}, {side}, {side}], element: tetrahedron}}
    density: 1
    youngs_modulus: 1
    position: [0, 0, 1.0e-6]
    velocity: [0, 0, -0.01]
  wall: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [block, wall]}}]
probes: {{middle: {{body: block, at: middle}}}}
"""
BALLS = """time: {{end: {end}, step: 2 ms}}
integrator: {{type: moreau-variational, contact_solver: {{tolerance: 1.0e-3}}}}
gravity: [0, 0, -9.81]
bodies:
  balls: {{type: rigid, shape: {{type: sphere, radius: 0.1}}, density: 1000, position: [0.11, 0.11, 0.1],
           copies: {{type: grid, count: [{side}, {side}, {layers}], spacing: [0.2005, 0.2005, 0.2]}}}}
  floor: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [all, floor], friction: 0.3, restitution: 0}}, {{between: [balls, balls], friction: 0.3, restitution: 0}}]
probes: {{pile: {{body: balls, at: start}}}}
"""


def timed(text_of, size):
    """Time per step without what happens once: the difference of a longer run and a shorter one, of so many steps that they take longer than
    making the bodies. Of the processor, so that what else the machine does counts little."""
    steps = max(100, int(1e8 / size))
    few, more = (runs.run(text_of(some), runs.SILENT, LIMIT) for some in (max(2, steps // 5), steps))
    for one in (few, more):
        if "failure" in one:
            return one
    steps = more["summary"]["time"]["steps"] - few["summary"]["time"]["steps"]
    seconds = more["processor"] - few["processor"]
    return {"step": seconds / steps, "memory": more["memory"], "summary": more["summary"]}


def sizes(largest):
    size = 1000
    while size <= largest * 1.01:
        yield size
        size *= 10


def families(largest):
    for n in sizes(largest):
        yield "bar, elements", n, lambda steps, n=n: BAR.format(n=n, end=0.9 / n * steps)
    for n in sizes(largest):
        side = max(2, round((n / 6) ** (1 / 3)))
        yield "tetrahedra", 6 * side**3, lambda steps, side=side: SOLID.format(side=side, end=0.3 / side * steps)
    for n in sizes(largest):
        side = max(2, round((n / 2) ** 0.5))
        # Two layers on a floor: a contact for each ball, below it.
        yield "balls, contacts", 2 * side * side, lambda steps, side=side: BALLS.format(side=side, layers=2, end=0.002 * steps)


def free_memory():
    """Bytes that a new process may have."""
    with open("/proc/meminfo", encoding="utf-8") as file:
        return 1024 * int(next(line for line in file if line.startswith("MemAvailable")).split()[1])


def too_large(size, smaller):
    """Why a size is not tried, from (size, peak of memory) of smaller ones; none where it fits."""
    if not smaller:
        return None
    needed, free = size * smaller[-1][1] / smaller[-1][0], free_memory()
    return f"needs some {needed / 1e9:.0f} GB of memory, {free / 1e9:.0f} are free" if needed > 0.9 * free else None


def ceilings():
    if not CEILINGS.exists():
        return []
    ended = subprocess.run([str(CEILINGS), "--benchmark_format=json"], capture_output=True, text=True, check=False)
    try:
        found = json.loads(ended.stdout)["benchmarks"]
    except (ValueError, KeyError):
        return []
    known = {"name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads",
             "iterations", "real_time", "cpu_time", "time_unit"}
    return [[b["name"], key, f"{value:.3g}"] for b in found for key, value in b.items() if key not in known and isinstance(value, float)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "growth")
    parser.add_argument("--largest", type=float, default=1e7)
    arguments = parser.parse_args()
    rows, cost, memory, peaks = [], {}, {}, {}
    for family, size, text_of in families(arguments.largest):
        reason = too_large(size, peaks.get(family))
        result = {"failure": reason} if reason else timed(text_of, size)
        if "failure" in result:
            rows.append([family, f"{size}", result["failure"], "", "", "", ""])
        else:
            default = runs.run(text_of(20), limit=LIMIT)
            output, report = ("–", "–") if "failure" in default else (f"{default['output'] / 1e6:.3g}", f"{default['report'] / 1e6:.3g}")
            rows.append([family, f"{size}", f"{1e3 * result['step']:.3g}", f"{1e9 * result['step'] / size:.3g}",
                         f"{result['memory'] / size:.3g}", output, report])
            cost.setdefault(family, []).append((size, 1e9 * result["step"] / size))
            memory.setdefault(family, []).append((size, result["memory"]))
            peaks.setdefault(family, []).append((size, max(result["memory"], default.get("memory", 0))))
        print("  ".join(rows[-1]), flush=True)
    curves = lambda found: [(name, [p[0] for p in points], [p[1] for p in points], "both") for name, points in found.items()]
    headings = [("Family", False), ("Size", True), ("Step [ms]", True), ("Per element or contact and step [ns]", True),
                ("Peak of memory per element or contact [B]", True), ("Results of 20 steps [MB]", True), ("Report [MB]", True)]
    page.write(arguments.out / "growth.html", "Ictus growth", "Cost, memory and output from a thousand to ten million", [
        page.section("growth", "Growth", page.text(
            "One core, contact included, no output while time is taken; the processor time of a step is the difference of a longer run and a shorter "
            "one. Results and report are those that a run of twenty steps writes if nothing is said. What would not fit into the memory that is free, or takes "
            f"more than {LIMIT} s of processor time, says so."),
            page.table("Growth", headings, [(None, rows)]),
            page.plot("Cost", ("size", "", True), ("time", "ns", True), curves(cost), "Per element or contact and step."),
            page.plot("Memory", ("size", "", True), ("memory", "B", True), curves(memory), "Peak of the whole process.")),
        page.section("ceilings", "Ceilings of the machine", page.table(
            "Ceilings", [("Measurement", False), ("Figure", False), ("Value", True)], [(None, ceilings())]))])
    print(f"page {arguments.out / 'growth.html'}")


if __name__ == "__main__":
    main()
