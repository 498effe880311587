#!/usr/bin/env python3
"""Reads src and apps with clang-tidy, several files at a time, and remembers which files were found clean.

A file is read again when it, a header of this tree that it includes, its compiler flags or the list of checks changes.
What was found clean is remembered under $XDG_CACHE_HOME/ictus/clang-tidy, by content, for every checkout.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-14"
# GCC's pragmas and warnings are not all clang's.
EXTRA_ARGUMENTS = ["--extra-arg=-Wno-unknown-pragmas", "--extra-arg=-Wno-unknown-warning-option"]
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<(ictus/[^>]+)>", re.MULTILINE)


def is_ours(file: Path) -> bool:
    """Sources that people write: not those that the build makes, not third-party ones."""
    return any(folder in file.parents for folder in (ROOT / "src", ROOT / "apps"))


def resolve(header: str, build: Path) -> Path | None:
    for folder in (ROOT / "src", build / "generated"):
        if (folder / header).is_file():
            return folder / header
    return None


def reachable(file: Path, build: Path) -> list[Path]:
    """The file and every header of this tree that it includes, directly or not."""
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = None
        for name in INCLUDE.findall(path.read_bytes()):
            header = resolve(name.decode(), build)
            if header is not None:
                waiting.append(header)
    return sorted(found)


def fingerprint(entry: dict, build: Path, common: bytes) -> str:
    digest = hashlib.sha256(common)
    command = entry["command"].replace(str(build), "BUILD").replace(str(ROOT), "ROOT")
    digest.update(command.encode())
    for path in reachable(Path(entry["file"]), build):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_file(entry: dict, build: Path) -> tuple[bool, str, float]:
    """Whether clang-tidy finds the file clean, what it says, and the seconds it took."""
    start = time.monotonic()
    run = subprocess.run([CLANG_TIDY, "--quiet", "-p", str(build), *EXTRA_ARGUMENTS, entry["file"]],
                         capture_output=True, text=True, check=False)
    text = run.stdout if run.returncode == 0 else run.stdout + run.stderr
    return run.returncode == 0, text, time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release",
                        help="build folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files read at a time")
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if is_ours(Path(entry["file"]))]
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes() + Path(__file__).read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ictus" / "clang-tidy"
    cache.mkdir(parents=True, exist_ok=True)

    marks = {entry["file"]: cache / fingerprint(entry, build, common) for entry in entries}
    waiting = [entry for entry in entries if not marks[entry["file"]].exists()]
    print(f"{len(entries)} files, {len(entries) - len(waiting)} known to be clean", flush=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {pool.submit(read_file, entry, build): entry["file"] for entry in waiting}
        for count, run in enumerate(concurrent.futures.as_completed(runs), start=1):
            clean, text, seconds = run.result()
            file = runs[run]
            print(f"[{count}/{len(waiting)}] {Path(file).relative_to(ROOT)} {seconds:.1f} s", flush=True)
            if clean:
                marks[file].touch()
            else:
                failed += 1
                print(text, flush=True)
    print(f"{failed} files with findings" if failed else "No findings.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
