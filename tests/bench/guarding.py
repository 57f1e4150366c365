"""Rows: how long the guard takes for one query, over its own cases: attacks and their harmless neighbours."""

import json
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError

from agent.sql.adhoc import AdhocPolicy
from agent.sql.guard import check_query
from agent.sql.scope import GuardScope
from semantic_catalog.model import Dialect
from tests.bench.measuring import Row, no_collection

CASES = Path(__file__).parents[1] / "cases" / "sql_guard"
DAY = date(2025, 3, 1)
Case = dict[str, Any]


def guard_rows(*, warm_up: int, repetitions: int) -> list[Row]:
    """Every statement once a repetition on either side; each time is one statement's."""
    return [
        _row("guard, a query that passes", "neighbours.jsonl", warm_up, repetitions),
        _row("guard, an attack", "attacks.jsonl", warm_up, repetitions),
    ]


def _row(name: str, file: str, warm_up: int, repetitions: int) -> Row:
    cases = [json.loads(line) for line in (CASES / file).read_text(encoding="utf-8").splitlines() if line]
    times, floor_times = _measured(cases, warm_up, repetitions)
    return Row(
        name=name,
        subject_is=f"read, resolved, every rule, rewritten, rendered: {len(cases)} of its own cases, three dialects",
        times=tuple(times),
        floor_is="sqlglot alone: parsed and rendered, nothing checked: tests/bench/guarding.py",
        floor_times=tuple(floor_times),
    )


def _measured(cases: list[Case], warm_up: int, repetitions: int) -> tuple[list[float], list[float]]:
    policy = AdhocPolicy.model_validate_json((CASES / "policy.json").read_bytes())
    scope_of = cache(policy.scope)
    times: list[float] = []
    floor_times: list[float] = []
    with no_collection():
        for number in range(-warm_up, repetitions):
            for case in cases:
                guarded = _timed(_guarded, case, scope_of(case["dialect"]))
                parsed = _timed(_parsed, case)
                if number >= 0:
                    times.append(guarded)
                    floor_times.append(parsed)
    return times, floor_times


def _timed(work: Callable[..., object], *given: object) -> float:
    started = perf_counter()
    work(*given)
    return (perf_counter() - started) * 1_000


def _guarded(case: Case, scope: GuardScope) -> object:
    return check_query(case["sql"], scope, "edited", DAY)


def _parsed(case: Case) -> object:
    dialect: Dialect = case["dialect"]
    try:
        return [tree.sql(dialect) for tree in sqlglot.parse(case["sql"], dialect=dialect) if tree]
    except SqlglotError:
        return None
