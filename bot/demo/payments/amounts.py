"""Amounts of card payments: many small ones, few large ones."""

from functools import cache
from math import exp
from statistics import NormalDist

import numpy as np

from bot.demo.draws import Draws, Ints
from bot.demo.payments import members

_STEPS = 256
_SPREAD = 0.72
_LEAST_CENTIMOS = 100
_MONTHLY_INFLATION_PER_100_000 = 240


def draw_amounts(draws: Draws, mccs: Ints, month: int) -> Ints:
    """An amount in céntimos for each payment of these MCCs; `month` counts from the first month with data."""
    curve = _curve()
    step, within = draws.below(_STEPS, len(mccs)), draws.below(1_000, len(mccs))
    factor = curve[step] + (curve[step + 1] - curve[step]) * within // 1_000
    middle = np.array(members.MIDDLE_AMOUNTS, dtype=np.int64)[mccs]
    prices = 100_000 + _MONTHLY_INFLATION_PER_100_000 * month
    amounts: Ints = np.maximum(middle * factor // 1_000 * prices // 100_000, _LEAST_CENTIMOS)
    return amounts


@cache
def _curve() -> Ints:
    """Quantiles of a log-normal distribution in thousandths of its middle, rounded so that no machine differs."""
    normal = NormalDist()
    points = [round(1_000 * exp(_SPREAD * normal.inv_cdf((at + 0.5) / (_STEPS + 1)))) for at in range(_STEPS + 1)]
    return np.array(points, dtype=np.int64)
