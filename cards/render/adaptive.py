"""Cards as Adaptive Cards 1.5 for Teams: typed models, with a fallback for everything older clients lack."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from microsoft_teams.cards import core

from agent.values.turn import CardAction
from cards.elements import (
    Actions,
    Card,
    Element,
    Fold,
    Heading,
    Notice,
    Picture,
    Span,
    Table,
    Tone,
)
from cards.forms import Form
from cards.limits import TEAMS
from cards.render.adaptive_buttons import button_rows
from cards.render.adaptive_charts import chart_of
from cards.render.adaptive_json import Json, card_json
from cards.render.adaptive_mention import mention_line, mention_of
from cards.render.adaptive_refresh import refresh_of
from cards.render.adaptive_text import content, escape, monospace, rich, small, text_run
from cards.render.fit import Caps, fit
from cards.render.text import table_text

NO_PICTURES: Final[Mapping[str, str]] = {}

_CAPS: Final = Caps(
    heading=200,
    text=TEAMS.text,
    code=9000,
    line=500,
    items=20,
    rows=TEAMS.table_rows,
    columns=TEAMS.table_columns,
    cell=200,
    elements=60,
    buttons=18,
    label=TEAMS.label,
)
_TONES: Final[Mapping[Tone, core.ContainerStyle]] = {
    "info": "accent",
    "success": "good",
    "warning": "warning",
    "danger": "attention",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a card is drawn with besides its elements.

    `forms` maps an encoded action to the form that its button unfolds. `viewers` are the people, by Teams' ids, who
    see the card as `refreshing` draws it for them. `native_charts` has the client draw charts, with the picture as
    fallback.
    """

    forms: Mapping[str, Form] = field(default_factory=dict)
    viewers: tuple[str, ...] = ()
    refreshing: CardAction | None = None
    native_charts: bool = False


PLAIN: Final = Setting()


def render_adaptive(card: Card, pictures: Mapping[str, str] = NO_PICTURES, setting: Setting = PLAIN) -> Json:
    """The card as JSON types, at most `TEAMS.card` bytes besides its pictures.

    `pictures` maps an attachment's key to an https address or a `data:` address; a picture without one is not drawn.
    What a pressed button sends back is read by `cards.render.adaptive_buttons.pressed_action`, what a refresh asks by
    `cards.render.adaptive_refresh.refreshed_action`.
    """
    fitted = fit(card, _CAPS, lambda smaller: _bytes_besides_pictures(_drawn(smaller, pictures, setting)) <= TEAMS.card)
    return _drawn(fitted, pictures, setting)


def _drawn(card: Card, pictures: Mapping[str, str], setting: Setting) -> Json:
    ids, mention = count(), mention_of(card)
    elements = (drawn for element in card.elements for drawn in _element(element, pictures, setting, ids))
    model = core.AdaptiveCard(
        version="1.5",
        lang=card.locale,
        fallback_text=card.fallback,
        msteams=core.TeamsCardProperties(width="full", entities=[mention] if mention else None),
        refresh=refresh_of(setting.refreshing, setting.viewers),
        body=[*mention_line(card), *elements],
    )
    return card_json(model)


def _element(
    element: Element, pictures: Mapping[str, str], setting: Setting, ids: Iterator[int]
) -> Iterator[core.CardElement]:
    match element:
        case Heading(text=text):
            yield from _heading(text)
        case Notice():
            yield from _notice(element)
        case Fold():
            yield from _fold(element, next(ids))
        case Table():
            yield from _table(element)
        case Picture():
            yield from _picture(element, pictures.get(element.attachment, ""), setting)
        case Actions():
            yield from _hints(element)
            yield from button_rows(element, ids, setting.forms)
        case _:
            yield from content(element)


def _heading(text: str) -> Iterator[core.CardElement]:
    if text:
        yield core.TextBlock(text=escape(text), style="heading", size="Medium", weight="Bolder", wrap=True)


def _notice(notice: Notice) -> Iterator[core.CardElement]:
    items = list(rich(notice.spans))
    if items:
        yield core.Container(style=_TONES[notice.tone], items=items)


def _fold(fold: Fold, number: int) -> Iterator[core.CardElement]:
    target = f"fold_{number}"
    items = [drawn for part in fold.elements for drawn in content(part)]
    if items:
        yield core.ActionSet(actions=[core.ToggleVisibilityAction(title=fold.title, target_elements=[target])])
        yield core.Container(id=target, is_visible=False, items=items)


def _table(table: Table) -> Iterator[core.CardElement]:
    if table.columns:
        header = tuple(column.label for column in table.columns)
        yield core.Table(
            show_grid_lines=False,
            columns=[_column(column.numeric) for column in table.columns],
            rows=[_row(header, bold=True), *(_row(row) for row in table.rows)],
            fallback=monospace(table_text((header, *table.rows), [column.numeric for column in table.columns])),
        )
    yield from small(table.note)


def _column(numeric: bool) -> core.ColumnDefinition:
    return core.ColumnDefinition(width=1, horizontal_cell_content_alignment="Right" if numeric else "Left")


def _row(cells: tuple[str, ...], bold: bool = False) -> core.TableRow:
    return core.TableRow(cells=[_cell(cell, bold) for cell in cells])


def _cell(text: str, bold: bool) -> core.TableCell:
    if not text:
        return core.TableCell(items=[])
    run = core.RichTextBlock(inlines=[core.TextRun(text=text, weight="Bolder")] if bold else [text])
    return core.TableCell(items=[run])


def _picture(picture: Picture, found: str, setting: Setting) -> Iterator[core.CardElement]:
    image = _image(picture, found) if found.startswith(("https://", "http://", "data:image/")) else None
    if setting.native_charts and picture.plot is not None:
        yield chart_of(picture.plot, image or text_run(picture.alt or picture.attachment))
    elif image is not None:
        yield image


def _image(picture: Picture, url: str) -> core.CardElement:
    return core.Image(
        url=url,
        alt_text=picture.alt or picture.attachment,
        size="Stretch",
        msteams=core.TeamsImageProperties(allow_expand=True),
    )


def _hints(actions: Actions) -> Iterator[core.CardElement]:
    for button in actions.buttons:
        if button.hint:
            hint = (Span(text=button.label, bold=True), Span(text=f" — {button.hint}"))
            yield from rich((Span(text="• "), *hint), spacing="Small")


def _bytes_besides_pictures(card: Json) -> int:
    return len(json.dumps(_bare(card), ensure_ascii=False).encode("utf-16-le"))


def _bare(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _bare(held) for name, held in node.items()}
    if isinstance(node, list):
        return [_bare(item) for item in node]
    return "" if isinstance(node, str) and node.startswith("data:image/") else node
