"""A small ledger whose numbers are worked out by hand: joins, text months, instants, standing filters, NULL members."""

from datetime import date

from agent.codec import decode
from agent.sql.compile.compile import Compiled, compile_spec
from agent.values.spec import QuerySpec
from semantic_catalog.model import Dialect, Domain

TODAY = date(2026, 11, 1)

TABLES = """
CREATE TABLE accounts (account varchar(20) PRIMARY KEY, line varchar(20), sign integer);
CREATE TABLE centres (centre varchar(20) PRIMARY KEY, unit varchar(20), open boolean);
CREATE TABLE actuals (period char(7), centre varchar(20), account varchar(20), amount decimal(18, 2));
CREATE TABLE plan (period char(7), centre varchar(20), version integer, amount decimal(18, 2));
CREATE TABLE visits (visited timestamp with time zone, kiosk integer, minutes decimal(9, 2));
INSERT INTO accounts VALUES ('7', 'Revenue', -1), ('6', 'Cost', 1);
INSERT INTO centres VALUES ('A', 'Consumer', true), ('B', 'Consumer', false), ('C', 'Logistics', true);
INSERT INTO actuals VALUES
    ('2026-08', 'A', '7', -100), ('2026-08', 'A', '6', 60), ('2026-08', 'B', '7', -50), ('2026-08', 'C', '6', 5),
    ('2026-09', 'A', '7', -120), ('2026-09', 'A', '6', 60), ('2026-09', 'B', '7', -50), ('2026-09', 'C', '6', 7),
    ('2026-10', 'A', '7', -130), ('2026-10', 'A', '6', 65), ('2026-10', NULL, '7', -8), ('2026-10', 'C', '6', 9);
INSERT INTO plan VALUES
    ('2026-10', 'A', 0, 150), ('2026-10', 'A', 1, 999), ('2026-10', 'B', 0, 40), ('2026-09', 'A', 0, 110);
INSERT INTO visits VALUES
    ('2026-10-31 23:30:00-05:00', 1, 10), ('2026-11-01 00:30:00-05:00', 1, 99), ('2026-10-01 00:00:00-05:00', 2, 20),
    ('2026-09-30 23:59:00-05:00', 2, 99), ('2026-10-31 01:00:00-05:00', 2, 30);
"""
# Its sessions are in the ledger's zone, and MariaDB reads no literals with an offset.
TABLES_IN_MYSQL = TABLES.replace("timestamp with time zone", "timestamp").replace("-05:00'", "'")


def ledger_domain(dialect: Dialect) -> Domain:
    """The catalog of the ledger on that engine."""
    return decode(Domain, {**_DOMAIN, "dialect": dialect})


def ledger(dialect: Dialect, **fields: object) -> Compiled:
    """A spec on the ledger, compiled in English."""
    return compile_spec(decode(QuerySpec, {"domain": "ledger", **fields}), ledger_domain(dialect), "en", TODAY)


def days(start: str | None, end: str) -> dict[str, str | None]:
    """A period in the ledger's zone."""
    return {"start": start, "end": end, "timezone": "America/Lima"}


def _names(label: str) -> dict[str, object]:
    return {"label": {"en": label}}


def _columns(**types: str) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in types.items()]


def _dimensions(**columns: str) -> list[dict[str, str]]:
    return [{"dimension": name, "column": column} for name, column in columns.items()]


def _measure(name: str, expression: str, aggregation: str = "sum", only: str | None = None) -> dict[str, str | None]:
    return {"name": name, "expression": expression, "aggregation": aggregation, "filter": only}


def _entity(name: str, time: tuple[str, str, str] | None, **fields: object) -> dict[str, object]:
    clock = {"column": time[0], "kind": time[1], "grain": time[2]} if time else None
    return {"name": name, "source": name, "names": _names(name), "grain": [], "time": clock, **fields}


def _metric(name: str, kind: str = "simple", **fields: object) -> dict[str, object]:
    measure = {"measure": name} if kind in ("simple", "cumulative") else {}
    return {"name": name, "names": _names(name), "kind": kind, "format": "amount", **measure, **fields}


_DOMAIN = {
    "name": "ledger",
    "names": _names("Ledger"),
    "warehouse": "ledger",
    "timezone": "America/Lima",
    "owner": "ledger owners",
    "locale": "en",
    "dimensions": [
        {"name": name, "names": _names(name)} for name in ("centre", "unit", "open", "line", "version", "kiosk")
    ],
    "entities": [
        _entity(
            "actuals",
            ("period", "month_text", "month"),
            columns=_columns(period="char(7)", centre="varchar", account="varchar", amount="decimal(18,2)"),
            dimensions=_dimensions(centre="centre"),
            measures=[
                _measure("revenue", "amount * sign", only="line = 'Revenue'"),
                _measure("cost", "amount * sign", only="line = 'Cost'"),
                _measure("postings", "*", "count"),
                _measure("revenue_postings", "*", "count", "line = 'Revenue'"),
                _measure("centres_posted", "centre", "count_distinct"),
                _measure("largest", "amount * sign", "max"),
                _measure("average_posting", "amount * sign", "avg"),
                _measure("revenue_so_far", "amount * sign", only="line = 'Revenue'"),
            ],
        ),
        _entity(
            "plan",
            ("period", "month_text", "month"),
            columns=_columns(period="char(7)", centre="varchar", version="integer", amount="decimal(18,2)"),
            dimensions=_dimensions(centre="centre", version="version"),
            measures=[_measure("budget", "amount")],
            required_filters=[{"column": "version", "value": 0}],
        ),
        _entity(
            "accounts",
            None,
            columns=_columns(account="varchar", line="varchar", sign="integer"),
            dimensions=_dimensions(line="line"),
        ),
        _entity(
            "centres",
            None,
            columns=_columns(centre="varchar", unit="varchar", open="boolean"),
            dimensions=_dimensions(unit="unit", open="open"),
        ),
        _entity(
            "visits",
            ("visited", "timestamp", "day"),
            columns=_columns(visited="timestamptz", kiosk="integer", minutes="decimal(9,2)"),
            dimensions=_dimensions(kiosk="kiosk"),
            measures=[_measure("minutes", "minutes")],
        ),
    ],
    "relationships": [
        {"left": "actuals", "right": "accounts", "on": [["account", "account"]]},
        {"left": "actuals", "right": "centres", "on": [["centre", "centre"]]},
        {"left": "plan", "right": "centres", "on": [["centre", "centre"]]},
        {"left": "centres", "right": "visits", "on": [["centre", "kiosk"]], "cardinality": "many_to_many"},
    ],
    "metrics": [
        *(_metric(name) for name in ("revenue", "cost", "budget", "minutes", "largest", "average_posting")),
        *(_metric(name, format="count") for name in ("postings", "revenue_postings", "centres_posted")),
        _metric("revenue_so_far", "cumulative"),
        _metric("margin", "derived", expression="revenue - cost"),
        _metric("half_margin", "derived", expression="(revenue - cost) / 2 * -1"),
        _metric("margin_pct", "ratio", numerator="margin", denominator="revenue", format="percent"),
        _metric("budget_variance", "derived", expression="revenue - budget"),
    ],
}
