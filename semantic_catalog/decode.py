"""YAML nodes to the model's frozen values, led by the model's own types; all faults are collected, none raised.

Values with a name are written as a mapping whose keys fill their first field, where a scalar fills the second; other
values as a list. Text that is the same in every locale may be written once.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from semantic_catalog.issues import Issue, KeyPath, Place, nearest
from semantic_catalog.model import LOCALES, Domain, Names


class _Faulty(Enum):
    FAULTY = "faulty"


FAULTY: Final = _Faulty.FAULTY
Given = Mapping[str, object]
Entries = Mapping[str, Node]


class Decoder:
    """Decodes one domain. `issues` and `places` fill as it goes; `place_of` tells where a node was written."""

    def __init__(self, place_of: Callable[[Node], Place]) -> None:
        self._place_of = place_of
        self.issues: list[Issue] = []
        self.places: dict[KeyPath, Place] = {}

    def domain(self, name: str, node: MappingNode) -> Domain | None:
        """The domain that the tree describes, its name given; None when anything in it is faulty."""
        self.places[()] = self._place_of(node)
        value = self._object(Domain, node, (), {"name": name})
        return value if isinstance(value, Domain) and not self.issues else None

    def _decode(self, kind: Any, node: Node, at: KeyPath) -> object:
        kind = getattr(kind, "__supertype__", kind)
        self.places.setdefault(at, self._place_of(node))
        if _is_value(kind):
            return self._object(kind, node, at, {})
        decoders: dict[object, Callable[[Any, Node, KeyPath], object]] = {
            tuple: self._tuple,
            Mapping: self._by_locale,
            Literal: self._one_of,
            Union: self._union,
            UnionType: self._union,
        }
        decode = decoders.get(get_origin(kind))
        return decode(kind, node, at) if decode else self._scalar((kind,), node, at)

    def _object(self, kind: Any, node: Node, at: KeyPath, given: Given) -> object:
        if not isinstance(node, MappingNode):
            return self._fault(self.places[at], f"{_called(kind, at)} must be a mapping of keys")
        return self._value(kind, dict(self._entries(node, at, _keys(kind) - given.keys())), at, given)

    def _value(self, kind: Any, entries: Entries, at: KeyPath, given: Given) -> object:
        values: dict[str, object] = dict(given)
        for name, hint in _hints(kind).items():
            if hint is Names:
                values[name] = self._value(Names, entries, at, {})
            elif name in entries:
                values[name] = self._decode(hint, entries[name], (*at, name))
        missing = [name for name in _required(kind) if name not in values]
        for name in missing:
            self._fault(self.places[at], f"{_called(kind, at)} lacks the key '{name}'")
        return FAULTY if missing or FAULTY in values.values() else kind(**values)

    def _entries(self, node: MappingNode, at: KeyPath, known: set[str] | None = None) -> Iterator[tuple[str, Node]]:
        seen: set[str] = set()
        for key, value in node.value:
            place = self._place_of(key)
            if not isinstance(key, ScalarNode):
                self._fault(place, "a key must be text")
            elif key.value in seen:
                self._fault(place, f"'{key.value}' is written twice")
            elif known is not None and key.value not in known:
                self._fault(place, f"unknown key '{key.value}'", nearest(key.value, known))
            else:
                seen.add(key.value)
                self.places[(*at, key.value)] = place
                yield key.value, value

    def _tuple(self, kind: Any, node: Node, at: KeyPath) -> object:
        item = get_args(kind)[0]
        if _is_keyed(item):
            if not isinstance(node, MappingNode):
                return self._fault(self.places[at], f"'{at[-1]}' must be a mapping by name")
            values = [self._keyed(item, key, value, (*at, key)) for key, value in self._entries(node, at)]
        elif isinstance(node, SequenceNode):
            values = [self._decode(item, value, (*at, str(index))) for index, value in enumerate(node.value)]
        else:
            return self._fault(self.places[at], f"'{at[-1]}' must be a list")
        return FAULTY if FAULTY in values else tuple(values)

    def _keyed(self, item: Any, key: str, node: Node, at: KeyPath) -> object:
        if not _is_value(item):
            value = self._decode(get_args(item)[1], node, at)
            return FAULTY if value is FAULTY else (key, value)
        first, second = list(_hints(item).items())[:2]
        if isinstance(node, ScalarNode) and second[1] is not Names:
            value = self._decode(second[1], node, (*at, second[0]))
            return FAULTY if value is FAULTY else item(**{first[0]: key, second[0]: value})
        return self._object(item, node, at, {first[0]: key})

    def _by_locale(self, kind: Any, node: Node, at: KeyPath) -> object:
        item = get_args(kind)[1]
        if not isinstance(node, MappingNode):
            value = self._decode(item, node, at)
            return FAULTY if value is FAULTY else dict.fromkeys(LOCALES, value)
        values = {key: self._decode(item, value, (*at, key)) for key, value in self._entries(node, at, set(LOCALES))}
        return FAULTY if FAULTY in values.values() else values

    def _one_of(self, kind: Any, node: Node, at: KeyPath) -> object:
        allowed = get_args(kind)
        if isinstance(node, ScalarNode) and node.value in allowed:
            return node.value
        given = node.value if isinstance(node, ScalarNode) else _shape(node)
        message = f"'{at[-1]}' is '{given}', not one of {', '.join(allowed)}"
        return self._fault(self.places[at], message, nearest(given, allowed))

    def _union(self, kind: Any, node: Node, at: KeyPath) -> object:
        options = [option for option in get_args(kind) if option is not NoneType]
        return self._decode(options[0], node, at) if len(options) == 1 else self._scalar(tuple(options), node, at)

    def _scalar(self, kinds: tuple[object, ...], node: Node, at: KeyPath) -> object:
        """Text is taken as written, so that `no`, `05` and `10.4` stay what they look like."""
        shape = _shape(node)
        if int in kinds and shape == "int" and node.value.lstrip("+-").isdecimal():
            return int(node.value)
        if bool in kinds and shape == "bool":
            return node.value.lower() in {"true", "yes", "on"}
        if date in kinds and shape == "timestamp" and (day := _day(node.value)) is not None:
            return day
        if str in kinds and isinstance(node, ScalarNode) and shape != "null":
            return node.value
        wanted = " or ".join(_WORDS[kind] for kind in kinds)
        return self._fault(self.places[at], f"'{at[-1]}' must be {wanted}, not {_SHAPES.get(shape, shape)}")

    def _fault(self, place: Place, message: str, suggestion: str = "") -> _Faulty:
        self.issues.append(Issue(place=place, message=message, suggestion=suggestion))
        return FAULTY


_NAME_FIELDS: Final = frozenset({"name", "value", "dimension", "column", "entity"})
_WORDS: Final[Mapping[object, str]] = {
    int: "a whole number",
    date: "a day like 2026-10-31",
    bool: "true or false",
    str: "text",
}
_SHAPES: Final[Mapping[str, str]] = {"str": "text", "map": "a mapping", "seq": "a list", "null": "empty"}


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _is_value(kind: Any) -> bool:
    return is_dataclass(kind)


def _is_keyed(item: Any) -> bool:
    """Whether values of this kind are told apart by their first part: pairs, and values that have a name."""
    return next(iter(_hints(item))) in _NAME_FIELDS if _is_value(item) else get_origin(item) is tuple


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _keys(kind: Any) -> set[str]:
    own = {name for name, hint in _hints(kind).items() if hint is not Names}
    return own if len(own) == len(_hints(kind)) else own | _keys(Names)


def _required(kind: Any) -> list[str]:
    return [f.name for f in fields(kind) if f.default is NO_DEFAULT and f.default_factory is NO_DEFAULT]


def _shape(node: Node) -> str:
    return node.tag.removeprefix("tag:yaml.org,2002:")


def _called(kind: Any, at: KeyPath) -> str:
    return f"{kind.__name__} '{at[-1]}'" if at else kind.__name__
