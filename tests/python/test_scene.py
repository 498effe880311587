import json
import math
import os
import pathlib
import pickle
import subprocess
import tempfile
import typing
import unittest

import numpy as np

import ictus
from ictus import _core
from scenes import ball, bars

PROGRAM = os.environ["ICTUS_PROGRAM"]


def objects(node, path=""):
    """Every object of the schema with its path."""
    if "properties" in node:
        yield path, node
        for key, value in node["properties"].items():
            yield from objects(value, f"{path}.{key}")
    for option in [*node.get("oneOf", []), *node.get("anyOf", [])]:
        yield from objects(option, path)
    for below in ("items", "additionalProperties"):
        if isinstance(node.get(below), dict):
            yield from objects(node[below], path + "[]")


class Classes(unittest.TestCase):
    """The classes are what the schema of the library says, not of another one."""

    def test_every_part_of_the_schema_has_a_class_with_its_keys(self):
        known = {}
        for module in (getattr(ictus, name) for name in ictus.__all__):
            for name in getattr(module, "__all__", []):
                part = getattr(module, name)
                if isinstance(part, type) and issubclass(part, ictus._part.Part):
                    known.setdefault((part._type, frozenset(part._keys.values())), []).append(part)
        count = 0
        for path, node in objects(json.loads(_core.json_schema())):
            keys = dict(node["properties"])
            chosen = keys.pop("type")["const"] if "const" in keys.get("type", {}) else None
            self.assertIn((chosen, frozenset(keys)), known, path)
            parts = known[chosen, frozenset(keys)]  # more than one where parts differ in their defaults alone
            count += len(parts)
            defaults = {key: value["default"] for key, value in keys.items() if "default" in value}
            self.assertIn(defaults, [{part._keys[name]: value for name, value in part._defaults.items()} for part in parts],
                          path)
        self.assertGreater(count, 100)

    def test_what_every_scene_has_is_in_the_package_itself(self):
        count = 0
        for key, node in json.loads(_core.json_schema())["properties"].items():
            for below in (key, "items"), (key, "additionalProperties"), (key, None):
                part = node if below[1] is None else node.get(below[1])
                if not isinstance(part, dict) or "properties" not in part or "const" in part["properties"].get("type", {}):
                    continue
                count += 1
                found = [name for name in ictus.__all__ if set(getattr(getattr(ictus, name), "_keys", {}).values()) == set(part["properties"])]
                self.assertEqual(len(found), 1, f"{key}: {found}")
        self.assertGreater(count, 7)
        self.assertIn("energy_error", ictus.Limits._keys)
        self.assertIn("yield_stress", ictus.Material._keys)

    def test_every_choice_of_every_part_comes_back_from_plain_data(self):
        """A part that is one of several is made of its type, wherever it stands."""
        count = 0
        for module in (getattr(ictus, name) for name in ictus.__all__):
            for name in getattr(module, "__all__", []):
                owner = getattr(module, name)
                for key, kind in getattr(owner, "_kinds", {}).items() if isinstance(owner, type) else ():
                    wrap = lambda value: value
                    while isinstance(kind, (list, tuple)):
                        inner = wrap
                        wrap = (lambda value, inner=inner: inner([value])) if isinstance(kind, list) else (
                            lambda value, inner=inner: inner({"one": value}))
                        kind = kind[0]
                    for type_name, part in kind.items() if isinstance(kind, dict) else [(None, kind)]:
                        count += 1
                        plain = wrap({"type": type_name} if type_name else {})
                        made = getattr(owner._from_tree({owner._keys[key]: plain}), key)
                        while isinstance(made, (list, dict)):
                            made = made[0] if isinstance(made, list) else made["one"]
                        self.assertIs(type(made), part, f"{owner.__name__}.{key}")
        self.assertGreater(count, 80)

    def test_signatures_and_docstrings_name_every_key(self):
        hints = typing.get_type_hints(ictus.bodies.Bar.__init__, vars(ictus._part) | vars(ictus.bodies) | {"parts": ictus.parts})
        self.assertEqual(hints["length"], typing.Union[float, str])
        for key in ictus.bodies.Bar._keys:
            self.assertIn(f"\n    {key}\n", ictus.bodies.Bar.__doc__)
        self.assertIn("Allowed: a length > 0 (in m)", ictus.bodies.Bar.__doc__)

    def test_a_misspelt_key_is_refused_with_the_nearest(self):
        with self.assertRaisesRegex(ictus.InputError, "Bar.lenght: unknown key, did you mean 'length'?"):
            ictus.bodies.Bar(lenght=3)
        bar = ictus.bodies.Bar()
        with self.assertRaisesRegex(ictus.InputError, "did you mean 'density'?"):
            bar.densty = 3

    def test_parts_do_not_share_lists(self):
        one, other = ictus.Scene(), ictus.Scene()
        one.contacts.append(ictus.Contact())
        self.assertEqual(other.contacts, [])


class Check(unittest.TestCase):
    def program(self, scene):
        """What the program says of the same scene in a file, without the lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.yaml"
            path.write_text(json.dumps(_plain(scene)))
            done = subprocess.run([PROGRAM, "check", str(path)], capture_output=True, text=True)
            text = done.stderr + done.stdout
            return [line.split("scene.yaml:1: ", 1)[1] for line in text.splitlines() if "scene.yaml:1: " in line]

    def test_mistakes_have_the_texts_of_the_program_all_at_once(self):
        scene = ball()
        scene.time.step = -1
        scene.bodies["ball"].mass = "2 mm"
        scene.contacts[0].between = ["ball", "flor"]
        with self.assertRaises(ictus.InputError) as caught:
            scene.check()
        lines = str(caught.exception).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(sorted(lines), sorted(self.program(scene)))
        self.assertEqual([mistake.key for mistake in caught.exception.mistakes],
                         [line.split(": ")[0] for line in lines])

    def test_what_is_not_a_number_is_refused(self):
        for wrong in (math.nan, math.inf, -math.inf):
            scene = ball()
            scene.bodies["ball"].mass = wrong
            with self.assertRaisesRegex(ictus.InputError, "bodies.ball.mass: must be a mass > 0"):
                scene.check()

    def test_what_no_scene_holds_is_refused(self):
        scene = ball()
        scene.title = object()
        with self.assertRaisesRegex(ictus.InputError, "cannot hold a object"):
            scene.check()
        around = []
        around.append(around)
        scene.title = around
        with self.assertRaises(ictus.InputError):
            scene.check()

    def test_numpy_and_units_are_understood(self):
        scene = ball()
        scene.gravity = np.array([0, 0, -9.81])
        scene.time.end = np.float32(0.5)
        scene.bodies["ball"].position = np.zeros(3) + [0, 0, 1]
        scene.bodies["ball"].mass = "2000 g"
        self.assertEqual(scene._document().tree()["bodies"]["ball"]["mass"], 2)

    def test_changes_reach_every_key(self):
        scene = ball().with_({"bodies.ball.velocity.2": -3, "time.end": "2 ms"})
        self.assertEqual(scene.bodies["ball"].velocity, [0, 0, -3])
        self.assertEqual(scene.time.end, 0.002)
        with self.assertRaisesRegex(ictus.InputError, "did you mean 'ball'?"):
            ball().with_({"bodies.bal.mass": 3})


class Load(unittest.TestCase):
    def test_every_case_comes_back_as_it_is(self):
        for name in ictus.cases():
            scene = ictus.load(name)
            self.assertEqual(scene.yaml(), _core.load(name).yaml(), name)

    def test_a_file_is_read_and_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bars.yaml"
            bars().save(path)
            self.assertEqual(ictus.load(path).yaml(), bars().yaml())

    def test_an_unknown_name_has_a_neighbour(self):
        with self.assertRaisesRegex(ictus.InputError, "is neither a file nor a case; did you mean two-bars/steel?"):
            ictus.load("two-bars/steal")

    def test_parts_are_classes(self):
        scene = ictus.load("two-bars/steel")
        self.assertIsInstance(next(iter(scene.bodies.values())), ictus.bodies.Bar)
        self.assertIsInstance(scene.contacts[0], ictus.Contact)

    def test_states_and_scenes_can_be_copied(self):
        scene = bars()
        other = scene.copy()
        other.bodies["left"].length = 3
        self.assertEqual(scene.bodies["left"].length, 10)
        state = scene.simulation().state
        self.assertEqual(pickle.loads(pickle.dumps(state)), state)


def _plain(value):
    if hasattr(value, "_tree"):
        return {key: _plain(item) for key, item in value._tree().items()}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
