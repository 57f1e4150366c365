"""What the sentence that answers is made from: a reading, its KPIs, and its period in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from agent.analysis.cells import as_number
from agent.analysis.layout import MetricColumn
from agent.analysis.reading import Reading
from agent.values.result import Kpi, ResultColumn, Row
from agent.wording.dates import period_phrase
from agent.wording.numbers import percent, points, write_cell
from agent.wording.texts import say

MAX_LISTED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The part in bold, and what follows it as whole sentences; the first of `rest` may go on from the bold part."""

    lead: str
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything the narrating functions read."""

    reading: Reading
    kpis: tuple[Kpi, ...]

    def say(self, key: str, /, **params: str) -> str:
        """A text of the area `narrative`."""
        return say(self.reading.locale, f"narrative.{key}", **params)

    def say_of(self, key: str, metric: ResultColumn, /, **params: str) -> str:
        """A text with a verb that, in English, agrees with the metric's label."""
        count = 2 if is_plural(metric.label) else 1
        return say(self.reading.locale, f"narrative.{key}", count=count, **{**params, "metric": metric.label})

    def kpi(self, kind: str, column: ResultColumn) -> Kpi | None:
        """The KPI of that kind, unless rows are missing and it would not be true of the whole."""
        found = next((k for k in self.kpis if k.kind == kind and k.column == column.name), None)
        return found if self.reading.whole or not self.reading.layout.keys else None

    def overall(self, column: ResultColumn) -> Decimal | None:
        """The metric of everything, where the data gives it."""
        found = self.kpi("total", column) or self.kpi("overall", column)
        return found.value if found else None

    def figure(self, metric: MetricColumn) -> Decimal | None:
        """The metric in the only row."""
        found = self.reading.numbers(metric.value).first
        return found.value if found else None

    def write(self, value: Decimal, column: ResultColumn) -> str:
        """A number in prose."""
        return self.reading.write(value, column)

    def write_whole(self, value: Decimal, column: ResultColumn) -> str:
        """A number that no table repeats: nothing of it is rounded away but what its format never shows."""
        return write_cell(value, column, self.reading.locale)

    def write_both(self, first: Decimal, last: Decimal, column: ResultColumn) -> tuple[str, str]:
        """Two numbers in prose, precise enough to be told apart where they differ."""
        locale = self.reading.locale
        writings: tuple[Callable[[Decimal], str], ...] = (
            lambda value: self.write(value, column),
            lambda value: write_cell(value, column, locale),
            lambda value: (
                percent(value, locale, decimals=2) if column.format == "percent" else self.write(value, column)
            ),
        )
        pairs = [(written(first), written(last)) for written in writings]
        return next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])

    def change(self, kpi: Kpi, column: ResultColumn, signed: bool) -> str:
        """A change in % of the earlier value, in points for a percentage, else as a plain difference."""
        sign = abs if not signed else _as_is
        if column.format == "percent":
            return points(sign(kpi.value), self.reading.locale, signed)
        if kpi.change is not None:
            return percent(sign(kpi.change), self.reading.locale, signed=signed)
        return self.write(sign(kpi.value), column)

    def moved(self, row: Row, metric: MetricColumn) -> Decimal | None:
        """A row's own change as the result states it: a difference for a percentage, else a fraction."""
        place = self.change_place(metric)
        return None if place is None else as_number(row[place])

    def write_moved(self, row: Row, metric: MetricColumn) -> str:
        """A row's own change in words; '' when the result does not state one."""
        place, value = self.change_place(metric), self.moved(row, metric)
        return "" if place is None or value is None else self.write(value, self.reading.table.columns[place])

    def change_place(self, metric: MetricColumn) -> int | None:
        """The column in which the result states how a row changed."""
        absolute_first = metric.column.format == "percent" or metric.change_pct is None
        return metric.change if absolute_first else metric.change_pct

    def when(self) -> tuple[str, ...]:
        """The period as the end of the first sentence; nothing when the question has none."""
        spec = self.reading.spec
        if spec is None or spec.period is None:
            return ()
        return (self.say("when", period=self.period()),)

    def period(self) -> str:
        """The period in a phrase ('over 25–31 Oct 2026'); '' without one."""
        spec = self.reading.spec
        return period_phrase(spec.period, self.reading.locale) if spec and spec.period else ""

    def previous_period(self) -> str:
        """The period compared with, in a phrase; '' without one."""
        spec = self.reading.spec
        return period_phrase(spec.comparison.period, self.reading.locale) if spec and spec.comparison else ""

    def told(self, lead: str, *sentences: str) -> Headline:
        """The bold part, the period, then more sentences."""
        when = self.when()
        closed = lead if when or not sentences else self.say("closed", text=lead)
        return Headline(lead=closed, rest=(*when, *sentences))


def is_plural(label: str) -> bool:
    """Whether an English label takes 'were': 'Fees', 'Number of days' does not, nor 'Loss'."""
    head = label.split("(")[0].split(" of ")[0].strip().lower()
    return head.endswith("s") and not head.endswith("ss")


def listed(items: Iterable[str], separator: str = ", ") -> str:
    """Items one after another; those that hold commas are separated by '; '."""
    return separator.join(items)


def closed_once(text: str) -> str:
    """A sentence that ends in an abbreviation ('п. п.', 'окт.') has one full stop, not two."""
    return text.replace("..", ".")


def _as_is(value: Decimal) -> Decimal:
    return value
