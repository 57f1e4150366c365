from datetime import date

import pytest
import sqlglot
from sqlglot import exp

from agent.sql.windows import Days, TimeReader

TODAY = date(2026, 11, 1)
D = date.fromisoformat

DATES = {
    "d >= DATE '2026-10-01'": ("2026-10-01", None),
    "d > '2026-10-01'": ("2026-10-01", None),
    "d < DATE '2026-11-01'": (None, "2026-10-31"),
    "d <= '2026-10-31 12:00:00'": (None, "2026-10-31"),
    "d < '2026-10-31 12:00:00'": (None, "2026-10-31"),
    "DATE '2026-10-01' <= d": ("2026-10-01", None),
    "d = DATE '2026-10-05'": ("2026-10-05", "2026-10-05"),
    "d BETWEEN '2026-10-01' AND '2026-10-31'": ("2026-10-01", "2026-10-31"),
    "d IN ('2026-10-03', '2026-10-01')": ("2026-10-01", "2026-10-03"),
    "d IN ('2026-10-03', other)": (None, None),
    "d >= '2026-10-01' AND d < '2026-11-01' AND x = 1": ("2026-10-01", "2026-10-31"),
    "d >= '2026-10-01' AND d >= '2026-10-15'": ("2026-10-15", None),
    "d = '2026-10-01' OR d = '2026-10-09'": ("2026-10-01", "2026-10-09"),
    "d = '2026-10-01' OR x = 1": (None, None),
    "(d >= '2026-10-01')": ("2026-10-01", None),
    "NOT d < '2026-10-01'": (None, None),
    "d <> '2026-10-01'": (None, None),
    "d IS NOT NULL": (None, None),
    "d >= CURRENT_DATE - INTERVAL '7 days'": ("2026-10-25", None),
    "d >= CURRENT_DATE - 7": ("2026-10-25", None),
    "d >= date_trunc('month', now()) - INTERVAL '1 month'": ("2026-10-01", None),
    "d < date_trunc('year', CURRENT_DATE)": (None, "2025-12-31"),
    "d >= CURRENT_DATE - x": (None, None),
    "d >= (SELECT min(e) FROM t)": (None, None),
    "d::date >= '2026-10-01'": ("2026-10-01", None),
    "(d AT TIME ZONE 'America/Lima')::date = '2026-10-01'": ("2026-10-01", "2026-10-01"),
    "date_trunc('month', d) = DATE '2026-10-01'": ("2026-10-01", "2026-10-31"),
    "date_trunc('month', d) <= '2026-10-01'": (None, "2026-10-31"),
    "extract(year FROM d) = 2026": ("2026-01-01", "2026-12-31"),
    "extract(month FROM d) = 10": (None, None),
    "to_char(d, 'YYYY-MM') = '2026-10'": ("2026-10-01", "2026-10-31"),
    "coalesce(d, '2026-10-01') >= '2026-01-01'": (None, None),
    "d >= 'yesterday'": (None, None),
    "d >= '-infinity'": (None, None),
    "d >= DATE '2026-10-31' - INTERVAL '1 month'": ("2026-09-30", None),
    "d >= DATE '0001-01-01' - INTERVAL '1 year'": (None, None),
}
MONTHS = {
    "m = '2026-10'": ("2026-10-01", "2026-10-31"),
    "m >= '2026-02'": ("2026-02-01", None),
    "m < '2026-03'": (None, "2026-02-28"),
    "m <= '2026-03'": (None, "2026-03-31"),
    "m BETWEEN '2026-01' AND '2026-03'": ("2026-01-01", "2026-03-31"),
    "m IN ('2026-01', '2026-03')": ("2026-01-01", "2026-03-31"),
    "m LIKE '2026-%'": ("2026-01-01", "2026-12-31"),
    "m LIKE '2026-1%'": (None, None),
    "m LIKE '%10'": (None, None),
    "left(m, 4) = '2026'": ("2026-01-01", "2026-12-31"),
    "m >= to_char(CURRENT_DATE - INTERVAL '1 month', 'YYYY-MM')": ("2026-10-01", None),
    "m > 'a'": (None, None),
}


def reader(*, months: bool) -> TimeReader:
    return TimeReader(is_time=lambda column: column.name in {"d", "m"}, today=TODAY, is_month_text=months)


def days(first: str | None, last: str | None) -> Days:
    return Days(first=D(first) if first else None, last=D(last) if last else None)


def condition(sql: str) -> exp.Expr:
    return sqlglot.parse_one(sql, dialect="postgres", into=exp.Condition)


@pytest.mark.parametrize(("sql", "expected"), DATES.items())
def test_a_condition_on_a_date_leaves_these_days(sql: str, expected: tuple[str | None, str | None]) -> None:
    assert reader(months=False).days(condition(sql)) == days(*expected)


@pytest.mark.parametrize(("sql", "expected"), MONTHS.items())
def test_a_condition_on_a_written_month_leaves_these_days(sql: str, expected: tuple[str | None, str | None]) -> None:
    assert reader(months=True).days(condition(sql)) == days(*expected)
