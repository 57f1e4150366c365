from agent.state import RunState
from agent.values.identity import RunId
from agent.values.outcome import Clarification
from agent.values.personal import Meaning
from agent.values.spec import Option, SlotName
from bot.personal import chosen_meaning, settled_by_default, told_apart, with_words
from semantic_catalog.model import DomainName

OPTIONS = (Option(label="Approval rate", value="approval_rate"), Option(label="Take rate", value="take_rate"))


def asked(slot: SlotName, words: str) -> Clarification:
    return Clarification(
        run=RunId("7F3K"), locale="en", slot=slot, question="?", reason="", options=OPTIONS, words=words,
        domain=DomainName("payments"),
    )  # fmt: skip


def test_a_chosen_option_explains_the_askers_word() -> None:
    wanted = Meaning(slot="metric", value="take_rate", words="rate", domain="payments")
    assert chosen_meaning(asked("metric", "Rate"), "take_rate") == wanted
    assert chosen_meaning(asked("metric", "Rate"), "Take rate") == wanted


def test_free_text_and_missing_words_explain_nothing() -> None:
    assert chosen_meaning(asked("metric", "rate"), "the one with the fees") is None
    assert chosen_meaning(asked("metric", ""), "take_rate") is None
    assert chosen_meaning(asked("relation", "rate"), "take_rate") is None


def test_a_chosen_period_is_a_habit_that_no_thumb_confirms() -> None:
    habit = chosen_meaning(asked("period", ""), "take_rate")
    assert habit == Meaning(slot="period", value="take_rate")
    assert with_words((habit,)) == ()


def test_defaults_that_were_taken_for_the_askers_words_are_settled() -> None:
    taken = {"choice": "Take rate", "words": "rate", "value": "take_rate"}
    state: RunState = {
        "understanding": {
            "domain": "payments",
            "assumptions": [
                {"key": "metric_default", "params": list(taken.items())},
                {"key": "period_default", "params": [("choice", "Last month"), ("words", ""), ("value", "last month")]},
                {"key": "grain_month", "params": []},
            ],
        }
    }
    found = settled_by_default(state)
    assert found == (Meaning(slot="metric", value="take_rate", words="rate", domain="payments"),)
    assert told_apart(found, (None, *found)) == found
    assert settled_by_default({}) == ()
