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

# Per mille of a month: the largest step up or down, and the drift around which they step.
_WALKS = {
    "usd": (15, 3),
    "copper": (28, 4),
    "aluminium": (26, 2),
    "lead": (20, 4),
    "stainless": (18, 2),
    "ferrous": (16, 3),
}

# Months from the first one -> per mille of the price: a rally of copper, a glut of aluminium, a duty on steel scrap.
_SHOCKS: dict[str, dict[int, int]] = {
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
    walks = {name: _walk(parameters, number, *_WALKS[name]) for number, name in enumerate(_WALKS)}
    months = ({name: walk[at] * _shock(name, at) // 1_000 for name, walk in walks.items()} for at in range(MONTHS))
    first = parameters.first_date.month - 1
    return tuple(_month(moved, members.FERROUS_SEASON[(first + at) % 12]) for at, moved in enumerate(months))


def _month(moved: dict[str, int], ferrous_season: int) -> MarketMonth:
    """`moved` is per mille of where the dollar, the exchange prices and the home prices began."""
    dollar, copper, aluminium = moved["usd"], moved["copper"], moved["aluminium"]
    return MarketMonth(
        usd_kopecks=_USD_KOPECKS * dollar // 1_000,
        copper_cents=_COPPER_CENTS * copper // 1_000,
        aluminium_cents=_ALUMINIUM_CENTS * aluminium // 1_000,
        levels={
            "copper": copper * dollar // 1_000,
            "aluminium": aluminium * dollar // 1_000,
            # Brass is three fifths copper.
            "brass": (copper * 6 + 4_000) // 10 * dollar // 1_000,
            "lead": moved["lead"],
            "stainless": moved["stainless"],
            "ferrous": moved["ferrous"] * ferrous_season // 1_000,
        },
    )


def _walk(parameters: DemoParameters, number: int, step: int, drift: int) -> list[int]:
    """Per mille of the first month's level, month by month: steps of at most `step` around a drift."""
    moves = Draws(parameters.seed, _STREAM, number).below(2 * step + 1, MONTHS)
    level, levels = 1_000, []
    for move in moves.tolist():
        levels.append(level)
        level = level * (1_000 + drift + move - step) // 1_000
    return levels


def _shock(name: str, at: int) -> int:
    return _SHOCKS.get(name, {}).get(at, 1_000)
