"""Checks scenes against the JSON Schema with the package jsonschema: validate.py SCHEMA INSTANCES.

INSTANCES is a list of {"name", "scene", "valid"}; the exit status is 1 where the validator disagrees with "valid".
"""

import json
import sys
from pathlib import Path

import jsonschema

schema, instances = (json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:3])
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failed = False
for instance in instances:
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(instance["scene"])]
    if (not errors) != instance["valid"]:
        failed = True
        print(f"{instance['name']!r} should be {'valid' if instance['valid'] else 'refused'}:", *errors, sep="\n  ")
print(f"{len(instances)} scenes checked")
sys.exit(failed)
