from dataclasses import replace

from agent.values.identity import RunId
from agent.values.turn import CardAction
from cards.elements import Actions, Bullets, Button, Card, Code, Facts, Paragraph, Small, Span, Table, TableColumn
from cards.render.fit import Caps, cut, fit
from cards.render.text import plain, render_text

CAPS = Caps(heading=20, text=50, code=30, line=20, items=3, rows=2, columns=2, cell=5, elements=4, buttons=3, label=10)


def card(*elements: object) -> Card:
    return Card(kind="reply", elements=elements, fallback="f")  # type: ignore[arg-type]  # elements of each test


def paragraph(text: str) -> Paragraph:
    return Paragraph(spans=(Span(text=text),))


def test_what_fits_is_left_alone() -> None:
    small = card(paragraph("short"), Code(text="SELECT 1"), Facts(items=(("a", "b"),)))
    assert cut(small, CAPS) == small


def test_sql_is_cut_by_whole_lines_and_says_so() -> None:
    drawn = cut(card(Code(text="SELECT a,\nb,\nc\nFROM table_of_things\nLIMIT 1")), CAPS)
    assert render_text(drawn) == "SELECT a,\nb,\nc\n\nOnly the first 3 of 5 lines fit in this message."


def test_one_endless_line_is_cut_inside() -> None:
    code = cut(card(Code(text="x" * 99)), CAPS).elements[0]
    assert code == Code(text="x" * 29 + "…")


def test_a_table_says_what_rows_and_columns_are_left_out() -> None:
    wide = Table(columns=(TableColumn(label="column"),) * 3, rows=(("1", "2", "3"),) * 4, note="showing 4 of 9")
    (drawn,) = cut(card(wide), CAPS).elements
    assert isinstance(drawn, Table)
    assert (len(drawn.columns), len(drawn.rows), drawn.columns[0].label) == (2, 2, "colu…")
    assert drawn.note == (
        "showing 4 of 9 · 2 rows are left out to fit this message. · 1 column is left out to fit this message."
    )


def test_lists_say_how_much_more_there_is() -> None:
    drawn = cut(card(Facts(items=(("a", "b"),) * 8), Bullets(items=((Span(text="c"),),) * 4)), CAPS)
    assert [plain(item.spans) for item in drawn.elements if isinstance(item, Small)] == ["and 5 more", "and 1 more"]


def test_spans_are_cut_where_the_limit_falls() -> None:
    spans = (Span(text="a" * 30, bold=True), Span(text="b" * 30), Span(text="c" * 30))
    (drawn,) = cut(card(Paragraph(spans=spans)), CAPS).elements
    assert drawn == Paragraph(spans=(spans[0], Span(text="b" * 19 + "…")))


def test_buttons_stay_when_parts_are_left_out() -> None:
    buttons = Actions(buttons=(Button(label="Approve", action=CardAction(verb="approve")),))
    drawn = cut(card(*(paragraph(str(index)) for index in range(9)), buttons, paragraph("last")), CAPS)
    assert render_text(drawn) == ("0\n\n1\n\n8 parts of this card are left out to fit this message.\n\n[Approve]")


def test_a_button_that_no_channel_can_carry_is_left_out() -> None:
    long = Button(label="Long", action=CardAction(verb="ask", run=RunId("r"), value="x" * 3000))
    short = Button(label="Short", action=CardAction(verb="ask", run=RunId("r"), value="x"))
    assert cut(card(Actions(buttons=(long, short))), CAPS).elements == (Actions(buttons=(short,)),)


def test_cuts_grow_until_the_card_is_accepted() -> None:
    large = card(paragraph("word " * 200))
    caps = replace(CAPS, text=1000)
    drawn = fit(large, caps, lambda smaller: len(render_text(smaller)) <= 300)
    assert 200 < len(render_text(drawn)) <= 300
