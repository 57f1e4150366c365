from cards.elements import Card, Table, TableColumn
from cards.render.text import render_text, table_text
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import SQL, WORDS


def test_a_table_is_aligned_with_numbers_to_the_right() -> None:
    rows = [("Brand", "Count"), ("Visa", "1,240"), ("Diners", "7")]
    assert table_text(rows, [False, True]) == "Brand   Count\nVisa    1,240\nDiners      7"


def test_nothing_is_cut() -> None:
    assert SQL in render_text(cards(WORDS["en"])["proposal"])
    rows = tuple((str(index),) for index in range(500))
    text = render_text(
        Card(kind="reply", elements=(Table(columns=(TableColumn(label="n"),), rows=rows),), fallback="f")
    )
    assert text.splitlines() == ["n", *(row[0] for row in rows)]
