from typing import get_args

import pytest

from agent.values.file import FileColumn, FileRefused, FileTable, RefusedReason, Remark
from agent.wording.texts import say
from cards.build.file import file_card, file_refused_card
from cards.elements import Table
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, Locale

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
