import pytest

from adapters.channels.teams.pasted import PastedTable, pasted_table


def test_a_pasted_table_is_read_cell_by_cell_and_the_words_around_it_apart() -> None:
    html = (
        "<div><at>Countersign</at> look <b>at this</b></div>"
        "<table><thead><tr><th>Región</th><th>Importe&nbsp;€</th></tr></thead>"
        "<tbody><tr><td>Lima, Perú</td><td>1<br>000</td></tr><tr><td></td><td></td></tr></tbody></table><p>why?</p>"
    )
    assert pasted_table(html) == PastedTable(
        csv='Región,Importe €\r\n"Lima, Perú",1 000\r\n', around="look at this why?"
    )


def test_spanning_cells_keep_their_columns_and_only_the_first_table_counts() -> None:
    html = "<table><tr><td colspan='2'>A</td><td>B</td></tr></table><table><tr><td>C</td></tr></table>"
    found = pasted_table(html)
    assert found is not None
    assert found.csv == "A,,B\r\n"


def test_a_table_within_a_cell_is_no_table_of_its_own() -> None:
    html = "<table><tr><td>A<table><tr><td>inner</td></tr></table></td><td>B</td></tr></table>"
    found = pasted_table(html)
    assert found is not None
    assert found.csv.endswith("B\r\n")
    assert len(found.csv.splitlines()) == 1


@pytest.mark.parametrize("html", ["", "<div>no table</div>", "<table></table>", "<table><tr></tr></table>", "<table"])
def test_a_message_without_cells_has_no_table(html: str) -> None:
    assert pasted_table(html) is None
