"""The generated price sheets and market series as rows, each table in the order of its columns."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.demo.draws import Draws
from bot.demo.parameters import DemoParameters
from bot.demo.scrap_prices import members
from bot.demo.scrap_prices.market import MarketMonth, market_months
from bot.demo.scrap_prices.members import ITEMS, REGION_PRICES, SUPPLIERS, Item, Supplier
from bot.demo.tables import Row, scaled

_STREAM = 21
_SHARES_STREAM = 22
_BLANK_PER_MILLE = 80
_CELLS = len(ITEMS) * sum(len(supplier.regions) for supplier in SUPPLIERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a sheet: kopecks a tonne and kilograms, or blank."""

    month: str
    supplier: Supplier
    region: str
    item: Item
    price: int
    kilograms: int
    blank: bool


def price_rows(parameters: DemoParameters) -> Iterator[Row]:
    """`mart.price_facts`: every item of every supplier in both of its regions, sheet by sheet."""
    for number, cell in enumerate(_cells(parameters), start=1):
        yield (
            number,
            cell.item.name,
            cell.item.group,
            cell.supplier.name,
            cell.month,
            cell.region,
            None if cell.blank else scaled(cell.price, 2),
            None if cell.blank else scaled(cell.kilograms, 3),
            int(cell.blank),
        )


def metric_rows(parameters: DemoParameters) -> Iterator[Row]:
    """`mart.metrics`: five figures a month."""
    kilograms = dict.fromkeys(parameters.months(), 0)
    for cell in _cells(parameters):
        kilograms[cell.month] += 0 if cell.blank else cell.kilograms
    market = market_months(parameters)
    for at, month in enumerate(parameters.months()):
        for name, hundredths in _figures(market[at], market[0], kilograms[month]):
            yield name, month, scaled(hundredths, 2), members.UNITS[name]


def _figures(market: MarketMonth, first: MarketMonth, kilograms: int) -> tuple[tuple[str, int], ...]:
    """The month's figures in hundredths of their units; tonnes are rounded as the database rounds their sum."""
    return (
        (members.USD_RATE, market.usd_kopecks),
        (members.LME_COPPER, market.copper_cents),
        (members.LME_ALUMINIUM, market.aluminium_cents),
        (members.SCRAP_INDEX, _index(market, first)),
        (members.PURCHASE_VOLUME, (kilograms + 5) // 10),
    )


def _cells(parameters: DemoParameters) -> Iterator[Cell]:
    market = market_months(parameters)
    for at, month in enumerate(parameters.months()):
        draws = Draws(parameters.seed, _STREAM, at)
        blanks, noises, loads = draws.below(1_000, _CELLS), draws.below(25, _CELLS), draws.below(701, _CELLS)
        season = members.QUANTITY_SEASON[int(month[-2:]) - 1]
        for number, (supplier, region, item, habit) in enumerate(_offers(parameters)):
            level = market[at].levels[item.driver] * (988 + int(noises[number])) // 1_000
            kilograms = item.quantity * supplier.quantity * season // 1_000_000 * (650 + int(loads[number])) // 1_000
            yield Cell(
                month=month,
                supplier=supplier,
                region=region,
                item=item,
                price=_price(item, supplier.price * REGION_PRICES[region] * habit // 1_000_000 * level // 1_000),
                kilograms=parameters.passed(kilograms, at),
                blank=int(blanks[number]) < _BLANK_PER_MILLE,
            )


def _offers(parameters: DemoParameters) -> Iterator[tuple[Supplier, str, Item, int]]:
    """What each supplier offers where, and how dear it is there with that item (per mille)."""
    habits = Draws(parameters.seed, _SHARES_STREAM).below(51, _CELLS).tolist()
    offers = ((supplier, region, item) for supplier in SUPPLIERS for region in supplier.regions for item in ITEMS)
    for (supplier, region, item), habit in zip(offers, habits, strict=True):
        yield supplier, region, item, 975 + habit


def _price(item: Item, per_mille: int) -> int:
    """Kopecks a tonne, rounded the way buyers round."""
    return item.price * per_mille // 1_000 // item.step * item.step * 100


def _index(month: MarketMonth, first: MarketMonth) -> int:
    """Hundredths of points; the first month is 100 points, each item counts by its usual turnover."""
    turnovers = [(item.driver, item.price * item.quantity) for item in ITEMS]
    now, then = (sum(weight * market.levels[driver] for driver, weight in turnovers) for market in (month, first))
    return 10_000 * now // then
