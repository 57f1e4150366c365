"""Values to plain JSON and back: what checkpoints, the run store and memory hold."""

import math
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, TypeVar

from pydantic import GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema

Value = TypeVar("Value")
Json = dict[str, Any]


class AsWritten:
    """Marks a union whose members JSON cannot tell apart: a decimal or a date comes back as one, not as text."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The union's own schema between naming the type on the way out and reading that name on the way in."""
        out = core_schema.plain_serializer_function_ser_schema(_named, when_used="json")
        return core_schema.no_info_before_validator_function(_unnamed, handler(source), serialization=out)


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


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError(text) from error


_READERS: dict[str, Callable[[str], object]] = {
    "decimal": _decimal,
    "instant": datetime.fromisoformat,
    "date": date.fromisoformat,
    "float": float,
}


def _named(value: object) -> object:
    match value:
        case Decimal():
            return {"decimal": str(value)}
        case datetime():
            return {"instant": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case float() if not math.isfinite(value):
            return {"float": str(value)}
        case _:
            return value


def _unnamed(data: object) -> object:
    if not isinstance(data, dict) or len(data) != 1:
        return data
    ((kind, text),) = data.items()
    return _READERS[kind](text) if kind in _READERS else data
