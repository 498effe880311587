#!/usr/bin/env python3
"""Checks that every equation cited in the code exists in the theory.

docs/theory/<page>.md labels an equation `{#eq-<page>-<n>}`; code cites it as `[eq. <page>-<n>]`, several as
`[eq. <page>-<n>, <page>-<m>]`. A label stands once, on the page it names; a citation names a label that stands.
"""

import argparse
import re
import sys
from pathlib import Path

LABEL = re.compile(r"\{#eq-([^}\s]*)\}")
CITATION = re.compile(r"\[eqs?\b\.?\s*([^\]]*)\]")
NAME = re.compile(r"(?P<page>[a-z][a-z0-9-]*)-(?P<number>[0-9]+[a-z]?)")
CODE_FOLDERS = ("src", "apps", "tests", "bench", "python")
CODE_SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".py"}


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def read_labels(root: Path, problems: list[str]) -> dict[str, str]:
    """Label name → "file:line" of every equation in the theory."""
    labels: dict[str, str] = {}
    for path in sorted((root / "docs" / "theory").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for match in LABEL.finditer(text):
            place = f"{path.relative_to(root)}:{line_of(text, match.start())}"
            name = match.group(1)
            parts = NAME.fullmatch(name)
            if parts is None or parts["page"] != path.stem:
                problems.append(f"{place}: label eq-{name}: must be eq-{path.stem}-<number>")
            elif name in labels:
                problems.append(f"{place}: label eq-{name}: stands already at {labels[name]}")
            labels.setdefault(name, place)
    return labels


def check_citations(root: Path, labels: dict[str, str], problems: list[str]) -> int:
    """Adds to problems each citation without a label; returns the number of citations."""
    count = 0
    for folder in CODE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in CODE_SUFFIXES or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            for match in CITATION.finditer(text):
                place = f"{path.relative_to(root)}:{line_of(text, match.start())}"
                # A citation may break across comment lines.
                names = re.split(r"[\s,/]+", match.group(1).replace("//", " ").strip())
                for name in names:
                    count += 1
                    if name not in labels:
                        problems.append(f"{place}: [eq. {name}]: no such equation in docs/theory")
    return count


def check(root: Path) -> tuple[list[str], str]:
    """All problems of the tree under root, and a line that says what was looked at."""
    problems: list[str] = []
    labels = read_labels(root, problems)
    citations = check_citations(root, labels, problems)
    return problems, f"{citations} citations of {len(labels)} equations"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the tree to check")
    problems, summary = check(parser.parse_args().root)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{summary}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
