"""A card made small enough for a platform: what is cut is said in the card, and buttons are kept."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from agent.wording.texts import say
from cards.actions import fits
from cards.elements import (
    Actions,
    Bullets,
    Button,
    Card,
    Code,
    Element,
    Facts,
    Fold,
    FoldElement,
    Heading,
    Notice,
    Paragraph,
    Picture,
    RichText,
    Small,
    Span,
    Table,
)
from cards.render.clean import ELLIPSIS, clean, clip, one_line
from cards.render.text import render_text
from semantic_catalog.model import Locale

_SHARES: Final = (1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.12, 0.07, 0.04, 0.02)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The most that one element may hold: characters, or how many of its kind."""

    heading: int
    text: int
    code: int
    line: int
    items: int
    rows: int
    columns: int
    cell: int
    elements: int
    buttons: int
    label: int

    def shared(self, share: float) -> "Caps":
        """The same caps made smaller, down to what still makes a card; headings and labels stay."""
        return replace(self, **{name: max(int(getattr(self, name) * share), least) for name, least in _FLOOR.items()})


_FLOOR: Final = {
    "text": 40,
    "code": 80,
    "line": 24,
    "items": 2,
    "rows": 1,
    "columns": 2,
    "cell": 12,
    "elements": 6,
    "buttons": 4,
}


def fit(card: Card, caps: Caps, accepted: Callable[[Card], bool]) -> Card:
    """`card` cleaned and cut to `caps`, and further until it is `accepted`; the smallest cut if it never is."""
    smallest = card
    for share in _SHARES:
        smallest = cut(card, caps.shared(share))
        if accepted(smallest):
            break
    return smallest


def cut(card: Card, caps: Caps) -> Card:
    """`card` with clean texts and nothing larger than `caps`."""
    elements = [smaller for element in card.elements for smaller in _element(element, caps, card.locale)]
    fallback = one_line(clean(card.fallback)) or one_line(render_text(card)) or ELLIPSIS
    steps = tuple(replace(step, label=clip(one_line(clean(step.label)), caps.label)) for step in card.steps)
    fewer = _most(tuple(elements), caps, card.locale)
    return replace(card, elements=fewer, fallback=clip(fallback, caps.text), steps=steps[-caps.items :])


def _most(elements: tuple[Element, ...], caps: Caps, locale: Locale) -> tuple[Element, ...]:
    """The first elements and the last rows of buttons: a card without its buttons cannot be answered."""
    if len(elements) <= caps.elements:
        return elements
    rows = [element for element in elements if isinstance(element, Actions)][-2:]
    others = [element for element in elements if not isinstance(element, Actions)]
    kept = others[: caps.elements - len(rows) - 1]
    left_out = len(elements) - len(kept) - len(rows)
    return (*kept, _small(say(locale, "card.parts_left_out", count=left_out)), *rows)


def _element(element: Element, caps: Caps, locale: Locale) -> tuple[Element, ...]:
    match element:
        case Heading():
            return (Heading(text=clip(one_line(clean(element.text)), caps.heading)),)
        case Notice():
            return (replace(element, spans=_spans(element.spans, caps.text)),)
        case Table():
            return (_table(element, caps, locale),)
        case Picture():
            return (replace(element, alt=clip(one_line(clean(element.alt)), caps.text)),)
        case Actions():
            return (_actions(element, caps),)
        case Fold():
            inner = tuple(part for item in element.elements for part in _fold_element(item, caps, locale))
            more = _button(element.more, caps) if element.more and fits(element.more.action) else None
            return (Fold(title=clip(one_line(clean(element.title)), caps.label), elements=inner, more=more),)
        case _:
            return _fold_element(element, caps, locale)


def _fold_element(element: FoldElement, caps: Caps, locale: Locale) -> tuple[FoldElement, ...]:
    match element:
        case Paragraph():
            return (Paragraph(spans=_spans(element.spans, caps.text)),)
        case Small():
            return (Small(spans=_spans(element.spans, caps.text)),)
        case Facts():
            return _facts(element, caps, locale)
        case Bullets():
            return _bullets(element, caps, locale)
        case Code():
            return _code(element, caps, locale)
        case _:
            assert_never(element)


def _spans(spans: RichText, limit: int) -> RichText:
    """Whole spans while they last, then part of one."""
    kept: list[Span] = []
    for span in spans:
        text = clip(clean(span.text), limit)
        if text:
            kept.append(replace(span, text=text))
        limit -= len(text)
        if limit <= 0:
            break
    return tuple(kept)


def _facts(facts: Facts, caps: Caps, locale: Locale) -> tuple[FoldElement, ...]:
    items = tuple(
        (clip(one_line(clean(label)), caps.label), clip(one_line(clean(text)), caps.line))
        for label, text in facts.items[: caps.items]
    )
    return (Facts(items=items), *_left_out(len(facts.items) - len(items), locale))


def _bullets(bullets: Bullets, caps: Caps, locale: Locale) -> tuple[FoldElement, ...]:
    items = tuple(_spans(item, caps.line) for item in bullets.items[: caps.items])
    return (replace(bullets, items=items), *_left_out(len(bullets.items) - len(items), locale))


def _left_out(count: int, locale: Locale) -> tuple[Small, ...]:
    return (_small(say(locale, "card.items_left_out", count=count)),) if count else ()


def _code(code: Code, caps: Caps, locale: Locale) -> tuple[FoldElement, ...]:
    text = clean(code.text)
    if len(text) <= caps.code:
        return (replace(code, text=text),)
    head = text[: caps.code]
    # Whole lines, unless the first line alone is longer than all that fits.
    shown = head.rsplit("\n", 1)[0] if "\n" in head else clip(text, caps.code)
    counts = {"shown": shown.count("\n") + 1, "total": text.count("\n") + 1}
    return (replace(code, text=shown), _small(say(locale, "card.lines_left_out", **counts)))


def _table(table: Table, caps: Caps, locale: Locale) -> Table:
    columns = table.columns[: caps.columns]
    rows = tuple(
        tuple(clip(one_line(clean(cell)), caps.cell) for cell in row[: caps.columns]) for row in table.rows[: caps.rows]
    )
    notes = (
        clip(one_line(clean(table.note)), caps.text),
        _count_note(locale, "card.rows_left_out", len(table.rows) - len(rows)),
        _count_note(locale, "card.columns_left_out", len(table.columns) - len(columns)),
    )
    return Table(
        columns=tuple(replace(column, label=clip(one_line(clean(column.label)), caps.cell)) for column in columns),
        rows=rows,
        note=" · ".join(note for note in notes if note),
    )


def _count_note(locale: Locale, key: str, count: int) -> str:
    return say(locale, key, count=count) if count else ""


def _actions(actions: Actions, caps: Caps) -> Actions:
    """A button whose action no channel can carry is left out: pressed, it would do something else."""
    carried = [button for button in actions.buttons if fits(button.action)]
    buttons = tuple(_button(button, caps) for button in _first(carried, caps.buttons))
    return Actions(buttons=buttons, placeholder=clip(one_line(clean(actions.placeholder)), caps.label))


def _first(buttons: Sequence[Button], most: int) -> Iterator[Button]:
    """The first `most` in order, but one of each verb in any case: nothing can be done that has no button."""
    firsts = {button.action.verb: at for at, button in reversed(list(enumerate(buttons)))}
    others = [at for at in range(len(buttons)) if at not in firsts.values()]
    kept = {*firsts.values(), *others[: max(most - len(firsts), 0)]}
    return (button for at, button in enumerate(buttons) if at in kept)


def _button(button: Button, caps: Caps) -> Button:
    label = clip(one_line(clean(button.label)), caps.label) or button.action.verb
    listed_as = clip(one_line(clean(button.listed_as)), caps.label)
    return replace(button, label=label, hint=clip(one_line(clean(button.hint)), caps.line), listed_as=listed_as)


def _small(text: str) -> Small:
    return Small(spans=(Span(text=text),))
