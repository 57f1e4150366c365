"""A small language for payload tables: a check takes a value and its path and yields what is wrong with it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

Check = Callable[[object, str], Iterator[str]]
NO_LIMIT = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What an object of one type may and must hold, besides `type`."""

    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()
    exactly_one_of: tuple[str, ...] = field(default=())


def string(most: int = NO_LIMIT, least: int = 1) -> Check:
    """A string of `least` to `most` characters."""

    def check(value: object, path: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{path}: not a string"
        elif not least <= len(value) <= most:
            yield f"{path}: {len(value)} characters, allowed {least} to {most}"

    return check


def flag(value: object, path: str) -> Iterator[str]:
    """True or false."""
    if not isinstance(value, bool):
        yield f"{path}: not a boolean"


def number(value: object, path: str) -> Iterator[str]:
    """A number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"{path}: not a number"


def anything(value: object, path: str) -> Iterator[str]:
    """Whatever it is."""
    yield from ()


def one_of(*values: object) -> Check:
    """One of these values."""

    def check(value: object, path: str) -> Iterator[str]:
        if value not in values:
            yield f"{path}: {value!r} is none of {values}"

    return check


def items(each: Check, most: int = NO_LIMIT, least: int = 1) -> Check:
    """A list of `least` to `most` items."""

    def check(value: object, path: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{path}: not a list"
            return
        if not least <= len(value) <= most:
            yield f"{path}: {len(value)} items, allowed {least} to {most}"
        for index, item in enumerate(value):
            yield from each(item, f"{path}[{index}]")

    return check


def record(node: Node) -> Check:
    """An object without a type."""

    def check(value: object, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            yield from faults_of(value, node, path)
        else:
            yield f"{path}: not an object"

    return check


def typed(nodes: Mapping[str, Node], *types: str) -> Check:
    """An object whose `type` is one of `types`, as `nodes` describes it."""

    def check(value: object, path: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{path}: not an object"
        elif value.get("type") not in types:
            yield f"{path}: type {value.get('type')!r} is none of {types}"
        else:
            yield from faults_of(value, nodes[value["type"]], f"{path}({value['type']})")

    return check


def faults_of(value: dict[str, object], node: Node, path: str) -> Iterator[str]:
    """Everything wrong with one object: missing, unknown and faulty fields."""
    yield from (f"{path}: lacks {name}" for name in node.required if name not in value)
    if node.exactly_one_of and sum(name in value for name in node.exactly_one_of) != 1:
        yield f"{path}: needs exactly one of {node.exactly_one_of}"
    for name, held in value.items():
        if name == "type":
            continue
        check = node.fields.get(name)
        if check is None:
            yield f"{path}: unknown field {name}"
        else:
            yield from check(held, f"{path}.{name}")
