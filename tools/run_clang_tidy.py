#!/usr/bin/env python3
"""Reads src and apps with clang-tidy and remembers what was found clean.

clang-tidy spends its time on the headers of Eigen and the standard library, so the sources of a module are read together,
as one file that includes them; sources that clash (the same name in two unnamed namespaces) are read apart.
Sources are read again when one of them, a header of this tree that they include, the compiler's flags or the list of checks
changes. What was found clean is remembered under $XDG_CACHE_HOME/ictus/clang-tidy, by content, for every checkout.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-14"
# Warnings are the compiler's to give; reading sources together includes them and lets names shadow each other.
OPTIONS = [f"--config-file={ROOT}/.clang-tidy", "--extra-arg=-w", "--checks=-bugprone-suspicious-include"]
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<(ictus/[^>]+)>", re.MULTILINE)

# The name that a declaration at the start of a line gives.
DECLARED = re.compile(r"(?:enum class|enum|struct|class) (\w+)|(?!namespace|[#/}])\S.*?\b(\w+)\s*[(={;[]")


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


class Reader:
    """Runs clang-tidy on groups of sources that share their compiler flags."""

    def __init__(self, build: Path):
        self.build = build
        version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
        self.common = version + (ROOT / ".clang-tidy").read_bytes() + Path(__file__).read_bytes()
        self.clean = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ictus" / "clang-tidy"
        self.clean.mkdir(parents=True, exist_ok=True)

    def mark(self, group: list[dict]) -> Path:
        """The file that exists if the group, as it is now, was found clean."""
        digest = hashlib.sha256(self.common)
        for entry in group:
            command = entry["command"].replace(str(self.build), "BUILD").replace(str(ROOT), "ROOT")
            digest.update(command.encode())
            for path in reachable(Path(entry["file"]), self.build):
                digest.update(path.read_bytes())
        return self.clean / digest.hexdigest()

    def findings(self, group: list[dict]) -> str:
        """What clang-tidy finds in the group; empty if nothing."""
        first = group[0]
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "together.cpp"
            source.write_text("".join(f'#include "{entry["file"]}"\n' for entry in group))
            command = first["command"].replace(first["file"], str(source))
            database = [{"directory": first["directory"], "command": command, "file": str(source)}]
            (Path(folder) / "compile_commands.json").write_text(json.dumps(database))
            run = subprocess.run([CLANG_TIDY, "--quiet", "-p", folder, *OPTIONS, str(source)],
                                 capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return ""
        if "[clang-diagnostic-error]" in run.stdout and len(group) > 1:
            middle = len(group) // 2
            return self.findings(group[:middle]) + self.findings(group[middle:])
        return run.stdout + run.stderr

    def read(self, group: list[dict]) -> tuple[str, float]:
        """What clang-tidy finds, and the seconds it took."""
        start = time.monotonic()
        found = self.findings(group)
        if not found:
            self.mark(group).touch()
        return found, time.monotonic() - start


def private_names(file: Path) -> set[str]:
    """Names that the file declares in unnamed namespaces, as far as its layout shows them."""
    names: set[str] = set()
    inside = False
    for line in file.read_text(encoding="utf-8").splitlines():
        if line == "namespace {":
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif inside and (name := DECLARED.match(line)):
            names.add(name.group(1) or name.group(2))
    return names


def module_of(file: Path) -> Path:
    """src/ictus/<module> of a source in one of its rooms, otherwise the source's folder."""
    modules = ROOT / "src" / "ictus"
    return modules / file.relative_to(modules).parts[0] if modules in file.parents else file.parent


def groups_of(entries: list[dict]) -> list[list[dict]]:
    """The entries by module and flags, each in the first group of its kind that has none of its private names."""
    groups: dict[tuple, list[tuple[list[dict], set[str]]]] = {}
    for entry in entries:
        file = Path(entry["file"])
        flags = [word for word in entry["command"].split() if word.startswith(("-D", "-I", "-f", "-m", "-std", "-isystem"))]
        names = private_names(file)
        alike = groups.setdefault((module_of(file), *flags), [])
        for group, taken in alike:
            if not taken & names:
                group.append(entry)
                taken |= names
                break
        else:
            alike.append(([entry], names))
    return [group for alike in groups.values() for group, _ in alike]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "lint",
                        help="build folder with a compile_commands.json that names every source")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="folders read at a time")
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if is_ours(Path(entry["file"]))]
    reader = Reader(build)
    waiting = [group for group in groups_of(entries) if not reader.mark(group).exists()]
    count = sum(map(len, waiting))
    print(f"{len(entries)} files, {len(entries) - count} known to be clean", flush=True)

    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {pool.submit(reader.read, group): group for group in sorted(waiting, key=len, reverse=True)}
        for number, run in enumerate(concurrent.futures.as_completed(runs), start=1):
            found, seconds = run.result()
            folder = Path(runs[run][0]["file"]).parent.relative_to(ROOT)
            print(f"[{number}/{len(runs)}] {folder}: {len(runs[run])} files, {seconds:.1f} s", flush=True)
            if found:
                failed = True
                print(found, flush=True)
    if not failed:
        print("No findings.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
