"""The generated payments as lines of PostgreSQL's COPY text format, ready to be sent."""

from collections.abc import Iterator
from datetime import date
from functools import cache

from bot.demo.parameters import DemoParameters
from bot.demo.payments import members
from bot.demo.payments.chargebacks import Chargebacks, chargebacks_of, opened_by
from bot.demo.payments.merchants import merchants
from bot.demo.payments.transactions import TransactionBlock, transaction_blocks

_NULL = r"\N"
# America/Lima has had this offset, without summer time, since 1994.
_ZONE = "-05"


def merchant_rows(parameters: DemoParameters) -> bytes:
    """The lines of `operational.merchants`."""
    return _lines(
        f"{merchant.merchant_id}\t{merchant.name}\t{members.MCCS[merchant.mcc]}\t{members.SEGMENTS[merchant.segment]}"
        f"\t{members.REGIONS[merchant.region]}\t{merchant.onboarded_on or _NULL}"
        f"\t{'t' if merchant.is_active(parameters.end_date) else 'f'}"
        for merchant in merchants(parameters)
    )


def payment_rows(parameters: DemoParameters) -> Iterator[tuple[str, bytes]]:
    """Lines by table: `payment_transactions` month by month, then all `chargebacks`."""
    disputes = []
    for block in transaction_blocks(parameters):
        disputes.append(chargebacks_of(parameters, block))
        yield "payment_transactions", _transaction_lines(block)
    yield "chargebacks", _chargeback_lines(opened_by(parameters.end_date, disputes))


def _transaction_lines(block: TransactionBlock) -> bytes:
    days = {ordinal: date.fromordinal(ordinal).isoformat() for ordinal in set(block.day.tolist())}
    clock = _clock()
    columns = zip(
        block.day.tolist(),
        block.second.tolist(),
        block.merchant.tolist(),
        block.channel.tolist(),
        block.brand.tolist(),
        block.amount.tolist(),
        block.currency.tolist(),
        block.approved.tolist(),
        block.response.tolist(),
        block.fee.tolist(),
        strict=True,
    )
    return _lines(
        f"{identity}\t{merchant + 1}\t{days[day]} {clock[second]}\t{members.CHANNELS[channel]}\t{members.BRANDS[brand]}"
        f"\t{_soles(amount)}\t{members.CURRENCIES[currency]}\t{members.STATUSES[approved]}"
        f"\t{members.RESPONSE_CODES[response]}\t{_soles(fee) if approved else _NULL}"
        for identity, (day, second, merchant, channel, brand, amount, currency, approved, response, fee) in enumerate(
            columns, start=block.first_id
        )
    )


def _chargeback_lines(chargebacks: Chargebacks) -> bytes:
    columns = zip(
        chargebacks.transaction.tolist(),
        chargebacks.opened.tolist(),
        chargebacks.reason.tolist(),
        chargebacks.amount.tolist(),
        chargebacks.outcome.tolist(),
        strict=True,
    )
    return _lines(
        f"{identity}\t{transaction}\t{date.fromordinal(opened)}\t{members.CHARGEBACK_CODES[reason]}\t{_soles(amount)}"
        f"\t{members.OUTCOMES[outcome]}"
        for identity, (transaction, opened, reason, amount, outcome) in enumerate(columns, start=1)
    )


def _lines(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _soles(centimos: int) -> str:
    return f"{centimos // 100}.{centimos % 100:02d}"


@cache
def _clock() -> tuple[str, ...]:
    """Every second of a day as text."""
    return tuple(f"{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d}{_ZONE}" for at in range(86_400))
