"""Sections of the race that speak of all contests: Ictus beside the fastest of the others, and how the others are set."""

import ast

import page
from racing import HERE, PEERS, is_here, number

ERROR = {"bouncing": "mean_square_energy_error", "problems": "error", "settling": "median_error", "tower": "moved", "rod": "error",
         "sliding": "error", "bars": "error", "block": "error"}


def on_one_core(contest, found):
    """(what, program, name, result) of the runs on one core that came to an end; `what` tells problems of a contest apart."""
    for key, result in found.items():
        if "failure" in result:
            continue
        if contest == "settling":
            yield f"{contest}, {key[0]}", key[1], key[1], result
        elif contest == "problems":
            file, program, cores = key
            if cores == 1:
                yield f"{contest}, {file}", program, program, result
        elif key[1] == 1:
            program, _, size = key[0].partition(", ")
            yield (f"{contest}, {size}" if size else contest), program, key[0], result


#: Contests in which racers have meshes: a finer one of another program meets the coarsest of Ictus that is no worse.
MESHED = ("rod", "sliding")


def duels(results):
    """For each problem: the fastest of the others, and the fastest run of Ictus whose error is no larger, or its fastest where there is none, as
    (contest, what, own name, own, program, other)."""
    for contest, found in results.items():
        runs = list(on_one_core(contest, found))
        for what in dict.fromkeys(run[0] for run in runs):
            others = [(program, r) for w, program, _, r in runs if w == what and not program.startswith("Ictus")]
            mine = [(name, r) for w, program, name, r in runs if program.startswith("Ictus") and (w == what or contest in MESHED)]
            if mine and others:
                program, other = min(others, key=lambda one: one[1]["seconds"])
                as_good = [one for one in mine if one[1][ERROR[contest]] <= other[ERROR[contest]]]
                name, own = min(as_good or mine, key=lambda one: one[1]["seconds"])
                yield contest, what, name, own, program, other


def summary_section(results):
    rows = [[what, name, number(own["seconds"]), program, number(other["seconds"]), number(other["seconds"] / own["seconds"]),
             number(own[ERROR[contest]]), number(other[ERROR[contest]])] for contest, what, name, own, program, other in duels(results)]
    return page.section("summary", "Beside the fastest of the others", page.text(
        "One core, the same run. Below 1 in the column of how many times faster Ictus is, the other program is faster. The error is that of the "
        "contest: each of them says below what it means, and it must be read with the time. Where Ictus ran on several meshes or to several "
        "tolerances, this is the fastest that is no worse than the other program. Its time has the ledger of energies in it, read every ten steps, "
        "and a history of the first and the last instant."),
        page.table("Summary", [("Problem", False), ("Ictus", False), ("Its time [s]", True), ("Fastest of the others", False), ("Its time [s]", True),
                               ("Times faster", True), ("Error of Ictus", True), ("Its error", True)], [(None, rows)]))


def head_of(driver):
    """What a driver says of itself at its top: the comment of a C++ source, without how it is called, or the text of a script."""
    text = driver.read_text(encoding="utf-8")
    if driver.suffix == ".py":
        return " ".join((ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].split())
    lines = []
    for line in text.splitlines():
        if line == "#pragma once" or (not lines and not line):
            continue
        if not line.startswith("//") or line == "//":
            break
        lines.append(line.removeprefix("//").strip())
    return " ".join(lines)


def settings_section():
    groups = []
    for peer, about in PEERS.items():
        drivers = [d for d in sorted((HERE / about["folder"]).iterdir()) if d.suffix in (".cpp", ".hpp", ".py")]
        rows = [[driver.stem.replace("_", " "), head_of(driver)] for driver in drivers]
        groups.append((peer if is_here(peer) else f"{peer}, which is not here", rows))
    return page.section("settings", "How the others are set", page.text(
        "Each driver is written as a careful user of that program would: after its documentation, for what the contest measures. What follows is "
        "the head of each driver in bench/race, which holds the rest. In settling, ODE has its QuickStep with 20 iterations, and Bullet its "
        "defaults: 10 iterations, warm start, nobody falls asleep."),
        page.table("Settings", [("Driver", False), ("What it says", False)], groups))
