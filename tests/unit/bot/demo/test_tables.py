from decimal import Decimal

from bot.demo.tables import scaled


def test_whole_numbers_of_the_smallest_unit_become_exact_decimals() -> None:
    assert str(scaled(-1_205, 2)) == "-12.05"
    assert scaled(14_200, 3) == Decimal("14.200")
