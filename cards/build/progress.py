"""The one line that moves while a question is worked on."""

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.elements import Actions, Button, Card, Paragraph, Span, Step
from semantic_catalog.model import Locale

_ARROW = " → "


def progress_card(
    run: RunId, locale: Locale, step: str, done_steps: tuple[str, ...] = (), seconds: int | None = None
) -> Card:
    """'Understanding → Checking SQL → **Running (12 s)**' with Stop.

    Steps are text keys (`progress.<step>`): queued, understanding, checking_sql, waiting, running, drawing. `seconds`
    says how long a running query has been running. A step that is done more than once is named once.
    """
    timed = step == "running" and seconds is not None
    now = say(locale, "progress.running_seconds", seconds=seconds) if timed else say(locale, f"progress.{step}")
    before = tuple(say(locale, f"progress.{key}") for key in dict.fromkeys(done_steps) if key != step)
    done = "".join(label + _ARROW for label in before)
    stop = Button(label=say(locale, "button.stop"), action=CardAction(verb="cancel", run=run))
    return Card(
        kind="progress",
        elements=(Paragraph(spans=(Span(text=done), Span(text=now, bold=True))), Actions(buttons=(stop,))),
        fallback=done + now,
        locale=locale,
        steps=(
            *(
                Step(label=say(locale, f"progress.{key}"), done=True)
                for key in dict.fromkeys(done_steps)
                if key != step
            ),
            Step(label=now),
        ),
    )
