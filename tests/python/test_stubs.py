"""The types of the extension module, _core.pyi, are those of what was compiled."""

import ast
import inspect
import pathlib
import re
import unittest

import ictus
from ictus import _core

#: What the stub may say where pybind11 says less: dict and tuple may tell what is in them, object may be anything.
SAME = {"object": ".*", "dict": r"dict\[.*\]", "list": r"list\[.*\]", "tuple": r"tuple\[.*\]", "slice": "slice",
        "numpy.ndarray[numpy.float64]": r"NDArray\[np.float64\]", "str": "str", "int": "int", "float": "float", "bool": "bool",
        "None": "None", "List[str]": r"list\[str\]|Sequence\[str\]", "Optional[str]": r"str \| None",
        "List[Tuple[float, str]]": r"list\[tuple\[float, str\]\]",
        "List[ictus._core.Document]": r"Sequence\[Document\]"}
SIGNATURE = re.compile(r"^(?:\d+\. )?(\w+)\((.*)\) -> (.+)$")


def is_same(compiled, stub):
    wanted = SAME.get(compiled) or re.escape(compiled.removeprefix("ictus._core."))
    return re.fullmatch(wanted, stub) is not None


def split(arguments):
    """Arguments between commas that are in no bracket."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def compiled_signatures(function):
    """(arguments as (name or None, type, whether it has a default), type of the result) of each overload."""
    found = []
    for line in (function.__doc__ or "").splitlines():
        if match := SIGNATURE.match(line.strip()):
            arguments = []
            for part in split(match[2]):
                name, _, rest = part.partition(": ")
                kind, equals, _ = rest.partition(" = ")
                arguments.append((None if re.fullmatch(r"arg\d+", name) else name, kind, bool(equals)))
            found.append((arguments, match[3]))
    return found


def stub_signature(node):
    given = node.args
    names = [*given.posonlyargs, *given.args]
    without = len(names) - len(given.defaults)
    arguments = [(None if one in given.posonlyargs and one.arg != "self" else one.arg,
                  ast.unparse(one.annotation) if one.annotation else None, i >= without) for i, one in enumerate(names)]
    return arguments, ast.unparse(node.returns)


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = ast.parse((pathlib.Path(ictus.__file__).parent / "_core.pyi").read_text())

    def compare(self, name, function, nodes):
        compiled, stubs = compiled_signatures(function), [stub_signature(node) for node in nodes]
        self.assertEqual(len(compiled), len(stubs), f"{name}: overloads")
        for (arguments, result), (stub_arguments, stub_result) in zip(compiled, stubs):
            self.assertTrue(is_same(result, stub_result), f"{name}: gives {result}, not {stub_result}")
            self.assertEqual(len(arguments), len(stub_arguments), f"{name}: arguments")
            for (own, kind, default), (stub, stub_kind, stub_default) in zip(arguments, stub_arguments):
                self.assertEqual((own, default), (stub, stub_default), f"{name}: an argument or its default")
                if stub != "self":
                    self.assertTrue(is_same(kind, stub_kind), f"{name}: {stub} is {kind}, not {stub_kind}")

    def compare_class(self, name, one, node):
        stubs = {}
        for child in node.body:
            if isinstance(child, ast.FunctionDef):
                stubs.setdefault(child.name, []).append(child)
            elif isinstance(child, ast.AnnAssign):
                self.assertIn(child.target.id, one.__annotations__, f"{name}: attributes")
        names = {key for key, value in vars(one).items()
                 if isinstance(value, property) or (callable(value) and not inspect.isclass(value))}
        if not compiled_signatures(one.__init__):  # nobody can make one
            names.discard("__init__")
        self.assertEqual(names, set(stubs), f"{name}: members")
        for key in names:
            value = vars(one)[key]
            if not isinstance(value, property):
                self.compare(f"{name}.{key}", value, stubs[key])
                continue
            getter = stubs[key][0]
            self.assertEqual(ast.unparse(getter.decorator_list[0]), "property", f"{name}.{key}")
            result = (value.fget.__doc__ or "").partition("-> ")[2].splitlines()[0]
            self.assertTrue(is_same(result, ast.unparse(getter.returns)), f"{name}.{key}: is {result}")
            self.assertEqual(value.fset is not None, len(stubs[key]) == 2, f"{name}.{key}: whether it can be set")

    def test_the_stub_is_what_was_compiled(self):
        stubs = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                stubs.setdefault(node.name, []).append(node)
        names = {name for name in vars(_core) if not name.startswith("_")}
        self.assertEqual(names, set(stubs))
        self.assertGreater(len(names), 20)
        for name in sorted(names):
            one = getattr(_core, name)
            with self.subTest(name):
                if not isinstance(one, type):
                    self.compare(name, one, stubs[name])
                elif issubclass(one, BaseException):
                    attributes = {child.target.id for child in stubs[name][0].body}
                    self.assertEqual(attributes, set(one.__annotations__), name)
                    self.assertEqual(ast.unparse(stubs[name][0].bases[0]), one.__bases__[0].__name__)
                else:
                    self.compare_class(name, one, stubs[name][0])

    def test_drift_is_found(self):
        def function():
            """function(one: int, two: str = 'a') -> List[str]"""

        for text in ("def function(one: int, two: str = ...) -> list[str]: ...",):
            self.compare("function", function, ast.parse(text).body)
        for text in ("def function(one: int) -> list[str]: ...", "def function(one: int, two: str) -> list[str]: ...",
                     "def function(one: str, two: str = ...) -> list[str]: ...",
                     "def function(other: int, two: str = ...) -> list[str]: ...",
                     "def function(one: int, two: str = ...) -> str: ..."):
            with self.assertRaises(AssertionError):
                self.compare("function", function, ast.parse(text).body)


if __name__ == "__main__":
    unittest.main()
