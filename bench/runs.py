"""Runs of the program for measurements: what they took and what they wrote."""

import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

ICTUS = Path(__file__).resolve().parent.parent / "build" / "release" / "bin" / "ictus"
SILENT = ["--set", "output={frames_every: none, report: false, checkpoint_every: none, contacts: none, history_every: 1.0e+6}"]


def on_one_core(limit):
    """Of a process about to start: its core, and how many seconds of it it may have."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))


def run(scene, options=(), limit=120):
    """`scene` is a case or the text of a scene. A dictionary: summary, seconds of processor time, peak of memory in bytes,
    sizes of the files; or failure, why there is none: it ended with an error, or took more than `limit` seconds of processor time,
    whatever else the machine does meanwhile. Runs on one core."""
    folder = Path(tempfile.mkdtemp(prefix="ictus-bench-"))
    try:
        name = scene
        if "\n" in scene:
            name = folder / "scene.yaml"
            name.write_text(scene, encoding="utf-8")
        command = [str(ICTUS), "run", str(name), "--out", str(folder / "out"), "--json", "--threads", "1", *options]
        with open(folder / "json", "w+", encoding="utf-8") as out:
            child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=lambda: on_one_core(limit))
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            text = out.read()
        if child.returncode != 0:
            late = child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) and used.ru_utime + used.ru_stime >= limit
            return {"failure": f"not done in {limit} s of processor time" if late else f"code {child.returncode}: {text[:300]}"}
        sizes = {f.name: f.stat().st_size for f in (folder / "out").rglob("*") if f.is_file()}
        return {"summary": json.loads(text), "processor": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss * 1024,
                "output": sum(size for file, size in sizes.items() if file != "report.html"), "report": sizes.get("report.html", 0)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
