#!/usr/bin/env python3
"""generate.py SCHEMA FOLDER: writes the classes of bodies, contacts, loads, integrators and all other parts of a scene
into FOLDER, from the JSON Schema that `ictus schema` prints: one module for each key under which a type is chosen
(bodies, integrators, loads, signals, shapes, sections), and `parts` for the rest, with signatures, types and docstrings.
"""

import json
import keyword
import pathlib
import re
import sys
import textwrap

HEADER = '"""{}\n\nMade from the schema of scenes by generate.py; do not edit.\n"""\n\nfrom __future__ import annotations\n\n'
IMPORTS = ("from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, NoReturn, Union\n\n"
           "from ._part import MISSING, Number, Part\n")


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[-_ ]+", name) if word)


def plural(key):
    if key.endswith(("s", "ii")):
        return key
    return key[:-1] + "ies" if key.endswith("y") else key + "s"


def argument(key):
    return key + "_" if keyword.iskeyword(key) else key


def is_variant(node):
    options = node.get("oneOf")
    return bool(options) and all("const" in option.get("properties", {}).get("type", {}) for option in options)


def is_object(node):
    return isinstance(node.get("properties"), dict)


def shape(node):
    """What makes two parts the same for a caller: their keys, of what type and with which defaults, and which of them are
    required."""
    keys = sorted([key, value.get("type"), json.dumps(value.get("default"))] for key, value in node["properties"].items())
    return json.dumps([keys, sorted(node.get("required", []))])


class Class:
    def __init__(self, module, name, node, type_name):
        self.module, self.name, self.node, self.type_name = module, name, node, type_name
        self.docs = [node]  # of those that share it

    @property
    def path(self):
        return f"{self.module}.{self.name}"


class Generator:
    def __init__(self, schema):
        self.classes = []
        self.kinds = {}
        self.scene = self.object(schema, "parts", "Scene", None, "")
        # Level by level, so that the parts that every scene has take their names before those deep within others.
        for one in self.classes:
            self.kinds[one.path] = {
                key: self.kind(value, key, one.name)
                for key, value in one.node["properties"].items() if not (key == "type" and "const" in value)
            }

    def modules(self):
        return sorted({one.module for one in self.classes})

    def object(self, node, module, name, type_name, owner):
        """The class of an object; one that is there already if it is alike. Of different ones under one name the later
        takes its owner's before its own, and so does one that is called as the base of all."""
        for candidate in (name, pascal(owner) + name):
            if candidate == "Part":
                continue
            found = [one for one in self.classes if one.module == module and one.name == candidate]
            if found and shape(found[0].node) == shape(node):
                found[0].docs.append(node)
                return found[0]
            if not found:
                one = Class(module, candidate, node, type_name)
                self.classes.append(one)
                return one
        raise SystemExit(f"two different parts are called {pascal(owner) + name}")

    def kind(self, node, key, owner):
        """What a value is made of: (a type for people, an expression for _kinds or None)."""
        if is_variant(node):
            module = plural(key)
            chosen = {}
            for option in node["oneOf"]:
                type_name = option["properties"]["type"]["const"]
                chosen[type_name] = self.object(option, module, pascal(type_name), type_name, owner)
            names = [one.path for one in chosen.values()]
            return (f"Union[{', '.join([*names, 'Mapping[str, Any]'])}]",
                    "{" + ", ".join(f"{type_name!r}: {one.path}" for type_name, one in chosen.items()) + "}")
        if is_object(node):
            one = self.object(node, "parts", pascal(node.get("title", key)), None, owner)
            return f"Union[{one.path}, Mapping[str, Any]]", one.path
        objects = [option for option in node.get("anyOf", []) if is_object(option)]
        if objects:  # a name, or the part itself
            part = self.kind(objects[0], key, owner)
            return f"Union[str, {part[0].removeprefix('Union[')}", part[1]
        if node.get("type") == "array":
            item = self.kind(node["items"], key, owner)
            return f"Sequence[{item[0]}]", f"[{item[1]}]" if item[1] else None
        if isinstance(node.get("additionalProperties"), dict):
            item = self.kind(node["additionalProperties"], key, owner)
            return f"Mapping[str, {item[0]}]", f"({item[1]},)" if item[1] else None
        return self.scalar(node), None

    def scalar(self, node):
        if "enum" in node:
            return f"Literal[{', '.join(repr(word) for word in node['enum'])}]"
        if "anyOf" in node:
            return "Number" if any(option.get("type") == "number" for option in node["anyOf"]) else "Any"
        if isinstance(node.get("type"), list):
            return "Any"
        return {"integer": "int", "boolean": "bool", "string": "str", "number": "Number"}.get(node.get("type"), "Any")

    # Text ---------------------------------------------------------------------------------------------------------

    def write(self, folder):
        for module in self.modules():
            (folder / f"{module}.py").write_text(self.module_text(module))
        (folder / "_kinds.py").write_text(self.kinds_text())

    def module_text(self, module):
        own = [one for one in self.classes if one.module == module]
        bodies = "\n\n".join(self.class_text(one) for one in own)
        others = [name for name in self.modules() if name != module and re.search(rf"\b{name}\.", bodies)]
        text = HEADER.format(f"Parts of scenes: {module}." if module != "parts" else "Parts of scenes.") + IMPORTS
        if others:
            text = text.replace("NoReturn, Union\n", "NoReturn, TYPE_CHECKING, Union\n")
            text += "\nif TYPE_CHECKING:\n" + "".join(f"    from . import {name}\n" for name in others)
        names = ", ".join(f'"{one.name}"' for one in own)
        text += "\n" + textwrap.fill(f"__all__ = [{names}]", 118, subsequent_indent="    ") + "\n\n\n"
        return text + re.sub(rf"\b{module}\.(?=[A-Z])", "", bodies)

    def class_text(self, one):
        keys = [key for key, value in one.node["properties"].items() if not (key == "type" and "const" in value)]
        kinds = self.kinds[one.path]
        lines = [f"class {one.name}(Part):", *self.doc_lines(one, keys)]
        if one.type_name:
            lines += ["", f"    _type = {one.type_name!r}"]
        lines += ["    _keys = {" + ", ".join(f"{argument(key)!r}: {key!r}" for key in keys) + "}"]
        defaults = {argument(key): one.node["properties"][key]["default"] for key in keys
                    if "default" in one.node["properties"][key]}
        lines += [f"    _defaults = {defaults!r}", ""]
        if keys:
            lines.append("    def __init__(")
            lines.append("        self,")
            lines.append("        *,")
            for key in keys:
                lines.append(f"        {argument(key)}: {self.annotation(one, key, kinds[key][0])},")
            lines.append("        **unknown: NoReturn,")
            lines.append("    ) -> None:")
            given = ", ".join(f"{argument(key)}={argument(key)}" for key in keys)
            lines += textwrap.wrap(f"self._fill(unknown, {given})", 110, initial_indent="        ",
                                   subsequent_indent="                   ", break_on_hyphens=False)
        else:
            lines.append("    def __init__(self, **unknown: NoReturn) -> None:")
            lines.append("        self._fill(unknown)")
        return "\n".join(lines) + "\n"

    def annotation(self, one, key, kind):
        node = one.node["properties"][key]
        if key in one.node.get("required", []):
            return f"{kind} = MISSING"
        if "default" in node:
            default = node["default"]
            return f"{kind} = {tuple(default) if isinstance(default, list) else default!r}"
        return f"{kind} | None = None"

    def doc_lines(self, one, keys):
        lines = textwrap.wrap(one.node.get("description", one.name), 110, break_on_hyphens=False)
        if keys:
            lines += ["", "Parameters", "----------"]
        for key in keys:
            lines.append(argument(key))
            texts = {node["properties"][key].get("description", "") for node in one.docs}
            text = min(texts) if len(texts) == 1 else min(texts).split(" Allowed:")[0]  # units differ
            lines += textwrap.wrap(text, 106, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        lines = [line.replace("\\", "\\\\").replace('"""', "'''") for line in lines]
        return [f'    """{lines[0]}'] + [f"    {line}".rstrip() for line in lines[1:]] + ['    """']

    def scene_parts(self):
        """What keys of the scene itself are made of, where no type is chosen."""
        made = " ".join(kind[1] or "" for kind in self.kinds[self.scene.path].values())
        return [one for one in self.classes if not one.type_name and re.search(rf"\b{one.path}\b", made)]

    def kinds_text(self):
        text = HEADER.format("What the values of parts are made of, for scenes that come as plain data.")
        scene_parts = [one.name for one in self.scene_parts()]
        text += f"from . import {', '.join(self.modules())}\nfrom .parts import {', '.join(scene_parts)}\n\n"
        names = ", ".join(f'"{name}"' for name in [*self.modules(), *scene_parts])
        text += textwrap.fill(f"__all__ = [{names}]", 118, subsequent_indent="    ") + "\n\n"
        for one in self.classes:
            made = {argument(key): kind[1] for key, kind in self.kinds[one.path].items() if kind[1]}
            inside = ", ".join(f"{key!r}: {kind}" for key, kind in made.items())
            if inside:
                text += f"{one.path}._kinds = {{{inside}}}\n"
        return text


def main():
    schema, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    schema["title"] = "Scene"
    folder.mkdir(parents=True, exist_ok=True)
    Generator(schema).write(folder)


if __name__ == "__main__":
    main()
