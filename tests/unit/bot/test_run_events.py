from dataclasses import replace
from typing import get_args

import pytest

from agent.codec import encode
from agent.state import RunState
from agent.values.outcome import Outcome, Proposal
from bot.driver import RunStop
from bot.run_events import delayed_event, event_of, events_of
from tests.unit.cards import samples

WORDS = samples.WORDS["en"]
ENDS: list[tuple[Outcome, str]] = [
    (samples.answer(WORDS), "answered"),
    (samples.no_data(WORDS), "no_data"),
    (samples.reply(WORDS), "replied"),
    (samples.refusal(WORDS), "refused"),
    (samples.failure(WORDS), "failed"),
    (samples.rejected(WORDS, "reject"), "rejected"),
    (samples.rejected(WORDS, "cancel"), "cancelled"),
    (samples.rejected(WORDS, "expire"), "expired"),
    (samples.rejected(WORDS, "superseded"), "superseded"),
    (samples.proposal(WORDS), "proposed"),
    (samples.clarification(WORDS), "asked_back"),
]


@pytest.mark.parametrize(("outcome", "name"), ENDS, ids=[name for _, name in ENDS])
def test_every_outcome_has_an_event_of_its_own(outcome: Outcome, name: str) -> None:
    assert event_of(outcome).name == name


def test_every_kind_of_outcome_was_tried() -> None:
    assert {type(outcome) for outcome, _ in ENDS} == set(get_args(Outcome))


@pytest.mark.parametrize(("outcome", "name"), ENDS, ids=[name for _, name in ENDS])
def test_no_event_holds_rows_sql_or_anybodys_words(outcome: Outcome, name: str) -> None:
    told = str(event_of(outcome).facts)
    kept_out = (WORDS.title, WORDS.lead, WORDS.reason, WORDS.refusal, WORDS.reply, WORDS.cell, "SELECT")
    assert [text for text in kept_out if text in told] == [], name


def test_a_change_that_a_rule_forbids_is_an_event_beside_the_proposal() -> None:
    proposal: Proposal = replace(samples.proposal(WORDS), turned_down="time_filter")
    state: RunState = {"run": samples.RUN}
    refused, proposed = events_of(RunStop(outcome=proposal, state=state))
    assert (refused.name, refused.facts["rule"]) == ("refused", "time_filter")
    assert proposed.name == "proposed"


def test_a_redrawn_result_of_another_run_was_not_run_again() -> None:
    answer = samples.answer(WORDS)
    ran: RunState = {
        "run": samples.RUN,
        "result": encode(answer.result),
        "signature": {"by": "Luis", "at": "2026-11-30T15:02:00Z", "tier": "asker"},
        "query": encode(samples.QUERY),
        "seconds": 0.4,
    }
    assert [event.name for event in events_of(RunStop(outcome=answer, state=ran))] == ["ran", "answered"]
    redrawn: RunState = {**ran, "run": "another"}
    assert [event.name for event in events_of(RunStop(outcome=answer, state=redrawn))] == ["answered"]


def test_a_delay_names_the_fault_once() -> None:
    failure = samples.failure(WORDS)
    assert delayed_event(failure).once == delayed_event(failure).once
    assert delayed_event(failure).name == "delayed"
