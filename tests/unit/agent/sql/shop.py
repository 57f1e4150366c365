"""A small shop's access: who may read orders, customers and products, as `tests/cases/sql_guard/policy.json` says."""

import json
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from agent.sql.adhoc import AdhocPolicy
from agent.sql.guard import check_query
from agent.sql.scope import FilterRule, GovernedSource, GuardScope, JoinRule
from agent.values.governance import CheckedQuery, Origin, Refused, RuleId
from semantic_catalog.model import Column, Dialect, TimeColumn, TimePolicy

CASES = Path(__file__).resolve().parents[3] / "cases" / "sql_guard"
TODAY = date(2025, 6, 1)
JANUARY = "order_date >= DATE '2025-01-01' AND order_date < DATE '2025-02-01'"
DIALECTS: tuple[Dialect, ...] = ("postgres", "mysql", "duckdb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One line of a case file."""

    name: str
    dialect: Dialect
    sql: str
    group: str = ""
    safe_if_rewritten: bool = True


def cases(file: str) -> list[Case]:
    """The cases of a file; attacks are named by their id."""
    lines = (CASES / file).read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line)) for line in lines]


@cache
def shop(dialect: Dialect) -> GuardScope:
    """What the shop's policy lets one read: European rows, no contact details, a year of orders at once."""
    return AdhocPolicy.model_validate_json((CASES / "policy.json").read_bytes()).scope(dialect)


@cache
def ledger() -> GuardScope:
    """Books with business rules: months as text, a required version and a required join."""
    return replace(
        shop("mysql"),
        default_schema="",
        sources=(
            GovernedSource(
                name="actuals",
                columns=_columns("period", "cebe", "account", "amount"),
                time=TimeColumn(column="period", kind="month_text", grain="month"),
                time_policy=TimePolicy(required=True, max_days=400),
                row_filter="NOT account IN (SELECT account FROM accounts WHERE kind = 'labour')",
                required_joins=(JoinRule(source="accounts", column="account", columns=("amount",)),),
            ),
            GovernedSource(
                name="plan",
                columns=_columns("period", "account", "version", "amount"),
                required_filters=(FilterRule(column="version", value=0),),
            ),
            GovernedSource(name="accounts", columns=_columns("account", "kind", "sign")),
            GovernedSource(
                name="prices",
                columns=_columns("item", "price", "tonnes", "is_blank"),
                required_filters=(FilterRule(column="is_blank", value=0, when_columns=("price", "tonnes")),),
            ),
        ),
    )


def decide(sql: str, dialect: Dialect = "postgres", origin: Origin = "edited") -> CheckedQuery | Refused:
    """The guard's answer in the shop."""
    return check_query(sql, shop(dialect), origin, TODAY)


def decide_in(scope: GuardScope, sql: str, origin: Origin = "edited") -> CheckedQuery | Refused:
    """The guard's answer in another scope."""
    return check_query(sql, scope, origin, TODAY)


def rules(answer: CheckedQuery | Refused) -> set[RuleId]:
    """Why it was refused; empty when it was not."""
    return {finding.rule for finding in answer.findings} if isinstance(answer, Refused) else set()


def one_line(answer: CheckedQuery | Refused) -> str:
    """The SQL that would run, on one line."""
    assert isinstance(answer, CheckedQuery), answer
    return " ".join(answer.sql.split())


def with_limit(scope: GuardScope, most: int) -> GuardScope:
    """The scope with another row limit."""
    return replace(scope, row_limit=most)


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, type="text") for name in names)


def _case(line: dict[str, str | bool]) -> Case:
    return Case(
        name=str(line.get("name") or line["id"]),
        dialect=line["dialect"],  # type: ignore[arg-type]
        sql=str(line["sql"]),
        group=str(line.get("group", "")),
        safe_if_rewritten=bool(line.get("safe_if_rewritten", True)),
    )
