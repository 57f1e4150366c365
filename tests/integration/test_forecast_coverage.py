from tests.bench.forecasting import coverage, revenues


def test_forecasts_of_the_demo_revenue_hold_what_comes_and_beat_the_year_before_repeated() -> None:
    found = coverage(len(revenues()))
    assert found.values == 6 * len(revenues())
    assert 0.70 <= found.held_80 / found.values <= 0.95
    assert found.held_95 / found.values >= 0.88
    assert found.error < found.naive_error
