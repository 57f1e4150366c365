"""Texts of an Adaptive Card: rich text runs, where nothing is markup; what reads Markdown gets it escaped."""

import re
from collections.abc import Iterator
from typing import Final, assert_never

from microsoft_teams.cards import core

from cards.elements import Bullets, Code, Facts, FoldElement, Paragraph, RichText, Small, Span
from cards.render.text import plain

_MARKUP: Final = re.compile(r"([\\`*_\[\]~])")
# '1. ', '- ', '# ' open a list or a heading where a text begins with them.
_OPENING: Final = re.compile(r"^(\s*(?:\d+(?=[.)]))?)([.)#>+-])(?=\s)")


def escape(text: str) -> str:
    """Text for an element that reads Markdown: shown as it is written."""
    escaped = _MARKUP.sub(r"\\\1", text).replace("<", "&lt;")
    return _OPENING.sub(r"\1\\\2", escaped)


def content(element: FoldElement) -> Iterator[core.CardElement]:
    """What a fold may hold, and a card holds as well; an element without words draws nothing."""
    match element:
        case Paragraph(spans=spans):
            yield from rich(spans)
        case Facts():
            yield from _facts(element)
        case Bullets():
            for mark, item in element.marked():
                yield from rich((Span(text=mark), *item), spacing="Small")
        case Code():
            yield from _code(element)
        case Small(spans=spans):
            yield from small(plain(spans))
        case _:
            assert_never(element)


def rich(spans: RichText, spacing: core.Spacing | None = None) -> Iterator[core.CardElement]:
    """A paragraph of runs; none where no span has words."""
    runs = [_run(span) for span in spans if span.text]
    if runs:
        yield core.RichTextBlock(inlines=runs, spacing=spacing)


def _run(span: Span) -> core.CardElement:
    return core.TextRun(
        text=span.text,
        weight="Bolder" if span.bold else None,
        font_type="Monospace" if span.code else None,
    )


def small(text: str) -> Iterator[core.CardElement]:
    """A line of small print; none where there are no words."""
    if text:
        run = core.TextRun(text=text, size="Small", is_subtle=True)
        yield core.RichTextBlock(inlines=[run], spacing="Small")


def text_run(text: str) -> core.CardElement:
    """One line of words, shown as they are written."""
    return core.RichTextBlock(inlines=[core.TextRun(text=text)])


def _facts(facts: Facts) -> Iterator[core.CardElement]:
    items = [core.Fact(title=escape(label), value=escape(text)) for label, text in facts.items if text]
    if items:
        yield core.FactSet(facts=items)


def _code(code: Code) -> Iterator[core.CardElement]:
    if code.text:
        yield core.CodeBlock(
            code_snippet=code.text,
            language="Sql" if code.language == "sql" else "PlainText",
            start_line_number=1,
            fallback=monospace(code.text),
        )


def monospace(text: str) -> core.CardElement:
    """Text whose columns stay under each other."""
    return core.RichTextBlock(inlines=[core.TextRun(text=text, font_type="Monospace")])
