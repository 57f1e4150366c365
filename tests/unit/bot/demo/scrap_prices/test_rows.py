from collections import defaultdict
from datetime import date
from decimal import Decimal

import pytest

from bot.demo.parameters import DemoParameters
from bot.demo.scrap_prices.rows import metric_rows, price_rows
from tests.unit.bot.demo.digests import digest

USUAL = DemoParameters(end_date=date(2026, 10, 31))


def test_the_data_of_the_tests_and_evals_is_the_same_on_every_machine() -> None:
    assert digest(price_rows(USUAL)) == "e8c04745f1ebb6df670c980738aaf4d3168e30f4efb46d71fcc7b7b504eba73a"
    assert digest(metric_rows(USUAL)) == "0042f38940a09436266dde4182527af012833caac2759c3280bf84229b8beb59"


@pytest.mark.parametrize(
    "other", [DemoParameters(end_date=USUAL.end_date, seed=8), DemoParameters(end_date=date(2026, 9, 30))]
)
def test_another_seed_or_end_date_gives_other_data(other: DemoParameters) -> None:
    assert digest(price_rows(other)) != digest(price_rows(USUAL))


def test_the_scale_changes_nothing_as_no_sheet_has_more_cells() -> None:
    larger = DemoParameters(end_date=USUAL.end_date, scale=3)
    assert digest(price_rows(larger)) == digest(price_rows(USUAL))


def test_an_unfinished_month_has_its_prices_and_less_of_its_quantities() -> None:
    half = DemoParameters(end_date=date(2026, 10, 16))
    for whole, part in zip(price_rows(USUAL), price_rows(half), strict=True):
        assert part[:7] == whole[:7]
        assert (part[7] == whole[7]) == (whole[4] != "2026-10" or whole[7] is None)


def test_prices_follow_the_exchange_and_the_rouble() -> None:
    prices: dict[str, list[Decimal]] = defaultdict(list)
    for _, item, _, _, month, _, value, *_ in price_rows(USUAL):
        if item == "Лом меди М1" and isinstance(value, Decimal):
            prices[str(month)].append(value)
    figures = {(name, month): value for name, month, value, _ in metric_rows(USUAL)}
    for month, values in prices.items():
        roubles = Decimal(str(figures["курс USD", month])) * Decimal(str(figures["LME медь", month]))
        assert Decimal("0.85") < sum(values, Decimal()) / len(values) / roubles < Decimal("0.95")
