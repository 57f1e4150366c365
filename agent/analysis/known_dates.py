"""Dates in prose that the question or its result bears out."""

import re
from collections.abc import Iterable
from datetime import date

from babel.dates import get_month_names

from agent.analysis.buckets import buckets_between
from agent.analysis.cells import as_day
from agent.analysis.layout import read_layout
from agent.values.result import ResultTable
from agent.values.spec import Period, QuerySpec
from agent.wording.dates import bucket, day, period_label, period_phrase, period_title
from semantic_catalog.model import Locale


def periods_of(spec: QuerySpec) -> list[Period]:
    """The period asked for and the one it is compared with."""
    return [
        period for period in (spec.period, spec.comparison.period if spec.comparison else None) if period is not None
    ]


def without_phrases(text: str, phrases: Iterable[str]) -> str:
    """`text` with whole phrases taken out, the longest first."""
    for phrase in sorted(set(phrases), key=len, reverse=True):
        # A member called '86' must not excuse '86.9' or '86 %'.
        text = re.sub(rf"(?<![\w.,]){re.escape(phrase)}(?!\w|[.,]\d|[\s\u00a0\u202f]?%)", " ", text)
    return text


def without_dates(text: str, table: ResultTable, spec: QuerySpec | None, locale: Locale) -> str:
    """`text` without the dates that the spec or the result names; any other date keeps its digits."""
    layout = read_layout(table.columns)
    time = layout.time
    starts = [] if time is None else [found for row in table.rows if (found := as_day(row[time])) is not None]
    grain = layout.time_column.grain if layout.time_column else None
    written = [bucket(start, grain or "day", locale) for start in starts]
    periods = periods_of(spec) if spec else []
    for period in periods:
        written += [period_label(period, locale), period_phrase(period, locale), period_title(period, locale)]
    edges = [edge for period in periods for edge in (period.start, period.end) if edge is not None]
    written += [day(edge, locale) for edge in edges]
    return _without_other_dates(without_phrases(text, written), {*starts, *edges}, periods, locale)


def _without_other_dates(text: str, days: set[date], periods: list[Period], locale: Locale) -> str:
    """Dates that prose writes its own way: '28 October', 'Oct 28, 2026', '2026-10-28', 'in 2026'."""
    months = _months(locale)
    names = "|".join(sorted((re.escape(name) for name in months), key=len, reverse=True))
    patterns = (
        rf"(?<!\d)(?P<day>\d{{1,2}})\s(?:de\s)?(?P<month>{names})\.?(?:,?\s(?:de\s)?(?P<year>\d{{4}}))?(?!\w)",
        rf"(?<!\w)(?P<month>{names})\.?\s(?P<day>\d{{1,2}})(?!\d)(?:,?\s(?P<year>\d{{4}}))?",
        rf"(?<!\w)(?P<month>{names})\.?\s(?:de\s)?(?P<year>\d{{4}})(?!\d)",
        r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?(?![\d-])",
        r"(?<![\d.,])(?P<year>(?:19|20)\d{2})(?![\d.,%]*\d|\s?%)",
    )
    for pattern in patterns:
        text = re.sub(pattern, lambda found: _known_date(found, months, days, periods), text, flags=re.IGNORECASE)
    return text


def _known_date(found: re.Match[str], months: dict[str, int], days: set[date], periods: list[Period]) -> str:
    parts = found.groupdict()
    month = parts.get("month")
    wanted = (
        int(parts["year"]) if parts.get("year") else None,
        None if month is None else int(month) if month.isdigit() else months[month.lower()],
        int(parts["day"]) if parts.get("day") else None,
    )
    return " " if any(_matches(known, wanted) for known in _days_of(days, periods)) else found[0]


def _matches(known: date, wanted: tuple[int | None, int | None, int | None]) -> bool:
    parts = (known.year, known.month, known.day)
    return all(want is None or want == part for want, part in zip(wanted, parts, strict=True))


def _days_of(days: set[date], periods: list[Period]) -> set[date]:
    spans = {
        start
        for period in periods
        if period.start is not None
        for start in buckets_between(period.start, period.end, "day")
    }
    return days | spans


def _months(locale: Locale) -> dict[str, int]:
    return {
        name.lower().rstrip("."): number
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, locale).items()
    }
