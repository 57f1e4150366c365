"""The buttons of an answer that go on from its own rows: other charts, and rows opened up."""

import json

from agent.values.outcome import Answer, Drill, Receipt
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Button, Card, Facts, Heading
from semantic_catalog.model import Locale


def next_step_buttons(answer: Answer) -> tuple[Button, ...]:
    """The other kinds of chart as one choice, the rows to open up as another; each only where there is something."""
    locale, run = answer.locale, answer.run
    charts = tuple(
        Button(
            label=say(locale, f"button.chart_{kind}"),
            action=CardAction(verb="chart_type", run=run, value=kind),
            listed_as=say(locale, "button.chart_type"),
        )
        for kind in answer.charts
    )
    drills = tuple(
        Button(
            label=drill.label,
            action=CardAction(verb="drill_down", run=run, value=drill_value(drill)),
            listed_as=say(locale, "button.drill_down"),
        )
        for drill in answer.drills
    )
    return (*charts, *drills)


def explained_card(receipt: Receipt, locale: Locale) -> Card:
    """How an answer came about: its question restated, and the receipt's lines."""
    facts = tuple((say(locale, f"receipt.{line.key}"), line.value) for line in receipt.lines)
    elements = (Heading(text=receipt.title), Facts(items=facts))
    return Card(kind="reply", elements=elements, fallback=receipt.title, locale=locale)


def drill_value(drill: Drill) -> str:
    """What a drill-down button carries."""
    return json.dumps([drill.dimension, drill.value, drill.by], ensure_ascii=False, separators=(",", ":"))


def drill_of(value: str) -> tuple[str, str, str] | None:
    """The dimension, its member and the new split that `drill_value` wrote; None for anything else."""
    try:
        parts: object = json.loads(value)
    except (ValueError, RecursionError):
        return None
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        return None
    return parts[0], parts[1], parts[2]
