#!/usr/bin/env python3
"""The same problems in Ictus and in other programs that are on this machine, interleaved, the best of several rounds, on one core and
on all of them: one table on standard output, and race.html and race.json in --out.

    bench/race/race.py [--out runs/race] [--rounds 3] [--only bouncing,problems,settling,tower,rod,sliding,bars,block] [--problems FOLDER]

scripts/setup race installs what Debian has of the others. A program that is not there is left out, and the page says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.path.insert(0, str(ROOT / "bench" / "race"))
import bodies  # noqa: E402
import page  # noqa: E402
import summary  # noqa: E402
from racing import CORES, HERE, ICTUS, PEERS, build, interleaved, is_here, last_json, number, run, script  # noqa: E402

SMALL = 2_000_000  # bytes of a contact problem
SETTLING = ROOT / "build" / "release" / "bin" / "race_settling"


# Bouncing balls ----------------------------------------------------------------------------------------------------

def bouncing_ictus(folder, cores):
    def parse(ended):
        summary = json.loads(ended.stdout)
        scale = 49 * 10 * 9.81 * 5
        return {"seconds": summary["time"]["wall_seconds"], "steps": summary["time"]["steps"],
                "mean_square_energy_error": summary["published"][0]["own"],
                "energy_drift": summary["energy"]["error"] * summary["energy"]["scale"] / scale,
                "penetration": summary["contact"]["max_penetration"]}
    return run([ICTUS, "run", "validation/bouncing-balls", "--out", folder / "ictus", "--force", "--json", "--threads", cores,
                "--set", "output={history_every: 0.1, frames_every: none, report: false, checkpoint_every: none, ledger_every: 10, contacts: none}"],
               cores, parse)


def race_bouncing(folder, rounds):
    found = {}
    for cores in sorted({1, CORES}):
        racers = {"Ictus": lambda cores=cores: bouncing_ictus(folder, cores)}
        for peer in ("ODE", "Bullet", "MuJoCo", "DART"):
            program = build(peer, "bouncing", folder)
            if program:
                racers[peer] = lambda program=program, cores=cores: run([program, "1e-3"], cores, last_json)
        balls = script("Yade", "bouncing.py")
        if balls and cores == 1:  # so few balls take several threads longer
            racers["Yade"] = lambda balls=balls, cores=cores: run(["yade", "-n", "-x", f"-j{cores}", balls], cores, last_json)
        if balls := script("Chrono", "bouncing.py"):
            racers["Chrono"] = lambda balls=balls, cores=cores: run([sys.executable, balls], cores, last_json)
        for name, result in interleaved(racers, rounds).items():
            found[(name, cores)] = result
    return found


# Frictional contact problems ---------------------------------------------------------------------------------------

def problem_files(folder, given):
    files = []
    if given and given.is_dir():
        files = sorted(f for f in given.iterdir() if f.name.endswith(".dat"))
    for layers in (6, 23):
        file = folder / f"pyramid-{layers}.dat"
        if not file.exists():
            subprocess.run([sys.executable, HERE / "pyramid.py", str(layers), str(file)], check=True)
        files.append(file)
    return files


def problem_ictus(file, cores):
    def parse(ended):
        lines = dict(line.split(None, 1) for line in ended.stdout.splitlines() if line.strip())
        return {"seconds": float(lines["time"].split()[0]), "error": float(lines["error"]), "contacts": int(lines["contacts"]),
                "iterations": int(lines["iterations"])}
    return run([ICTUS, "contact-problem", file, "--tolerance", "1e-6", "--threads", cores], cores, parse)


def race_problems(folder, rounds, given):
    siconos = build("Siconos", "contact_problem", folder)
    found = {}
    for file in problem_files(folder, given):
        print(f"   {file.name}", file=sys.stderr)
        for cores in sorted({1, CORES}):
            racers = {"Ictus": lambda: problem_ictus(file, cores)}
            if siconos and cores == 1:  # its solvers have one thread
                # Its Newton method, of 6 s with 364 contacts, is not for many.
                methods = ["nsgs"] + ["newton"] * (file.stat().st_size < SMALL)
                for method in methods:
                    racers[f"Siconos, {method}"] = lambda method=method: run([siconos, file, method, "1e-6"], 1, last_json)
            for name, result in interleaved(racers, rounds).items():
                found[(file.stem, name, cores)] = result
    return found


# Settling ----------------------------------------------------------------------------------------------------------

def race_settling(rounds):
    """race_settling takes turns of a few steps of all racers itself; its rows are the best of the rounds."""
    found = {}
    if not SETTLING.exists():
        return found
    for shape in ("spheres", "boxes"):
        for _ in range(rounds):
            ended = subprocess.run([str(SETTLING), "8", shape, "1000"], capture_output=True, text=True, check=False, timeout=900,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
            for line in ended.stdout.splitlines()[2:]:
                numbers = line.split()[-9:]
                name = line[: line.index(numbers[0])].strip()
                rate = float(numbers[2])
                row = {"seconds": 1 / rate, "median_error": float(numbers[5]), "largest_error": float(numbers[6]),
                       "kinetic": float(numbers[7]), "unexplained": float(numbers[8])}
                key = (shape, name)
                if key not in found or row["seconds"] < found[key]["seconds"]:
                    found[key] = row
    return found


# The page ----------------------------------------------------------------------------------------------------------

def bouncing_section(found):
    rows = []
    for (name, cores), r in found.items():
        if "failure" in r:
            rows.append([name, str(cores), r["failure"], "", "", ""])
            continue
        rows.append([name, str(cores), number(1e6 * r["seconds"] / r["steps"]), number(r["mean_square_energy_error"]),
                     number(r["energy_drift"]), number(r["penetration"])])
    return page.section("bouncing", "Bouncing balls", page.text(
        "49 balls of 10 kg and 0.1 m fall from 5 m and return as fast as they came, for 20 s in steps of 1 ms (SimBenchmark). The energy "
        "of the exact motion does not change. Energies of the others count while no ball is in the floor. The time of Ictus has its "
        "ledger in it, every ten steps."),
        page.table("Bouncing balls", [("Program", False), ("Cores", True), ("Time per step [µs]", True),
                                      ("Mean square energy error [J²]", True), ("Largest energy error, relative", True),
                                      ("Largest penetration [m]", True)], [(None, rows)]))


def problems_section(found):
    groups = {}
    for (file, name, cores), r in found.items():
        first = [name, str(cores)]
        rest = [r["failure"], "", ""] if "failure" in r else [number(r["seconds"]), number(r["error"]), str(r["iterations"])]
        groups.setdefault(file, []).append(first + rest)
    points = {}
    for (file, name, cores), r in found.items():
        if cores == 1 and "failure" not in r and r["error"] <= 1e-5:
            points.setdefault(name, []).append((r["contacts"], r["seconds"]))
    curves = [(name, [p[0] for p in sorted(points[name])], [p[1] for p in sorted(points[name])], "points") for name in points]
    return page.section("problems", "Frictional contact problems", page.text(
        "One-step problems u = W r + q with Coulomb cones; the error is |r − P(r − u − μ |u_T| n)| / |q| for all. Each is asked for 1e-6 "
        "in its own measure. Siconos has its nonsmooth Gauss-Seidel method, which its manual recommends for many contacts, and for small problems its "
        "nonsmooth Newton method, with their defaults but for the tolerance and 100 000 iterations."),
        page.table("Frictional contact problems", [("Program", False), ("Cores", True), ("Time [s]", True), ("Error", True),
                                                   ("Iterations", True)], sorted(groups.items())),
        page.plot("Time", ("contacts", "", True), ("time", "s", True), curves, "One core; what ended with an error below 1e-5."))


def settling_section(found):
    rows = [[shape, name, number(1e6 * r["seconds"]), number(r["median_error"]), number(r["largest_error"]), number(r["kinetic"])]
            for (shape, name), r in found.items()]
    return page.section("settling", "Settling", page.text(
        "512 bodies fall into a box and come to rest, steps of 2 ms, μ = 0.3, one core, in turns of ten steps. The impulses of every step "
        "are judged by the law of contact. ODE and Bullet have their usual iterations. The kinetic energy at the end should be none."),
        page.table("Settling", [("Bodies", False), ("Program", False), ("Time per body and step [µs]", True), ("Median error", True),
                                ("Largest error", True), ("Kinetic energy at the end [J]", True)], [(None, rows)]))


def absent():
    notes = [f"{peer} is not here: " + ("this Python does not find it, and Debian does not have it" if "module" in about else
                                        "scripts/setup race installs it")
             for peer, about in PEERS.items() if not is_here(peer)]
    if not SETTLING.exists():
        notes.append("race_settling was not built: it needs ODE and Bullet when the build is configured")
    return notes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "race")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="bouncing,problems,settling,tower,rod,sliding,bars,block")
    parser.add_argument("--problems", type=Path, default=os.environ.get("ICTUS_CONTACT_PROBLEMS"), help="a folder of problems of others")
    arguments = parser.parse_args()
    folder = arguments.out
    (folder / "work").mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    sections, results = [], {}
    contests = {
        "bouncing": (lambda: race_bouncing(folder / "work", arguments.rounds), bouncing_section),
        "problems": (lambda: race_problems(folder / "work", arguments.rounds, arguments.problems and Path(arguments.problems)),
                     problems_section),
        "settling": (lambda: race_settling(arguments.rounds), settling_section),
        "tower": (lambda: bodies.race_tower(folder / "work", arguments.rounds), bodies.tower_section),
        "rod": (lambda: bodies.race_rod(folder / "work", arguments.rounds), bodies.rod_section),
        "sliding": (lambda: bodies.race_sliding(folder / "work", arguments.rounds), bodies.sliding_section),
        "bars": (lambda: bodies.race_bars(folder / "work", arguments.rounds), bodies.bars_section),
        "block": (lambda: bodies.race_block(folder / "work", arguments.rounds), bodies.block_section),
    }
    for name in arguments.only.split(","):
        if name not in contests:
            parser.error(f"there is no contest {name}; there are {', '.join(contests)}")
        print(f"== {name}", file=sys.stderr, flush=True)
        race, show = contests[name]
        results[name] = race()
        sections.append(show(results[name]))
    sections.insert(0, summary.summary_section(results))
    sections.append(summary.settings_section())
    sections.append(page.section("left-out", "Left out", *[page.text(note) for note in absent()]))
    page.write(folder / "race.html", "Ictus race", f"The same problems in several programs, best of {arguments.rounds}", sections)
    table = {name: [{"key": list(key) if isinstance(key, tuple) else key, **row} for key, row in found.items()]
             for name, found in results.items()}
    (folder / "race.json").write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    for section in sections:
        for block in section["blocks"]:
            if block["type"] != "table" or section["id"] == "settings":
                continue
            print(f"\n{block['caption']}\n  " + " | ".join(column["heading"] for column in block["columns"]))
            for group in block["groups"]:
                for row in group["rows"]:
                    print("  " + " | ".join(([group["heading"]] if "heading" in group else []) + row))
    print(f"\n{time.monotonic() - started:.0f} s, page {folder / 'race.html'}")
    return 0 if shutil.which("g++") else 1


if __name__ == "__main__":
    sys.exit(main())
