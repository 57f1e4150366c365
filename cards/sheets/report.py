"""The first sheet of a whole report: the sentence that answers, the summary, doubts and what was assumed."""

from collections.abc import Iterator

from agent.values.outcome import Answer
from agent.wording.texts import say
from cards.sheets.pages import Page, Typed, counted

WIDTH = 110


def report_page(name: str, answer: Answer) -> Page:
    """One text a row; headings are bold."""
    rows = ((Typed(text, style="bold" if bold else "plain"),) for text, bold in _lines(answer))
    return counted(name, rows, (WIDTH,))


def _lines(answer: Answer) -> Iterator[tuple[str, bool]]:
    told = answer.narrative
    yield answer.receipt.title, True
    yield f"{told.lead} {told.rest}".strip(), False
    yield from ((text, False) for text in answer.warnings)
    yield say(answer.locale, "answer.summary"), True
    yield from ((line, False) for line in told.summary or told.highlights)
    yield from ((text, False) for text in answer.assumptions)
