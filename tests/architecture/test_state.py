import json
from typing import get_args

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from agent.codec import encode
from agent.state import RunState, decode_outcome, encode_outcome, read
from agent.values.governance import CheckedQuery, Decision
from agent.values.outcome import Outcome
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards import samples


def outcomes(locale: Locale) -> list[Outcome]:
    words = samples.WORDS[locale]
    return [
        samples.answer(words),
        samples.clarification(words),
        samples.failure(words),
        samples.no_data(words),
        samples.proposal(words),
        samples.refusal(words),
        samples.rejected(words),
        samples.reply(words),
    ]


def kept(state: RunState) -> RunState:
    """The state as the checkpointer gives it back."""
    serde = JsonPlusSerializer()
    found: RunState = serde.loads_typed(serde.dumps_typed(state))
    return found


@pytest.mark.parametrize("locale", LOCALES)
def test_every_outcome_comes_back_from_a_checkpoint_as_it_was(locale: Locale) -> None:
    for outcome in outcomes(locale):
        assert decode_outcome(kept({"outcome": encode_outcome(outcome)})["outcome"]) == outcome


def test_every_kind_of_outcome_was_tried() -> None:
    assert {type(outcome) for outcome in outcomes("en")} == set(get_args(Outcome))


def test_what_a_run_carries_is_plain_json() -> None:
    decision = samples.decision(samples.WORDS["ru"])
    state: RunState = {"query": encode(samples.QUERY), "decision": encode(decision), "seconds": 0.25, "linked": ["v"]}
    assert json.loads(json.dumps(state)) == kept(state) == state
    assert read(kept(state), "query", CheckedQuery) == samples.QUERY
    assert read(kept(state), "decision", Decision) == decision
