"""Specs with hand-written check queries, from `tests/cases/sql/payments.yaml`."""

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.codec import decode
from agent.sql.compile.compile import Compiled, compile_spec
from agent.values.spec import QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName

FILE = Path(__file__).parents[4] / "cases" / "sql" / "payments.yaml"
TODAY = date(2026, 11, 1)
ZONE = "America/Lima"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question as a spec, the entities it should read, and SQL over the source's own tables with the same rows."""

    name: str
    spec: QuerySpec
    entities: tuple[str, ...]
    check: str


@cache
def payments_domain() -> Domain:
    """The payments domain of the packaged catalog."""
    return load_catalog().domain(DomainName("payments"))


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the file."""
    return tuple(_case(item) for item in yaml.safe_load(FILE.read_text(encoding="utf-8")))


def spec_of(**fields: object) -> QuerySpec:
    """A spec on payments from the short form of the case file."""
    return decode(QuerySpec, {"domain": "payments", **_with_periods(fields)})


def compiled(spec: QuerySpec) -> Compiled:
    """The spec compiled in English, a day after the last day of data."""
    return compile_spec(spec, payments_domain(), "en", TODAY)


def _case(item: dict[str, Any]) -> Case:
    return Case(
        name=item["name"], spec=spec_of(**item["spec"]), entities=tuple(item["entities"]), check=item["check"].strip()
    )


def _with_periods(fields: dict[str, Any]) -> dict[str, Any]:
    if "period" not in fields:
        return fields
    comparison = fields.get("comparison")
    nested = {"comparison": _with_periods(comparison)} if comparison else {}
    return {**fields, "period": _period(fields["period"]), **nested}


def _period(text: str) -> dict[str, str | None]:
    days, _, words = text.partition(" ")
    start, end = days.split("/")
    return {"start": start or None, "end": end, "timezone": ZONE, "words": words or "range"}
