"""Any outcome as its card."""

from typing import assert_never

from agent.values.outcome import (
    Answer,
    Clarification,
    Failure,
    NoData,
    Outcome,
    Proposal,
    Refusal,
    Rejected,
    Reply,
)
from agent.values.result import ResultTable
from cards.build.answer import answer_card
from cards.build.clarification import clarification_card
from cards.build.decided import rejected_card
from cards.build.failure import failure_card
from cards.build.no_data import no_data_card
from cards.build.proposal import proposal_card
from cards.build.refusal import refusal_card
from cards.build.reply import reply_card
from cards.elements import Attachment, Card


def outcome_card(outcome: Outcome, table: ResultTable | None = None, attachments: tuple[Attachment, ...] = ()) -> Card:
    """The card of an outcome. An answer is drawn from `table`, or from its sample where no table is given."""
    match outcome:
        case Answer(sample=sample):
            rows = table or ResultTable(columns=sample.columns, rows=sample.rows)
            return answer_card(outcome, rows, attachments)
        case Proposal():
            return proposal_card(outcome)
        case Clarification():
            return clarification_card(outcome)
        case _:
            return _closing_card(outcome)


def _closing_card(outcome: Reply | Refusal | Rejected | NoData | Failure) -> Card:
    match outcome:
        case Reply():
            return reply_card(outcome)
        case Refusal():
            return refusal_card(outcome)
        case Rejected():
            return rejected_card(outcome)
        case NoData():
            return no_data_card(outcome)
        case Failure():
            return failure_card(outcome)
        case _:
            assert_never(outcome)
