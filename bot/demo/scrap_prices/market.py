"""Where the market stands each month: the rouble, the exchange prices and what they do to the price of scrap."""

from dataclasses import dataclass

from bot.demo.draws import Draws
from bot.demo.parameters import MONTHS, DemoParameters
from bot.demo.scrap_prices import members
from bot.demo.scrap_prices.members import Driver

_STREAM = 20
_USD_KOPECKS = 9_050
_COPPER_CENTS = 962_000
_ALUMINIUM_CENTS = 251_500

# Months from the first one -> per mille of the price: a rally of copper, a glut of aluminium, a duty on steel scrap.
_SHOCKS: dict[Driver, dict[int, int]] = {
    "copper": {10: 1_045, 11: 1_090, 12: 1_070, 13: 1_030, 26: 1_050, 27: 1_075},
    "aluminium": {19: 940, 20: 905, 21: 930, 22: 965},
    "lead": {7: 1_060, 8: 1_080, 9: 1_030},
    "stainless": {15: 1_040, 16: 1_095, 17: 1_110, 18: 1_060, 28: 960, 29: 935},
    "ferrous": {23: 900, 24: 875, 25: 910, 26: 950},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketMonth:
    """One month: kopecks for a dollar, US cents a tonne on the exchange, and scrap prices per mille of the usual."""

    usd_kopecks: int
    copper_cents: int
    aluminium_cents: int
    levels: dict[Driver, int]


def market_months(parameters: DemoParameters) -> tuple[MarketMonth, ...]:
    """Every month in order."""
    dollars = _walk(parameters, 0, 15, 3)
    copper, aluminium = _walk(parameters, 1, 28, 4), _walk(parameters, 2, 26, 2)
    others: dict[Driver, list[int]] = {
        "lead": _walk(parameters, 3, 20, 4),
        "stainless": _walk(parameters, 4, 18, 2),
        "ferrous": _walk(parameters, 5, 16, 3),
    }
    months = []
    for at in range(MONTHS):
        shocked = {driver: walk[at] * _shock(driver, at) // 1_000 for driver, walk in others.items()}
        metal = copper[at] * _shock("copper", at) // 1_000
        light = aluminium[at] * _shock("aluminium", at) // 1_000
        imported = {"copper": metal, "aluminium": light, "brass": (metal * 6 + 4_000) // 10}
        season = members.FERROUS_SEASON[(parameters.first_date.month - 1 + at) % 12]
        levels: dict[Driver, int] = {
            "copper": imported["copper"] * dollars[at] // 1_000,
            "aluminium": imported["aluminium"] * dollars[at] // 1_000,
            "brass": imported["brass"] * dollars[at] // 1_000,
            **shocked,
            "ferrous": shocked["ferrous"] * season // 1_000,
        }
        months.append(
            MarketMonth(
                usd_kopecks=_USD_KOPECKS * dollars[at] // 1_000,
                copper_cents=_COPPER_CENTS * metal // 1_000,
                aluminium_cents=_ALUMINIUM_CENTS * light // 1_000,
                levels=levels,
            )
        )
    return tuple(months)


def _walk(parameters: DemoParameters, number: int, step: int, drift: int) -> list[int]:
    """Per mille of the first month's level, month by month: steps of at most `step` around a drift."""
    moves = Draws(parameters.seed, _STREAM, number).below(2 * step + 1, MONTHS)
    level, levels = 1_000, []
    for move in moves.tolist():
        levels.append(level)
        level = level * (1_000 + drift + move - step) // 1_000
    return levels


def _shock(driver: Driver, at: int) -> int:
    return _SHOCKS.get(driver, {}).get(at, 1_000)
