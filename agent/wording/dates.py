"""Days, months and periods in words. Days come first, then month and year; English is written as in Britain.

Functions take the domain's own days; only `instant` converts, to the zone it is given.
"""

import re
from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, get_timezone_location

from agent.values.spec import Period
from agent.wording.texts import has, say
from semantic_catalog.model import Locale, TimeGrain

Span = Literal[
    "history", "day", "days_in_month", "days_in_year", "days", "month", "months_in_year", "months", "year", "years"
]
_BABEL = {"en": "en_GB", "es": "es", "ru": "ru"}
_LAST_N = re.compile(r"last_(\d+)_(days|weeks|months|quarters|years)")
_MONTH_SPANS: tuple[Span, ...] = ("month", "months_in_year", "months")


def period_label(period: Period, locale: Locale) -> str:
    """The exact dates, short: '25–31 Oct 2026', 'Oct 2026', 'Jan–Oct 2026', '2025'."""
    return _written(period, locale, "label", wide=False)


def period_phrase(period: Period, locale: Locale) -> str:
    """The exact dates as part of a sentence: 'over 25–31 Oct 2026', 'in October 2026'."""
    wide = locale != "en" or _span(period) in _MONTH_SPANS
    return _written(period, locale, "phrase", wide=wide)


def period_title(period: Period, locale: Locale) -> str:
    """The period as it was asked for ('last 7 days'), or its dates where it was given by dates."""
    return _words(period, locale) or period_label(period, locale)


def period_with_words(period: Period, locale: Locale) -> str:
    """Words, dates and zone: 'last 7 days (25–31 Oct 2026, Lima time)'; without words '25–31 Oct 2026, Lima time'."""
    dates, zone = period_label(period, locale), zone_name(period.timezone, locale)
    words = _words(period, locale)
    if words:
        return say(locale, "dates.words_and_dates", words=words, dates=dates, zone=zone)
    return say(locale, "dates.dates_and_zone", dates=dates, zone=zone)


def day(value: date, locale: Locale) -> str:
    """'31 Oct 2026'."""
    return _format(value, "d MMM y", locale)


def month(value: date, locale: Locale) -> str:
    """The month of a day: 'Oct 2026'."""
    return period_label(_bucket_period(value, "month"), locale)


def bucket(value: date | str, grain: TimeGrain, locale: Locale) -> str:
    """The bucket that starts on `value`: a day, the dates of a week, 'Oct 2026', 'Q4 2026', '2026'.

    A text month ('2026-10') is its first day; other text is returned as it is.
    """
    start = _first_day(value)
    if start is None:
        return str(value)
    if grain == "quarter":
        return say(locale, "dates.quarter", quarter=(start.month + 2) // 3, year=start.year)
    return period_label(_bucket_period(start, grain), locale)


def moment(value: datetime, locale: Locale) -> str:
    """An instant in the zone it carries, to the minute: '31 Oct 2026, 10:00'."""
    return f"{day(value.date(), locale)}, {_clock(value, locale)}"


def instant(value: datetime, timezone: str, locale: Locale) -> str:
    """An aware instant on the wall clock of `timezone`, for the days around it: 'Tue 1 Dec, 10:00'."""
    local = value.astimezone(ZoneInfo(timezone))
    return f"{_format(local.date(), 'EEE d MMM', locale)}, {_clock(local, locale)}"


def zone_name(timezone: str, locale: Locale) -> str:
    """The zone by its city: 'Lima time'."""
    if "/" not in timezone:
        return timezone
    return say(locale, "dates.zone", city=get_timezone_location(timezone, locale=_BABEL[locale], return_city=True))


def _written(period: Period, locale: Locale, style: Literal["label", "phrase"], wide: bool) -> str:
    span = _span(period)
    alone = span in _MONTH_SPANS
    start = period.start or period.end
    return say(
        locale,
        f"dates.{style}_{span}",
        d1=start.day,
        m1=_month_name(start, locale, wide, alone),
        y1=start.year,
        d2=period.end.day,
        m2=_month_name(period.end, locale, wide, alone),
        y2=period.end.year,
    )


def _span(period: Period) -> Span:
    start, end = period.start, period.end
    if start is None:
        return "history"
    if start.day == 1 and end.day == monthrange(end.year, end.month)[1]:
        return _span_of_months(start, end)
    if start == end:
        return "day"
    if start.year != end.year:
        return "days"
    return "days_in_month" if start.month == end.month else "days_in_year"


def _span_of_months(start: date, end: date) -> Span:
    if (start.month, end.month) == (1, 12):
        return "year" if start.year == end.year else "years"
    if start.year != end.year:
        return "months"
    return "month" if start.month == end.month else "months_in_year"


def _words(period: Period, locale: Locale) -> str:
    counted = _LAST_N.fullmatch(period.words)
    if counted:
        return say(locale, f"dates.last_{counted[2]}", count=int(counted[1]))
    key = f"dates.words_{period.words}"
    return say(locale, key) if has(key) else ""


def _bucket_period(value: date, grain: TimeGrain) -> Period:
    first = value.replace(day=1)
    match grain:
        case "day":
            start, end = value, value
        case "week":
            start = value - timedelta(days=value.weekday())
            end = start + timedelta(days=6)
        case "month":
            start, end = first, _last_day(first, months=1)
        case "quarter":
            start = first.replace(month=first.month - (first.month - 1) % 3)
            end = _last_day(start, months=3)
        case "year":
            start, end = value.replace(month=1, day=1), value.replace(month=12, day=31)
    return Period(start=start, end=end, timezone="UTC")


def _last_day(first: date, months: int) -> date:
    month = first.month + months - 1
    return first.replace(month=month, day=monthrange(first.year, month)[1])


def _first_day(value: date | str) -> date | None:
    match value:
        case datetime():
            return value.date()
        case date():
            return value
        case str() if re.fullmatch(r"\d{4}-\d{2}", value):
            return date.fromisoformat(f"{value}-01")
        case _:
            return None


def _month_name(value: date, locale: Locale, wide: bool, alone: bool) -> str:
    letter = "L" if alone else "M"
    return _format(value, letter * (4 if wide else 3), locale)


def _clock(value: datetime, locale: Locale) -> str:
    return format_time(value.time(), "HH:mm", locale=_BABEL[locale])


def _format(value: date, pattern: str, locale: Locale) -> str:
    return format_date(value, pattern, locale=_BABEL[locale])
