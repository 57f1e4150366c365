import json
from pathlib import Path

import pytest

from bot.evaluation.items import SetUnreadable, item_of, read_sets

QUESTION = {
    "id": "q1",
    "domain": "payments",
    "lang": "en",
    "as": "analyst",
    "turns": ["billing in October", "by brand"],
    "expect": {
        "kind": "rows",
        "gold_sql": "SELECT 2",
        "gold_sql_alternatives": ["SELECT 3"],
        "key": "brand, month",
        "ordered": True,
        "note": "any leading part of the ranking",
        "kind_per_turn": ["rows", "rows"],
        "gold_sql_per_turn": ["SELECT 1", "SELECT 2"],
    },
}
CONVERSATION = {
    "id": "c1",
    "lang": "es",
    "as": "viewer",
    "domains": ["payments", "erp_finance"],
    "turns": [
        {"say": "hola", "expect": {"kind": "no_sql"}},
        {"press": "approve", "text": "", "as": "analyst", "domain": "erp_finance", "expect": {"kind": "rows"}},
        {"say": "y ahora", "expect": {"kind": "forecast", "kind_alternatives": ["proposal"]}},
    ],
}


def test_each_turn_of_a_question_has_what_is_expected_of_it() -> None:
    first, last = item_of(QUESTION).acts
    assert (first.expected.golds, first.expected.keys) == (("SELECT 1",), None)
    assert (last.expected.golds, last.expected.keys) == (("SELECT 2", "SELECT 3"), ("brand", "month"))
    assert last.expected.ordered
    assert last.expected.leading
    assert last.decides


def test_a_conversation_keeps_its_domain_until_a_turn_names_another() -> None:
    acts = item_of(CONVERSATION).acts
    assert [act.domain for act in acts] == ["payments", "erp_finance", "erp_finance"]
    assert [(act.press, act.role) for act in acts] == [(None, "viewer"), ("approve", "analyst"), (None, "viewer")]
    assert acts[2].expected.kinds == ("forecast", "proposal")
    assert not acts[0].decides


def test_a_line_that_is_no_item_is_named(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text(json.dumps(QUESTION) + "\n\n" + json.dumps({"id": "q2"}) + "\n", encoding="utf-8")
    with pytest.raises(SetUnreadable, match=r"set\.jsonl:3: KeyError"):
        read_sets((file,))


def test_a_set_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SetUnreadable, match="none"):
        read_sets((tmp_path / "none.jsonl",))
