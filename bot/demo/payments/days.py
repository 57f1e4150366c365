"""How the trade moves from day to day: growth, seasons, feasts, and the days when the network was down."""

from dataclasses import dataclass
from datetime import date, timedelta

from bot.demo.draws import Draws
from bot.demo.parameters import DemoParameters
from bot.demo.payments import members

TRANSACTIONS = 300_000

_STREAM = 2
_EARLIER_OUTAGES = 5
_MONTHLY_GROWTH_PER_MILLE = 13
_FEASTS = {(7, 28): 130, (7, 29): 115, (12, 25): 55, (1, 1): 50, (5, 1): 80}


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingDay:
    """One day: how many attempts there were, whether the network was down, and how lucky it was (per thousand)."""

    day: date
    transactions: int
    outage: bool
    approval_shift: int


def trading_days(parameters: DemoParameters) -> tuple[TradingDay, ...]:
    """Every day in order; the attempts add up to 300 000 times the scale."""
    days = parameters.days()
    draws = Draws(parameters.seed, _STREAM)
    noise, shifts = draws.below(13, len(days)), draws.below(17, len(days))
    outages = _outages(draws, days)
    weights = [_weight(day, parameters) * (94 + int(extra)) for day, extra in zip(days, noise, strict=True)]
    counts = _apportioned(TRANSACTIONS * parameters.scale, weights)
    return tuple(
        TradingDay(day=day, transactions=count, outage=day in outages, approval_shift=int(shift) - 8)
        for day, count, shift in zip(days, counts, shifts, strict=True)
    )


def _weight(day: date, parameters: DemoParameters) -> int:
    months = (day.year - parameters.first_date.year) * 12 + day.month - parameters.first_date.month
    growth = 1_000 + _MONTHLY_GROWTH_PER_MILLE * months
    season = members.WEEKDAY_WEIGHTS[day.weekday()] * members.MONTH_WEIGHTS[day.month - 1]
    return season * growth * _occasion(day)


def _occasion(day: date) -> int:
    """Percent of an ordinary day."""
    if day.month == 12 and 18 <= day.day <= 24:
        return 135
    if _is_black_friday(day):
        return 170
    return _FEASTS.get((day.month, day.day), 100)


def _is_black_friday(day: date) -> bool:
    """The day after the fourth Thursday of November."""
    return day.month == 11 and day.weekday() == 4 and 23 <= day.day <= 29


def _outages(draws: Draws, days: tuple[date, ...]) -> frozenset[date]:
    """Some days anywhere and one within the last two months, so that a recent question can meet one."""
    anywhere = {days[at] for at in draws.below(len(days) - 60, _EARLIER_OUTAGES)}
    recent = days[-1] - timedelta(days=10 + int(draws.below(45, 1)[0]))
    return frozenset(anywhere | {recent})


def _apportioned(total: int, weights: list[int]) -> list[int]:
    """`total` shared out by weight in whole numbers that add up to it."""
    whole, passed, given = sum(weights), 0, 0
    shares = []
    for weight in weights:
        passed += weight
        reached = total * passed // whole
        shares.append(reached - given)
        given = reached
    return shares
