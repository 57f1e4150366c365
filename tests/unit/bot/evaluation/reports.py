"""Reports of turns, in the form of `ask --json`."""

from datetime import date
from typing import Any

from bot.evaluation.items import Expected, Kind
from bot.evaluation.judge import Evidence
from bot.evaluation.meaning import Ground
from bot.evaluation.rows import Table, table_of
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName

GOLD = table_of(("brand", "n"), [("Visa", 2), ("Amex", 1)])
_NOTHING: dict[str, Any] = {
    "status": "answered",
    "language": "en",
    "turn_type": "new_query",
    "spec": {},
    "sql": "SELECT 1",
    "receipt": None,
    "columns": None,
    "rows": None,
    "narrative": None,
    "clarification": None,
    "refusal": None,
    "assumptions": [],
    "warnings": [],
    "timings_ms": {"said": 10.0},
}


def report(**fields: Any) -> dict[str, Any]:
    """A report with these fields, all others empty."""
    return {**_NOTHING, **fields}


def answered(rows: list[list[Any]], **fields: Any) -> dict[str, Any]:
    """A report of an answer with a column of names and one of numbers."""
    return report(columns=["brand", "n"], rows=rows, **fields)


def expected(*kinds: Kind, **fields: Any) -> Expected:
    """What is right: these kinds, by brand unless said otherwise."""
    return Expected(kinds=kinds, **{"golds": ("SELECT 1",), "keys": ("brand",), **fields})


def evidence(*golds: Table, domain: str = "payments", **fields: Any) -> Evidence:
    """Evidence of a question asked in English on 1 November 2026."""
    ground = Ground(domain=load_catalog().domain(DomainName(domain)), today=date(2026, 11, 1))
    return Evidence(golds=golds or (GOLD,), ground=ground, language="en", **fields)
