"""No number is posted that the result does not bear out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from agent.analysis.buckets import buckets_between
from agent.analysis.cells import as_number
from agent.analysis.known_dates import periods_of, without_dates, without_phrases
from agent.analysis.layout import read_layout
from agent.analysis.number_tokens import Kind, NumberToken, number_tokens
from agent.values.result import Kpi, ResultColumn, ResultTable
from agent.values.spec import Period, QuerySpec
from semantic_catalog.model import Locale

_KEYS = ("dimension", "label", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A value that prose may state, and as what."""

    value: Decimal
    kind: Kind


def unsupported_numbers(
    text: str, table: ResultTable, kpis: tuple[Kpi, ...], spec: QuerySpec | None, locale: Locale, row_count: int
) -> tuple[str, ...]:
    """The numbers of `text` that nothing supports, as written; empty when all may be posted.

    Supported, at the precision shown: cells, KPIs, counts of rows, members and buckets, the spec's limit, thresholds,
    dates and period lengths. A percentage must come from a fraction, points from a difference of fractions, and a
    signed number must have that sign. Digits inside names (members, metrics) are no numbers.
    """
    prose = without_dates(_without_names(text, table, kpis), table, spec, locale)
    known = (*_cells(table), *_of_kpis(kpis, table), *_counts(table, spec, row_count))
    return tuple(token.text for token in number_tokens(prose, locale) if not _is_known(token, known))


def _is_known(token: NumberToken, known: Iterable[_Known]) -> bool:
    return any(fact.kind == token.kind and _agrees(token, fact.value) for fact in known)


def _agrees(token: NumberToken, value: Decimal) -> bool:
    shown = value if token.signed else abs(value)
    return abs(shown - token.value) <= token.tolerance


def _cells(table: ResultTable) -> list[_Known]:
    numbers = ((as_number(cell), column) for row in table.rows for cell, column in zip(row, table.columns, strict=True))
    return [_fact(number, column) for number, column in numbers if number is not None]


def _fact(number: Decimal, column: ResultColumn) -> _Known:
    if column.points:
        return _Known(value=number * 100, kind="points")
    if column.format == "percent":
        return _Known(value=number * 100, kind="percent")
    return _Known(value=number, kind="plain")


def _of_kpis(kpis: tuple[Kpi, ...], table: ResultTable) -> list[_Known]:
    columns = {column.name: column for column in table.columns}
    facts = []
    for kpi in kpis:
        if kpi.change is not None:
            facts.append(_Known(value=kpi.change * 100, kind="percent"))
        column = columns.get(kpi.column)
        if kpi.kind == "change" and column is not None:
            facts += [_fact(now.value - kpi.value, column) for now in kpis if _is_whole_of(now, kpi)]
        if kpi.kind == "change" and column is not None and column.format == "percent":
            facts.append(_Known(value=kpi.value * 100, kind="points"))
        elif kpi.kind == "count" or column is None:
            facts.append(_Known(value=kpi.value, kind="plain"))
        else:
            facts.append(_fact(kpi.value, column))
    return facts


def _is_whole_of(now: Kpi, change: Kpi) -> bool:
    return now.column == change.column and now.kind in ("total", "overall")


def _counts(table: ResultTable, spec: QuerySpec | None, row_count: int) -> list[_Known]:
    layout = read_layout(table.columns)
    members = [len({row[key] for row in table.rows}) for key in layout.keys]
    counts = [row_count, len(table.rows), *members, *_spec_counts(spec)]
    plain = [_Known(value=Decimal(count), kind="plain") for count in counts]
    return plain + [fact for threshold in (spec.having if spec else ()) for fact in _threshold(threshold.value)]


def _spec_counts(spec: QuerySpec | None) -> list[int]:
    if spec is None:
        return []
    window = spec.calculation.window if spec.calculation else None
    known = [number for number in (spec.limit, window) if number is not None]
    return known + [size for period in periods_of(spec) for size in _lengths(period, spec)]


def _lengths(period: Period, spec: QuerySpec) -> list[int]:
    """How long the period is, in days and in buckets of the result, and as its words say it."""
    worded = [int(number) for number in re.findall(r"\d+", period.words)]
    if period.start is None:
        return worded
    buckets = len(buckets_between(period.start, period.end, spec.grain)) if spec.grain else 1
    return [*worded, (period.end - period.start).days + 1, buckets]


def _threshold(value: Decimal) -> tuple[_Known, ...]:
    return (_Known(value=value, kind="plain"), _Known(value=value * 100, kind="percent"))


def _without_names(text: str, table: ResultTable, kpis: tuple[Kpi, ...]) -> str:
    cells = {
        cell
        for row in table.rows
        for cell, column in zip(row, table.columns, strict=True)
        if column.role in _KEYS and isinstance(cell, str)
    }
    names = cells | {column.label for column in table.columns} | {kpi.at for kpi in kpis}
    return without_phrases(text, (name for name in names if any(letter.isdigit() for letter in name)))
