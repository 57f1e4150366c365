"""Values to plain JSON and back: what checkpoints, the run store and memory hold."""

from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

Value = TypeVar("Value")
Json = dict[str, Any]


def encode(value: object) -> Any:
    """`value` as plain JSON types (dict, list, str, int, float, bool, None)."""
    return _adapter_of(type(value)).dump_python(value, mode="json")


def decode(kind: type[Value], data: object) -> Value:
    """The value that `encode` wrote; tuples, dates and decimals come back as they were.

    Raises `pydantic.ValidationError` when `data` is not such a value.
    """
    value: Value = _adapter_of(kind).validate_python(data)
    return value


def _adapter_of(kind: Any) -> TypeAdapter[Any]:
    return _adapters(kind)


@cache
def _adapters(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
