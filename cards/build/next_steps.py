"""The buttons of an answer that go on from its own rows: other charts, and rows opened up."""

import json

from agent.values.outcome import Answer, Drill, Receipt
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Actions, Button, Card, Element, Facts, Heading
from semantic_catalog.model import Locale


def next_step_buttons(answer: Answer) -> tuple[Element, ...]:
    """A list of chart kinds and a row of drill-downs, each only where there is something to offer."""
    locale, run = answer.locale, answer.run
    charts = tuple(
        Button(label=say(locale, f"button.chart_{kind}"), action=CardAction(verb="chart_type", run=run, value=kind))
        for kind in answer.charts
    )
    drills = tuple(
        Button(label=drill.label, action=CardAction(verb="drill_down", run=run, value=drill_value(drill)))
        for drill in answer.drills
    )
    rows = (
        Actions(buttons=charts, placeholder=say(locale, "button.chart_type"), as_list=True),
        Actions(buttons=drills, placeholder=say(locale, "button.drill_down")),
    )
    return tuple(row for row in rows if row.buttons)


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
