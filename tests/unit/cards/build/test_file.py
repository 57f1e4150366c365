import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import get_args

import pytest

from agent.values.file import FileColumn, FileId, FileRefused, FileTable, RefusedReason, Remark, ThreadFile
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.wording.texts import say
from cards.build.file import Sharing, confirmed_card, deleted_card, file_card, file_refused_card, unconfirmed_card
from cards.elements import Table
from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards.hostile import TEXTS
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults

COLUMNS = (
    FileColumn(name="fecha", label="Fecha", type="date", members=9, filled=90),
    FileColumn(name="region", label="Región", type="text", members=3, filled=90),
    FileColumn(name="importe", label="Importe", type="decimal", members=90, filled=90),
    FileColumn(name="descuento", label="Descuento", type="decimal", percent=True, members=5, filled=90),
    FileColumn(name="nota", label="Nota", type="text", members=90, filled=90),
)
PARAMS = {"size": "200", "most": "128", "count": "300"}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_card_tells_each_column_how_it_was_read_and_what_for(locale: Locale) -> None:
    table = FileTable(name="ventas", label="ventas.csv", columns=COLUMNS, row_count=1234, remarks=get_args(Remark))
    card = file_card("ventas.csv", (table,), locale)
    (drawn,) = (element for element in card.elements if isinstance(element, Table))
    assert [row[1] for row in drawn.rows] == [column.label for column in COLUMNS]
    uses = ("time", "split", "sum", "average", "show")
    assert [row[3] for row in drawn.rows] == [say(locale, f"file.use_{use}") for use in uses]
    assert all(say(locale, f"file.{remark}") in render_text(card) for remark in get_args(Remark))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("reason", get_args(RefusedReason))
def test_every_refusal_names_the_file_and_its_reason_in_words(reason: RefusedReason, locale: Locale) -> None:
    card = file_refused_card("ventas.xlsx", FileRefused(reason=reason, params=tuple(PARAMS.items())), locale)
    assert "ventas.xlsx" in card.fallback
    assert "{" not in card.fallback


def _file(label: str, columns: int = 5) -> ThreadFile:
    found = tuple(
        replace(COLUMNS[at % len(COLUMNS)], name=f"c{at}", label=f"{label} {at}", misfits=at % 2)
        for at in range(columns)
    )
    table = FileTable(name="t", label=label, columns=found, row_count=1234, remarks=get_args(Remark))
    at = datetime(2026, 11, 1, tzinfo=UTC)
    return ThreadFile(
        id=FileId("0123456789abcdef"),
        thread=ThreadKey("console:t"),
        giver=PrincipalId("ana"),
        name=label,
        size=1,
        locale="en",
        tables=(table,) * 20,
        run=RunId("r"),
        given_at=at,
        expires_at=at,
    )


SHARING = Sharing(is_shared=True, until=date(2026, 11, 8))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", TEXTS)
def test_no_name_of_a_file_or_column_breaks_its_cards(kind: str, locale: Locale) -> None:
    file = _file(TEXTS[kind])
    cards = (
        unconfirmed_card(file, SHARING, locale, misread=TEXTS[kind]),
        confirmed_card(file, TEXTS[kind], SHARING, locale),
        deleted_card((TEXTS[kind],), locale),
        file_refused_card(TEXTS[kind], FileRefused(reason="empty"), locale),
    )
    for card in cards:
        assert [*message_faults(*render_block_kit(card)), *card_faults(render_adaptive(card))] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_a_file_of_twenty_wide_sheets_keeps_its_buttons(locale: Locale) -> None:
    card = unconfirmed_card(_file("x" * 80, columns=200), SHARING, locale)
    slack, teams = render_block_kit(card), render_adaptive(card)
    assert [*message_faults(*slack), *card_faults(teams)] == []
    assert "file_confirm" in json.dumps(slack)
    assert "file_confirm" in json.dumps(teams)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_unconfirmed_card_says_who_may_ask_and_until_when(locale: Locale) -> None:
    shared = render_text(unconfirmed_card(_file("ventas.csv"), SHARING, locale))
    kept = render_text(unconfirmed_card(_file("ventas.csv"), replace(SHARING, is_shared=False), locale))
    assert "2026" in shared
    assert shared != kept
