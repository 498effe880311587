#!/usr/bin/env python3
"""Checks that the modules depend on each other as docs/architecture.md says.

The table "| module | holds | may include |" on that page is the only list. Held against it are
  - every #include <ictus/...> under src/ictus, which must be allowed and named in the module's USES;
  - USES in every ictus_module() line of src/ictus/CMakeLists.txt, which must be allowed;
  - the folders of src/ictus, the ictus_module() lines and the namespaces, which must have a row.
Each .cpp there includes first, in a block of its own, its own header or, without one, that of its module which declares
what it defines. Besides, neither a module other than exec nor the program names OpenMP, CUDA or MPI.
"""

import argparse
import re
import sys
from pathlib import Path

HEADER = re.compile(r"^\|\s*module\s*\|\s*holds\s*\|\s*may include\s*\|\s*$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace\s+ictus(?:::(\w+))?", re.MULTILINE)
MODULE_CALL = re.compile(r"\bictus_module\(\s*(\w+)([^)]*)\)")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
PARALLEL = re.compile(r"#\s*pragma\s+omp\b|\bomp_\w+|\b_OPENMP\b|<omp\.h>|\bMPI_\w+|<mpi\.h>|\bcuda\w+|<cuda\w*\.h>"
                      r"|\b__(?:global|device|host|shared)__|\b__CUDA\w*|<<<")
PARALLEL_TARGET = re.compile(r"\b(?:OpenMP|MPI|CUDA)::?\w+")
PARALLEL_MODULE = "exec"
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".in"}


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def without_comments(text: str) -> str:
    """The text with comments and strings blanked, lines kept."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def read_table(page: Path) -> dict[str, set[str]]:
    """Module → modules it may include, from the table of the architecture page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    starts = [i for i, line in enumerate(lines) if HEADER.match(line)]
    if len(starts) != 1:
        sys.exit(f"{page}: one table '| module | holds | may include |' is needed, {len(starts)} found")
    table: dict[str, set[str]] = {}
    for line in lines[starts[0] + 2:]:
        if not line.startswith("|"):
            break
        module, _, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        table[module] = set(re.findall(r"\w+", allowed))
    for module, allowed in table.items():
        for name in allowed - table.keys():
            sys.exit(f"{page}: {module} may include {name}, which has no row")
    return table


class Uses:
    """The USES of each ictus_module() line."""

    def __init__(self, cmake: Path, root: Path, table: dict[str, set[str]], problems: list[str]):
        self.of: dict[str, set[str]] = {}
        text = re.sub(r"#[^\n]*", "", cmake.read_text(encoding="utf-8"))
        for match in MODULE_CALL.finditer(text):
            module, arguments = match.groups()
            place = f"{cmake.relative_to(root)}:{line_of(text, match.start())}"
            uses = re.search(r"\bUSES\b((?:\s+(?!LINKS\b|PRIVATE_LINKS\b)\w+)*)", arguments)
            self.of[module] = set(uses.group(1).split()) if uses else set()
            if module not in table:
                problems.append(f"{place}: module {module} has no row in docs/architecture.md")
                continue
            for name in sorted(self.of[module] - table[module]):
                problems.append(f"{place}: {module} USES {name}, which docs/architecture.md does not allow")
            if module != PARALLEL_MODULE and (found := PARALLEL_TARGET.search(arguments)):
                problems.append(f"{place}: {module} links {found.group()}; only {PARALLEL_MODULE} may")


def check_first_include(path: Path, place: str, module: str, source: Path, text: str, problems: list[str]) -> None:
    own = path.with_suffix(".hpp")
    wanted = f"ictus/{own.relative_to(source)}" if own.exists() else f"ictus/{module}/"
    words = f"<{wanted}>" if own.exists() else f"a header of {module}"
    first = INCLUDE.search(text)
    if first is None:
        if own.exists():
            problems.append(f"{place}: does not include {words}")
    elif not (first.group(2) == wanted if own.exists() else first.group(2).startswith(wanted)):
        problems.append(f"{place}:{line_of(text, first.start())}: the first include must be {words}")
    elif re.match(r"[^\n]*\n[ \t]*#[ \t]*include", text[first.end():]):
        problems.append(f"{place}:{line_of(text, first.start())}: an empty line must follow the include of {words}")


def check_file(path: Path, place: str, module: str, allowed: set[str], uses: set[str], problems: list[str]) -> None:
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        bracket, target = match.groups()
        here = f"{place}:{line_of(text, match.start())}"
        if bracket == '"':
            problems.append(f'{here}: "{target}": include as <ictus/module/room/file.hpp>')
            continue
        if not target.startswith("ictus/"):
            continue
        other = target.split("/")[1]
        if other == module:
            continue
        if other not in allowed:
            problems.append(f"{here}: {module} includes <{target}>, which docs/architecture.md does not allow")
        elif other not in uses:
            problems.append(f"{here}: {module} includes <{target}>, but its ictus_module() does not USE {other}")
    code = without_comments(text)
    for match in NAMESPACE.finditer(code):
        if match.group(1) != module:
            problems.append(f"{place}:{line_of(code, match.start())}: {match.group()} in the folder of {module}")
    if module != PARALLEL_MODULE:
        check_parallel(code, place, problems)


def check_parallel(code: str, place: str, problems: list[str]) -> None:
    for match in PARALLEL.finditer(code):
        problems.append(f"{place}:{line_of(code, match.start())}: names {match.group()}; only {PARALLEL_MODULE} may")


def check(root: Path) -> tuple[list[str], str]:
    """All problems of the tree under root, and a line that says what was looked at."""
    problems: list[str] = []
    table = read_table(root / "docs" / "architecture.md")
    source = root / "src" / "ictus"
    uses = Uses(source / "CMakeLists.txt", root, table, problems)
    files = 0
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        module = folder.name
        if module not in table or module not in uses.of:
            missing = "row in docs/architecture.md" if module not in table else "ictus_module() line"
            problems.append(f"{folder.relative_to(root)}: has no {missing}")
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES:
                files += 1
                check_file(path, str(path.relative_to(root)), module, table[module], uses.of[module], problems)
            if path.suffix == ".cpp":
                check_first_include(path, str(path.relative_to(root)), module, source, path.read_text(encoding="utf-8"),
                                    problems)
    for path in sorted((root / "apps").rglob("*")):
        if path.suffix in SUFFIXES:
            check_parallel(without_comments(path.read_text(encoding="utf-8")), str(path.relative_to(root)), problems)
    return problems, f"{files} files of {len(uses.of)} modules"


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
