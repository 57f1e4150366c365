"""The 200 merchants: unique names, where they are, what they sell, and how much of the trade is theirs."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from bot.demo.draws import Draws, Ints
from bot.demo.parameters import DemoParameters
from bot.demo.payments import members
from bot.demo.payments.names import merchant_names

_STREAM = 1
_ENTERPRISES = 20
_MID_MARKET = 50
_NEVER_SMALL = ("4511", "4814", "8220")
_UNKNOWN_START_PERCENT = 4
_NEWCOMER_PERCENT = 16
_CLOSED_PERCENT = 6
_SAFE_RANKS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Merchant:
    """One merchant. `mcc`, `segment` and `region` are positions; `share` is the weight of its trade.

    It trades from `opens` to `closes`; `onboarded_on` is what the source knows and may be missing.
    """

    merchant_id: int
    name: str
    mcc: int
    segment: int
    region: int
    share: int
    onboarded_on: date | None
    opens: date
    closes: date

    def is_active(self, today: date) -> bool:
        """Whether it still trades after `today`."""
        return self.closes > today


def merchants(parameters: DemoParameters) -> tuple[Merchant, ...]:
    """All merchants by id, from 1."""
    draws = Draws(parameters.seed, _STREAM)
    names = merchant_names(draws)
    mccs = np.repeat(np.arange(len(members.MCCS), dtype=np.int64), members.MERCHANTS_PER_MCC)
    order, ranks = draws.shuffled(len(mccs)), draws.shuffled(len(mccs))
    regions = draws.weighted_by_row(_region_weights(), mccs)
    luck, offsets = draws.below(100, len(mccs)), draws.below(1_000, len(mccs))
    return tuple(
        _merchant(
            parameters, identity, names[at], (int(mccs[at]), int(regions[at])), (int(rank), int(fate), int(offset))
        )
        for identity, (at, rank, fate, offset) in enumerate(zip(order, ranks, luck, offsets, strict=True), start=1)
    )


def _merchant(
    parameters: DemoParameters, identity: int, name: str, place: tuple[int, int], chance: tuple[int, int, int]
) -> Merchant:
    mcc, region = place
    rank, fate, offset = chance
    opens, closes = _trading_days(parameters, rank, fate, offset)
    return Merchant(
        merchant_id=identity,
        name=name,
        mcc=mcc,
        segment=_segment(mcc, rank),
        region=region,
        # Zipf–Mandelbrot: a few merchants have much of the trade, and most have little each.
        share=1_000_000 // (rank + 3),
        onboarded_on=None if fate < _UNKNOWN_START_PERCENT else opens,
        opens=opens,
        closes=closes,
    )


def _trading_days(parameters: DemoParameters, rank: int, fate: int, offset: int) -> tuple[date, date]:
    """The large merchants are always there; some of the others come during the time shown and some leave."""
    before = parameters.first_date - timedelta(days=60 + offset * 3)
    if rank < _SAFE_RANKS or fate < _UNKNOWN_START_PERCENT:
        return before, date.max
    if fate < _UNKNOWN_START_PERCENT + _NEWCOMER_PERCENT:
        return parameters.first_date + timedelta(days=offset * 7 // 10), date.max
    if fate < _UNKNOWN_START_PERCENT + _NEWCOMER_PERCENT + _CLOSED_PERCENT:
        return before, parameters.end_date - timedelta(days=20 + offset * 3 // 10)
    return before, date.max


def _segment(mcc: int, rank: int) -> int:
    if rank < _ENTERPRISES:
        return 0
    return 1 if rank < _ENTERPRISES + _MID_MARKET or members.MCCS[mcc] in _NEVER_SMALL else 2


def _region_weights() -> Ints:
    rows = [
        members.TOURISM_REGION_WEIGHTS if mcc in members.TOURISM_MCCS else members.REGION_WEIGHTS
        for mcc in range(len(members.MCCS))
    ]
    return np.array(rows, dtype=np.int64)
