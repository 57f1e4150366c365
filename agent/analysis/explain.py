"""A decomposition in words: whether it moved as asked, by how much, and who moved it. Causes are not in the rows."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from agent.analysis.decompose import Decomposition, Move
from agent.analysis.headline import closed_once
from agent.analysis.reading import Reading
from agent.wording.numbers import points, write_cell
from agent.wording.texts import say

MOST_NAMED = 3
Direction = Literal["fell", "rose"]
_FELL = re.compile(
    r"\b(?:drop|fell|fall|declin|decreas|down|lower|shr[aiu]nk|baj|ca[yií]|disminu|descend|descen|reduj|redu[cz]"
    r"|упал|падени|снизи|сниж|просе|меньш|сократ)", re.IGNORECASE,
)  # fmt: skip
_ROSE = re.compile(
    r"\b(?:rise|rose|rais|grew|grow|increas|up\b|higher|jump|sub[ieí]|crec|aument|вырос|рост|раст|увелич|подня|больш)",
    re.IGNORECASE,
)


def direction_in(text: str) -> Direction | None:
    """Which way the message takes the metric to have moved; None when it does not say or says both."""
    fell, rose = bool(_FELL.search(text)), bool(_ROSE.search(text))
    if fell == rose:
        return None
    return "fell" if fell else "rose"


def explain(found: Decomposition, reading: Reading, taken: Direction | None) -> tuple[str, ...]:
    """Sentences, each on a line of its own: the whole, the members that moved most, the largest step."""
    lines = [*_whole(found, reading, taken), *_parts(found, reading)]
    if found.steepest is not None and len(found.parts) == 0:
        lines += _steepest(found, reading)
    return tuple(closed_once(line) for line in (*lines, say(reading.locale, "discuss.no_cause")))


def _whole(found: Decomposition, reading: Reading, taken: Direction | None) -> Iterator[str]:
    whole = found.whole or (found.parts[0] if len(found.parts) == 1 else None)
    if whole is None or whole.before is None or whole.after is None:
        yield say(reading.locale, "discuss.between", metric=found.metric.label, before=found.before, after=found.after)
        return
    went: Direction | None = None if not whole.difference else "rose" if whole.difference > 0 else "fell"
    if taken is not None and went != taken:
        yield say(reading.locale, f"discuss.not_{taken}")
    yield say(
        reading.locale,
        f"discuss.{went or 'stayed'}",
        metric=found.metric.label if found.whole else f"{found.metric.label}, {whole.name}",
        difference=_difference(abs(whole.difference), found, reading, signed=False),
        first=reading.write(whole.before, found.metric),
        before=found.before,
        last=reading.write(whole.after, found.metric),
        after=found.after,
    )


def _parts(found: Decomposition, reading: Reading) -> Iterator[str]:
    if len(found.parts) < 2:
        return
    shown = found.parts[:MOST_NAMED]
    yield say(reading.locale, "discuss.parts", list="; ".join(_part(part, found, reading) for part in shown))
    rest = sum((part.difference for part in found.parts[MOST_NAMED:]), Decimal(0))
    if found.whole is not None and len(found.parts) > MOST_NAMED:
        count = len(found.parts) - MOST_NAMED
        yield say(reading.locale, "discuss.rest", count=count, difference=_difference(rest, found, reading))


def _part(part: Move, found: Decomposition, reading: Reading) -> str:
    return say(
        reading.locale,
        "discuss.part",
        name=part.name,
        difference=_difference(part.difference, found, reading),
        first=write_cell(part.before, found.metric, reading.locale, compact=True),
        last=write_cell(part.after, found.metric, reading.locale, compact=True),
    )


def _steepest(found: Decomposition, reading: Reading) -> Iterator[str]:
    assert found.steepest is not None
    first, last = found.steepest.first, found.steepest.last
    if last.start != found.since:
        yield say(
            reading.locale,
            "discuss.steepest",
            difference=_difference(last.value - first.value, found, reading),
            before=reading.bucket(first.start),
            after=reading.bucket(last.start),
        )


def _difference(value: Decimal, found: Decomposition, reading: Reading, signed: bool = True) -> str:
    """A difference of percentages is in points."""
    if found.metric.format == "percent":
        return points(value, reading.locale, signed)
    column = replace(found.metric, role="change") if signed else found.metric
    return write_cell(value, column, reading.locale, compact=found.metric.format == "amount")
