from agent.analysis.layout import read_layout
from agent.analysis.members import row_name, with_member_labels
from tests.unit.agent.analysis.results import LATEST, description, dimension, metric, payments, table, time


def test_members_are_shown_by_their_labels_and_twice_is_once() -> None:
    rows = table((dimension("channel"), metric("fees")), ("ecommerce", 5.0), ("kiosk", 4.0), (None, 3.0))
    labelled = with_member_labels(rows, payments(), "es")
    assert [row[0] for row in labelled.rows] == ["Comercio electrónico", "kiosk", None]
    assert with_member_labels(labelled, payments(), "es") == labelled


def test_codes_stay_and_their_description_is_translated() -> None:
    rows = table((dimension("mcc"), description("mcc", "Name"), metric("fees")), ("5411", "Grocery Stores", 5.0))
    assert with_member_labels(rows, payments(), "es").rows[0][:2] == ("5411", "Supermercados")


def test_row_is_named_by_its_bucket_and_members() -> None:
    columns = (time("day"), dimension("channel"), dimension("brand"), metric("fees"))
    rows = table(columns, (LATEST, "pos", None, 5.0))
    name = row_name(rows.rows[0], read_layout(columns), payments(), "ru")
    assert name == "31 окт. 2026 · POS-терминал · (не указано)"


def test_row_without_keys_has_no_name() -> None:
    columns = (metric("fees"),)
    assert row_name((5.0,), read_layout(columns), payments(), "en") == ""
