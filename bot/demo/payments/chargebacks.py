"""Chargebacks: some approved payments are disputed some weeks later."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import numpy as np

from bot.demo.draws import Draws, Ints
from bot.demo.parameters import DemoParameters
from bot.demo.payments import members
from bot.demo.payments.transactions import TransactionBlock

_STREAM = 4
_SOONEST_DAYS = 9
_LATEST_DAYS = 75
_UNDECIDED_DAYS = 40
_LOST_PERCENT = 61
_WON, _LOST, _OPEN = 0, 1, 2
_PARTIAL_PERCENT = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chargebacks:
    """A column each: `opened` an ordinal, `amount` céntimos, `reason` and `outcome` positions in the members."""

    transaction: Ints
    opened: Ints
    reason: Ints
    amount: Ints
    outcome: Ints

    def __len__(self) -> int:
        return len(self.opened)

    def chosen(self, which: Ints | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "Chargebacks":
        """The same columns for some of the rows, in the given order."""
        return Chargebacks(
            transaction=self.transaction[which],
            opened=self.opened[which],
            reason=self.reason[which],
            amount=self.amount[which],
            outcome=self.outcome[which],
        )


def chargebacks_of(parameters: DemoParameters, block: TransactionBlock) -> Chargebacks:
    """The disputes of one month's payments, whenever they are opened."""
    draws = Draws(parameters.seed, _STREAM, int(block.day[0]))
    chance = np.array(members.CHARGEBACKS_BY_CHANNEL, dtype=np.int64)[block.channel] * block.approved
    at = np.flatnonzero(draws.below(100_000, len(block)) < chance)
    opened = block.day[at] + _delays(draws, len(at))
    partial = draws.below(100, len(at)) < _PARTIAL_PERCENT
    return Chargebacks(
        transaction=block.first_id + at.astype(np.int64),
        opened=opened,
        reason=draws.weighted_by_row(np.array(members.CHARGEBACK_WEIGHTS, dtype=np.int64), block.channel[at]),
        amount=np.where(partial, block.amount[at] // 2, block.amount[at]),
        outcome=_outcomes(draws, opened, parameters.end_date),
    )


def opened_by(end_date: date, parts: Iterable[Chargebacks]) -> Chargebacks:
    """All chargebacks opened up to that day, oldest first."""
    found = list(parts)
    joined = Chargebacks(
        transaction=np.concatenate([part.transaction for part in found]),
        opened=np.concatenate([part.opened for part in found]),
        reason=np.concatenate([part.reason for part in found]),
        amount=np.concatenate([part.amount for part in found]),
        outcome=np.concatenate([part.outcome for part in found]),
    )
    known = joined.chosen(joined.opened <= end_date.toordinal())
    return known.chosen(np.lexsort((known.transaction, known.opened)).astype(np.int64))


def _delays(draws: Draws, size: int) -> Ints:
    """Days until the dispute: the smaller of two even draws, so that most come early."""
    span = _LATEST_DAYS - _SOONEST_DAYS
    delays: Ints = _SOONEST_DAYS + np.minimum(draws.below(span, size), draws.below(span, size))
    return delays


def _outcomes(draws: Draws, opened: Ints, end_date: date) -> Ints:
    decided = np.where(draws.below(100, len(opened)) < _LOST_PERCENT, _LOST, _WON)
    age = end_date.toordinal() - opened
    outcomes: Ints = np.where(age < draws.below(_UNDECIDED_DAYS, len(opened)) + 10, _OPEN, decided).astype(np.int64)
    return outcomes
