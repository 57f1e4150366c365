"""The days that a condition leaves of a source's time column."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlglot import exp

from agent.sql.moments import is_cast_of_time, last_day_of, moment, month_of, shifted

IsTime = Callable[[exp.Column], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Whole days, both included; None where a side is open."""

    first: date | None = None
    last: date | None = None

    def both(self, other: "Days") -> "Days":
        """The days that are in both."""
        return Days(
            first=max((d for d in (self.first, other.first) if d), default=None),
            last=min((d for d in (self.last, other.last) if d), default=None),
        )

    def either(self, other: "Days") -> "Days":
        """From the first to the last day of both together; a side that one leaves open is open."""
        return Days(
            first=min(self.first, other.first) if self.first and other.first else None,
            last=max(self.last, other.last) if self.last and other.last else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReader:
    """Reads bounds of one source's time column out of conditions; `is_time` tells which columns are it."""

    is_time: IsTime
    today: date
    is_month_text: bool = False

    def days(self, condition: exp.Expr) -> Days:
        """The days that `condition` leaves; all of them when it says nothing about the column."""
        if isinstance(condition, exp.Paren):
            return self.days(condition.this)
        if isinstance(condition, (exp.And, exp.Or)):
            return self._combined(condition)
        if isinstance(condition, exp.Between) and self._is_subject(condition.this):
            low, high = self._span(condition.args["low"]), self._span(condition.args["high"])
            return self._widened(
                condition.this, Days(first=low.first if low else None, last=high.last if high else None)
            )
        if isinstance(condition, exp.In) and self._is_subject(condition.this):
            return self._one_of(condition)
        if isinstance(condition, exp.Like):
            return self._like(condition)
        if isinstance(condition, (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)):
            return self._compared(condition)
        return Days()

    def _combined(self, condition: exp.And | exp.Or) -> Days:
        parts = [self.days(part) for part in condition.flatten()]
        days = parts[0]
        for part in parts[1:]:
            days = days.both(part) if isinstance(condition, exp.And) else days.either(part)
        return days

    def _compared(self, condition: exp.Binary) -> Days:
        mirrored = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ}
        for subject, other, kind in (
            (condition.left, condition.right, type(condition)),
            (condition.right, condition.left, mirrored[type(condition)]),
        ):
            if self._is_subject(subject):
                span = self._span(other)
                return self._widened(subject, _compared(kind, span, other, self.today)) if span else Days()
            if kind is exp.EQ and (days := self._part_of_date(subject, other)):
                return days
        return Days()

    def _is_subject(self, node: exp.Expr) -> bool:
        while isinstance(node, _TRANSPARENT):
            if isinstance(node, exp.Cast) and not is_cast_of_time(node):
                return False
            node = node.this
        return isinstance(node, exp.Column) and self.is_time(node)

    def _widened(self, subject: exp.Expr, days: Days) -> Days:
        """A bound on a truncated time reaches to the end of the last unit."""
        node: exp.Expr | None = subject
        while isinstance(node, _TRANSPARENT):
            if isinstance(node, _TRUNCATING) and days.last:
                end = shifted(datetime(days.last.year, days.last.month, days.last.day), 1, node.text("unit"))  # noqa: DTZ001
                days = Days(first=days.first, last=end.date() - timedelta(days=1) if end else None)
            node = node.this
        return days

    def _span(self, node: exp.Expr) -> Days | None:
        if self.is_month_text:
            month = self._written_month(node)
            return Days(first=month, last=last_day_of(month)) if month else None
        instant = moment(node, self.today)
        return Days(first=instant.date(), last=instant.date()) if instant else None

    def _written_month(self, node: exp.Expr) -> date | None:
        if isinstance(node, exp.Literal) and node.is_string:
            return month_of(node.name)
        if isinstance(node, (exp.TimeToStr, exp.ToChar)) and node.text("format").upper() in {"%Y-%M", "YYYY-MM"}:
            instant = moment(node.this, self.today)
            return instant.date().replace(day=1) if instant else None
        return None

    def _one_of(self, condition: exp.In) -> Days:
        spans = [self._span(value) for value in condition.expressions]
        if not spans or any(span is None for span in spans):
            return Days()
        firsts = [span.first for span in spans if span and span.first]
        lasts = [span.last for span in spans if span and span.last]
        return self._widened(condition.this, Days(first=min(firsts), last=max(lasts)))

    def _like(self, condition: exp.Like) -> Days:
        prefix = condition.expression.name if isinstance(condition.expression, exp.Literal) else ""
        if not self._is_subject(condition.this) or not prefix.endswith("%") or not self.is_month_text:
            return Days()
        return _of_year(prefix[:4]) if prefix[4:] in {"%", "-%"} else _of_month(prefix.rstrip("%"))

    def _part_of_date(self, subject: exp.Expr, other: exp.Expr) -> Days | None:
        value = other.name if isinstance(other, exp.Literal) else ""
        if isinstance(subject, exp.Year) or (isinstance(subject, exp.Extract) and subject.name.upper() == "YEAR"):
            inner = subject.expression if isinstance(subject, exp.Extract) else subject.this
            return _of_year(value) if self._is_subject(inner) else None
        if isinstance(subject, exp.TimeToStr) and self._is_subject(subject.this):
            formats = {"%Y": _of_year, "%Y-%m": _of_month}
            return formats[subject.text("format")](value) if subject.text("format") in formats else None
        if isinstance(subject, (exp.Left, exp.Substring)) and self.is_month_text and self._is_subject(subject.this):
            return _of_year(value) if len(value) == 4 else None
        return None


_TRUNCATING = (exp.DateTrunc, exp.TimestampTrunc)
_TRANSPARENT = (exp.Paren, exp.Cast, exp.Date, exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.AtTimeZone, *_TRUNCATING)


def _compared(kind: type[exp.Expr], span: Days, other: exp.Expr, today: date) -> Days:
    instant = moment(other, today)
    at_midnight = instant is None or (instant.hour, instant.minute, instant.second) == (0, 0, 0)
    if kind is exp.EQ:
        return span
    if kind in {exp.GT, exp.GTE}:
        return Days(first=span.first)
    if kind is exp.LTE or not at_midnight:
        return Days(last=span.last)
    return Days(last=span.first - timedelta(days=1) if span.first else None)


def _of_year(text: str) -> Days:
    year = int(text) if text.isdecimal() and len(text) == 4 and text > "0000" else None
    return Days(first=date(year, 1, 1), last=date(year, 12, 31)) if year else Days()


def _of_month(text: str) -> Days:
    month = month_of(text)
    return Days(first=month, last=last_day_of(month)) if month else Days()
