"""Reads what Slack sent: every field may be missing or of another type, and then reads as empty."""

from collections.abc import Iterator, Mapping

Record = Mapping[str, object]


def record(payload: object, *path: str) -> Record:
    """The object at the path; an empty one when there is none."""
    for name in path:
        payload = payload.get(name) if isinstance(payload, Mapping) else None
    return payload if isinstance(payload, Mapping) else {}


def text(payload: object, *path: str) -> str:
    """The string at the path; empty when there is none."""
    held = record(payload, *path[:-1]).get(path[-1])
    return held if isinstance(held, str) else ""


def flag(payload: object, *path: str) -> bool:
    """Whether the field at the path is true."""
    return record(payload, *path[:-1]).get(path[-1]) is True


def size(payload: object, name: str) -> int:
    """The whole number under the name; 0 when there is none."""
    held = record(payload).get(name)
    return held if isinstance(held, int) else 0


def records(payload: object, name: str) -> Iterator[Record]:
    """The objects of the list under the name."""
    held = record(payload).get(name)
    yield from (item for item in held if isinstance(item, Mapping)) if isinstance(held, list) else ()


def texts(payload: object, name: str) -> Iterator[str]:
    """The strings of the list under the name."""
    held = record(payload).get(name)
    yield from (item for item in held if isinstance(item, str)) if isinstance(held, list) else ()
