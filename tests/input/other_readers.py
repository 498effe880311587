#!/usr/bin/env python3
"""Every case that comes with the program is valid by its JSON Schema, and PyYAML reads the same scene as the program.

usage: other_readers.py PROGRAM
"""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import yaml


def ictus(arguments: list[str], text: str = "") -> str:
    ended = subprocess.run([sys.argv[1], *arguments], input=text, capture_output=True, text=True, check=False)
    return ended.stdout if ended.returncode == 0 else f"refused: {ended.stderr}"


def mistakes_of(case: str, schema: dict, text: str) -> list[str]:
    """What is wrong with a case as PyYAML loads it. JSON is YAML: the program reads what was loaded once more."""
    loaded = yaml.safe_load(text)
    found = [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"
             for error in jsonschema.Draft7Validator(schema).iter_errors(loaded)]
    again, own = ictus(["check", "-", "--resolved"], json.dumps(loaded)), ictus(["check", "-", "--resolved"], text)
    if again != own:
        differences = [f"{a!r}, PyYAML {b!r}" for a, b in zip(own.splitlines(), again.splitlines()) if a != b]
        found.append(f"is not the same scene: {differences[:3]}")
    return [f"{case}: {one}" for one in found]


def main() -> int:
    schema = json.loads(ictus(["schema"]))
    cases = [one["name"] for one in json.loads(ictus(["cases", "--json"]))]
    mistakes = [one for case in cases for one in mistakes_of(case, schema, ictus(["show", case, "--expect"]))]
    print("\n".join(mistakes) or f"{len(cases)} cases are the same scenes to others")
    return 1 if mistakes or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
