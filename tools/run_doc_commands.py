#!/usr/bin/env python3
"""Runs the commands of documentation pages, so that what they say keeps working.

Every block ```sh of a page is run by bash, one block after the other in one empty folder (or in --in), and must succeed
without a missed expectation or a note about the scene.
`ictus` is the one of the search path. Blocks of other kinds (```text, ```yaml) are not run.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)

SURPRISE = re.compile(r"^(expect .*missed|Note: )", re.MULTILINE)


def commands(page: Path) -> list[str]:
    return [match.group(1) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def run_page(page: Path, folder: Path) -> bool:
    for block in commands(page):
        print(f"== {page}\n{block}", flush=True)
        ended = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, check=False,
                               stdout=subprocess.PIPE, text=True)
        print(ended.stdout, flush=True)
        if ended.returncode != 0:
            print(f"{page}: this block fails:\n{block}", file=sys.stderr)
            return False
        if SURPRISE.search(ended.stdout):
            print(f"{page}: this block prints what a reader would not expect:\n{block}", file=sys.stderr)
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--in", dest="folder", type=Path, help="run here instead of in an empty folder for each page")
    arguments = parser.parse_args()
    sound = True
    for page in arguments.pages:
        if not commands(page):
            print(f"{page}: has no commands to run", file=sys.stderr)
            sound = False
        if arguments.folder:
            sound = run_page(page, arguments.folder) and sound
            continue
        with tempfile.TemporaryDirectory(prefix="ictus-docs-") as folder:
            sound = run_page(page, Path(folder)) and sound
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
