"""What the contests of the race share: the other programs, how their drivers are compiled and run, and rounds in turns."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "bench" / "race"
ICTUS = ROOT / "build" / "release" / "bin" / "ictus"
CORES = len(os.sched_getaffinity(0))
LIMIT = 120  # s, of one run

NATIVE = ["-march=native"]
PEERS = {
    "ODE": {"folder": "ode", "flags": [*NATIVE, "-lode"], "needs": "/usr/include/ode/ode.h"},
    "Bullet": {"folder": "bullet", "needs": "/usr/include/bullet/btBulletDynamicsCommon.h",
               "flags": [*NATIVE, "-I/usr/include/bullet", "-lBulletDynamics", "-lBulletCollision", "-lLinearMath"]},
    "MuJoCo": {"folder": "mujoco", "flags": [*NATIVE, "-lmujoco"], "needs": "/usr/include/mujoco/mujoco.h"},
    # Its types have the alignment with which Debian compiled it.
    "DART": {"folder": "dart", "needs": "/usr/include/dart/external/ikfast/ikfast.h",
             "flags": ["-I/usr/include/eigen3", "-ldart", "-ldart-external-odelcpsolver", "-lassimp", "-lfcl", "-lccd"]},
    "Siconos": {"folder": "siconos", "needs": "/usr/include/siconos/numerics/FrictionContactProblem.h",
                "flags": [*NATIVE, "-I/usr/include/siconos", "-I/usr/include/siconos/numerics", "-I/usr/include/siconos/externals",
                          "-lsiconos_numerics"]},
    "Yade": {"folder": "yade", "needs": "/usr/bin/yade"},
    "CalculiX": {"folder": "calculix", "needs": "/usr/bin/ccx"},
    # Python packages that Debian does not have, raced where this Python finds them.
    "PyElastica": {"folder": "pyelastica", "module": "elastica"},
    "Chrono": {"folder": "chrono", "module": "pychrono"},
}


def is_here(peer):
    about = PEERS[peer]
    return importlib.util.find_spec(about["module"]) is not None if "module" in about else Path(about["needs"]).exists()


def build(peer, program, folder):
    """The driver of a peer, compiled as its documentation says for speed; None where it cannot be."""
    about = PEERS[peer]
    source = HERE / about["folder"] / f"{program}.cpp"
    if not source.exists() or not is_here(peer):
        return None
    target = folder / f"{about['folder']}_{program}"
    shared = [*HERE.glob("*.hpp"), *source.parent.glob("*.hpp")]
    if target.exists() and all(target.stat().st_mtime > one.stat().st_mtime for one in [source, *shared]):
        return target
    made = subprocess.run(["g++", "-O3", "-std=c++20", str(source), "-o", str(target), *about["flags"]],
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        print(f"{peer}: its driver does not compile here\n{made.stderr}", file=sys.stderr)
        return None
    return target


def script(peer, name):
    """The driver of a peer that is a script; None where the peer is not there."""
    return HERE / PEERS[peer]["folder"] / name if is_here(peer) else None


def run(command, cores, parse):
    """What `parse` makes of the output; a dictionary with "failure" where there is none."""
    everyone = os.sched_getaffinity(0)
    mine = set(sorted(everyone)[:cores])
    environment = os.environ | {"OMP_NUM_THREADS": str(cores), "OPENBLAS_NUM_THREADS": str(cores)}
    try:
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=LIMIT,
                               env=environment, preexec_fn=lambda: os.sched_setaffinity(0, mine))
        return parse(ended)
    except subprocess.TimeoutExpired:
        return {"failure": f"not done in {LIMIT} s"}
    except (ValueError, KeyError, IndexError):
        return {"failure": f"ended with code {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-200:]}"}


def last_json(ended):
    return json.loads(ended.stdout.strip().splitlines()[-1])


def best(results):
    good = [r for r in results if "failure" not in r]
    return min(good, key=lambda r: r["seconds"]) if good else results[0]


def interleaved(racers, rounds):
    """`racers`: name to a function that makes one run. A racer that failed is not asked again."""
    results = {name: [] for name in racers}
    for number in range(rounds):
        for name, go in racers.items():
            if any("failure" in r for r in results[name]):
                continue
            results[name].append(go())
            shown = results[name][-1]
            print(f"   {name}, round {number + 1}: {shown.get('failure') or format(shown['seconds'], '.4g') + ' s'}",
                  file=sys.stderr, flush=True)
    return {name: best(found) for name, found in results.items()}


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


SILENT = ["--set", "output={frames_every: none, report: false, checkpoint_every: none, contacts: none, ledger_every: 10, history_every: 1.0e+6}"]


def ictus(scene, folder, cores, read):
    """Runs a case or a scene file; `read` makes figures of the summary, beside steps and seconds."""
    def parse(ended):
        summary = json.loads(ended.stdout)
        return {"seconds": summary["time"]["wall_seconds"], "steps": summary["time"]["steps"], **read(summary)}
    return run([ICTUS, "run", scene, "--out", folder / "ictus", "--force", "--json", "--threads", cores, *SILENT], cores, parse)
