from decimal import Decimal

import pytest

from agent.analysis.outliers import level_shift, outlier


def numbers(*values: float) -> list[Decimal]:
    return [Decimal(str(value)) for value in values]


WAVE = [100, 103, 98, 101, 99, 102, 100, 97]


def test_the_furthest_value_stands_out_against_a_typical_value_of_the_data() -> None:
    found = outlier(numbers(*WAVE, 300))
    assert found is not None
    assert (found.place, WAVE[found.typical]) == (8, 100)


@pytest.mark.parametrize("values", [WAVE, [*WAVE[:3], 300], [5] * 20, [*[5] * 19, 6]])
def test_nothing_stands_out_of_noise_of_few_values_or_of_a_flat_line(values: list[float]) -> None:
    assert outlier(numbers(*values)) is None


def test_a_lasting_step_is_found_where_it_happens() -> None:
    found = level_shift(numbers(*WAVE, *(value + 60 for value in WAVE)))
    assert found is not None
    assert (found.place, WAVE[found.before]) == (8, 100)
    assert found.since >= 8


def test_a_step_between_two_flat_lines_is_found() -> None:
    found = level_shift(numbers(*[5] * 6, *[9] * 6))
    assert found is not None
    assert found.place == 6


@pytest.mark.parametrize(
    "values",
    [
        WAVE * 2,
        [100 + 5 * i for i in range(24)],
        [100 * 1.08**i for i in range(30)],
        [*WAVE, 300, *WAVE],
        [5] * 12,
        [*WAVE[:4], *(value + 60 for value in WAVE[:4])],
        [100, 120, 140, 120] * 5,
    ],
    ids=["noise", "slope", "growth", "spike", "flat", "too few", "season"],
)
def test_noise_slopes_spikes_and_seasons_are_no_shift(values: list[float]) -> None:
    assert level_shift(numbers(*values)) is None
