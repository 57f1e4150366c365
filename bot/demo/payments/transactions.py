"""The card payments of one month at a time, so that a large scale needs no more memory than one month."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from bot.demo.draws import Draws, Ints
from bot.demo.parameters import DemoParameters
from bot.demo.payments import members
from bot.demo.payments.amounts import draw_amounts
from bot.demo.payments.days import TradingDay, trading_days
from bot.demo.payments.merchants import Merchant, merchants

_STREAM = 3
_APPROVED_CODE = 0
_HOUR_WEIGHTS = (
    (22, 12, 6, 4, 4, 6, 10, 18, 30, 42, 52, 58, 62, 60, 54, 50, 50, 54, 60, 68, 76, 78, 66, 42),
    (3, 1, 1, 1, 2, 6, 16, 36, 52, 60, 66, 78, 96, 98, 80, 66, 62, 70, 88, 98, 86, 60, 28, 10),
)
_ONLINE = (0, 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TransactionBlock:
    """The payments of one month in the order of time, a column each.

    `day` is a proleptic ordinal and `second` counts from midnight, both in America/Lima; `merchant` is a position
    from 0; `amount` and `fee` are céntimos; the others are positions in the member lists, `approved` in STATUSES.
    """

    first_id: int
    day: Ints
    second: Ints
    merchant: Ints
    channel: Ints
    brand: Ints
    currency: Ints
    amount: Ints
    approved: Ints
    response: Ints
    fee: Ints

    def __len__(self) -> int:
        return len(self.day)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Book:
    """The merchants as columns."""

    mcc: Ints
    segment: Ints
    share: Ints
    opens: Ints
    closes: Ints


def transaction_blocks(parameters: DemoParameters) -> Iterator[TransactionBlock]:
    """All payments, one block a month, ids from 1 without gaps."""
    book = _book(merchants(parameters))
    first_id = 1
    months = groupby(trading_days(parameters), key=lambda day: (day.day.year, day.day.month))
    for month, (_, days) in enumerate(months):
        block = _block(Draws(parameters.seed, _STREAM, month), book, tuple(days), month, first_id)
        first_id += len(block)
        yield block


def _block(draws: Draws, book: _Book, days: Sequence[TradingDay], month: int, first_id: int) -> TransactionBlock:
    at = np.repeat(np.arange(len(days), dtype=np.int64), [day.transactions for day in days])
    day = np.array([day.day.toordinal() for day in days], dtype=np.int64)[at]
    merchant = _merchants_of(draws, book, day, days[0].day.month)
    mcc = book.mcc[merchant]
    channel = draws.weighted_by_row(_channel_weights(month), mcc)
    brand = draws.weighted_by_row(np.array(members.BRAND_WEIGHTS, dtype=np.int64), mcc)
    currency = draws.weighted_by_row(np.array(members.CURRENCY_WEIGHTS, dtype=np.int64), mcc)
    amount = draw_amounts(draws, mcc, month)
    outage = np.array([day.outage for day in days], dtype=np.int64)[at]
    shift = np.array([day.approval_shift for day in days], dtype=np.int64)[at]
    approved = _approved(draws, (channel, brand, mcc, currency), outage, shift)
    block = TransactionBlock(
        first_id=first_id,
        day=day,
        second=_seconds(draws, channel),
        merchant=merchant,
        channel=channel,
        brand=brand,
        currency=currency,
        amount=amount,
        approved=approved,
        response=_responses(draws, approved, outage),
        fee=_fees(amount, brand, channel, book.segment[merchant]),
    )
    return _in_order_of_time(block)


def _merchants_of(draws: Draws, book: _Book, day: Ints, calendar_month: int) -> Ints:
    season = np.array(members.MCC_MONTH_WEIGHTS, dtype=np.int64)[book.mcc, calendar_month - 1]
    weights = book.share * season // 100
    drawn = draws.weighted(weights, len(day))
    # A payment of a merchant that does not trade on that day goes to one that always does.
    always = np.where((book.opens < day[0]) & (book.closes > day[-1]), weights, 0)
    instead = draws.weighted(always, len(day))
    chosen: Ints = np.where((book.opens[drawn] <= day) & (day <= book.closes[drawn]), drawn, instead)
    return chosen


def _channel_weights(month: int) -> Ints:
    """Online channels gain a little every month."""
    weights = np.array(members.CHANNEL_WEIGHTS, dtype=np.int64) * 100
    weights[:, _ONLINE] += weights[:, _ONLINE] * month * 12 // 1_000
    return weights


def _approved(draws: Draws, facts: tuple[Ints, Ints, Ints, Ints], outage: Ints, shift: Ints) -> Ints:
    tables = (
        members.APPROVAL_BY_CHANNEL,
        members.APPROVAL_BY_BRAND,
        members.APPROVAL_BY_MCC,
        members.APPROVAL_BY_CURRENCY,
    )
    usual = shift + sum(np.array(table, dtype=np.int64)[fact] for table, fact in zip(tables, facts, strict=True))
    chance = np.where(outage == 1, members.OUTAGE_APPROVAL, usual)
    return (draws.below(1_000, len(shift)) < chance).astype(np.int64)


def _responses(draws: Draws, approved: Ints, outage: Ints) -> Ints:
    weights = np.array((members.DECLINE_WEIGHTS, members.OUTAGE_DECLINE_WEIGHTS), dtype=np.int64)
    declined = 1 + draws.weighted_by_row(weights, outage)
    codes: Ints = np.where(approved == 1, _APPROVED_CODE, declined)
    return codes


def _fees(amount: Ints, brand: Ints, channel: Ints, segment: Ints) -> Ints:
    rate = (
        np.array(members.FEE_BY_BRAND, dtype=np.int64)[brand]
        + np.array(members.FEE_BY_CHANNEL, dtype=np.int64)[channel]
        + np.array(members.FEE_BY_SEGMENT, dtype=np.int64)[segment]
    )
    fees: Ints = (amount * rate + 5_000) // 10_000
    return fees


def _seconds(draws: Draws, channel: Ints) -> Ints:
    online = np.isin(channel, _ONLINE)
    hour = draws.weighted_by_row(np.array(_HOUR_WEIGHTS, dtype=np.int64), np.where(online, 0, 1).astype(np.int64))
    return hour * 3_600 + draws.below(3_600, len(channel))


def _in_order_of_time(block: TransactionBlock) -> TransactionBlock:
    order = np.argsort(block.day * 86_400 + block.second, kind="stable")
    return TransactionBlock(
        first_id=block.first_id,
        day=block.day[order],
        second=block.second[order],
        merchant=block.merchant[order],
        channel=block.channel[order],
        brand=block.brand[order],
        currency=block.currency[order],
        amount=block.amount[order],
        approved=block.approved[order],
        response=block.response[order],
        fee=block.fee[order],
    )


def _book(all_merchants: Sequence[Merchant]) -> _Book:
    return _Book(
        mcc=np.array([merchant.mcc for merchant in all_merchants], dtype=np.int64),
        segment=np.array([merchant.segment for merchant in all_merchants], dtype=np.int64),
        share=np.array([merchant.share for merchant in all_merchants], dtype=np.int64),
        opens=np.array([merchant.opens.toordinal() for merchant in all_merchants], dtype=np.int64),
        closes=np.array([merchant.closes.toordinal() for merchant in all_merchants], dtype=np.int64),
    )
