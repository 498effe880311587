"""What all parts of a scene have in common; the parts themselves are made from the schema."""

from __future__ import annotations

import copy
from typing import Any, Union

from . import _core

#: A number in SI units, or text with a unit: 0.012 or "12 mm".
Number = Union[float, str]


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


#: The default of a key that must be given; the scene says so when it is checked.
MISSING: Any = _Missing()


class Part:
    """A part of a scene: attributes for its keys."""

    _type: str | None = None
    _keys: dict[str, str] = {}
    _defaults: dict[str, Any] = {}
    _kinds: dict[str, Any] = {}

    def _fill(self, unknown: dict[str, Any], **values: Any) -> None:
        for name in unknown:
            self._refuse(name)
        for name, value in values.items():
            setattr(self, name, value)

    def _refuse(self, name: str) -> None:
        near = _core.nearest(name, list(self._keys))
        known = ", ".join(self._keys)
        raise _core.InputError(
            f"{type(self).__name__}.{name}: unknown key"
            + (f", did you mean '{near}'?" if near else f", the keys of {type(self).__name__} are {known}"))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._keys:
            self._refuse(name)
        # Lists and maps are the part's own, so that they can grow and no two parts share them.
        kind = self._kinds.get(name)
        if isinstance(kind, tuple) and value is None:
            value = {}
        elif isinstance(value, tuple) and not isinstance(kind, list):
            value = tuple(value)
        elif isinstance(value, (list, tuple)) or (isinstance(kind, list) and value is None):
            value = list(value or ())
        elif isinstance(value, dict):
            value = dict(value)
        object.__setattr__(self, name, value)

    def _tree(self) -> dict[str, Any]:
        tree: dict[str, Any] = {"type": self._type} if self._type else {}
        for name, key in self._keys.items():
            value = getattr(self, name)
            if value is None or value is MISSING or (name not in self._defaults and _is_empty(value)):
                continue
            if name in self._defaults and _plain(value) == _plain(self._defaults[name]):
                continue
            tree[key] = value
        return tree

    @classmethod
    def _from_tree(cls, tree: dict[str, Any]) -> "Part":
        part = cls()
        names = {key: name for name, key in cls._keys.items()}
        for key, value in tree.items():
            if key == "type" and cls._type:
                continue
            name = names.get(key)
            if name is None:
                part._refuse(key)
            setattr(part, name, _parts(value, cls._kinds.get(name)))
        return part

    def replace(self, **changes: Any) -> "Part":
        """A copy with some keys changed."""
        other = copy.deepcopy(self)
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name in self._keys
                 if (value := getattr(self, name)) is not None and value is not MISSING
                 and not (name in self._defaults and _plain(value) == _plain(self._defaults[name]))]
        return f"{type(self).__name__}({', '.join(given)})"


def _is_empty(value: Any) -> bool:
    return isinstance(value, (dict, list, tuple)) and len(value) == 0


def _plain(value: Any, depth: int = 4) -> Any:
    """Tuples and arrays as lists, so that they compare with defaults."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(item, depth - 1) for item in value] if depth and isinstance(value, (list, tuple)) else value


def _parts(value: Any, kind: Any) -> Any:
    """Plain data as parts: a class, {type: class} for a choice, [kind] for lists, (kind,) for maps."""
    if isinstance(kind, list) and isinstance(value, list):
        return [_parts(item, kind[0]) for item in value]
    if isinstance(kind, tuple) and isinstance(value, dict):
        return {name: _parts(item, kind[0]) for name, item in value.items()}
    if isinstance(kind, dict) and isinstance(value, dict):
        kind = kind.get(value.get("type"))
    if isinstance(kind, type) and isinstance(value, dict):
        return kind._from_tree(value)
    return value
