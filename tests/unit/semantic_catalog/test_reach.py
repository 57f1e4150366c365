from pathlib import Path

import pytest

from semantic_catalog.load import load_catalog
from semantic_catalog.model import DimensionName, Domain, DomainName, EntityName, MeasureName, MetricName, TimeGrain
from semantic_catalog.reach import can_answer, dimensions_of, grains_of, measures_of, parts_of, sources_of

VALID = Path(__file__).parents[2] / "cases" / "catalog" / "valid"


@pytest.fixture(scope="module")
def shop() -> Domain:
    return load_catalog(VALID).domain(DomainName("shop"))


@pytest.fixture(scope="module")
def payments() -> Domain:
    return load_catalog().domain(DomainName("payments"))


def by(*names: str) -> frozenset[DimensionName]:
    return frozenset(map(DimensionName, names))


def test_derived_metric_comes_down_to_its_measures_once_each(shop: Domain) -> None:
    assert parts_of(shop.metric(MetricName("margin"))) == ("revenue", "total_cost")
    assert measures_of(shop, MetricName("margin")) == ("revenue", "cost")
    assert measures_of(shop, MetricName("running_revenue")) == ("revenue",)


def test_joined_entities_lend_their_dimensions(shop: Domain) -> None:
    assert dimensions_of(shop, EntityName("orders")) == by("channel", "customer")
    assert dimensions_of(shop, EntityName("customers")) == by("customer")


def test_entity_without_time_has_no_grain(shop: Domain) -> None:
    assert grains_of(shop.entity(EntityName("customers"))) == ()


@pytest.mark.parametrize(
    ("names", "grain", "sources"),
    [
        (
            (),
            None,
            [
                "v_monthly_payment_metrics",
                "v_daily_payment_metrics",
                "v_merchant_performance",
                "v_payment_transactions",
            ],
        ),
        (("channel",), "day", ["v_daily_payment_metrics", "v_payment_transactions"]),
        (("merchant",), "month", ["v_merchant_performance", "v_payment_transactions"]),
        (("segment", "channel"), None, ["v_payment_transactions"]),
        (("chargeback_reason",), None, []),
    ],
)
def test_sources_come_cheapest_first(
    payments: Domain, names: tuple[str, ...], grain: TimeGrain | None, sources: list[str]
) -> None:
    found = sources_of(payments, MeasureName("processed_amount"), by(*names), grain)
    assert [entity.name for entity in found] == sources


@pytest.mark.parametrize(
    ("metric", "names", "grain", "answer"),
    [
        ("approval_rate", ("channel",), "day", True),
        ("approval_rate", ("response_code",), None, False),
        ("approval_rate", ("status",), None, False),
        ("declined_transactions", ("response_code", "brand"), "week", True),
        ("declined_transactions", ("response_code", "region"), None, True),
        ("chargeback_rate", ("brand", "channel"), "month", True),
        ("chargeback_rate", ("brand",), "day", False),
        ("chargeback_rate", ("region",), None, False),
        ("chargebacks", ("merchant",), None, False),
        ("chargebacks", (), "week", False),
    ],
)
def test_metric_is_answered_only_where_the_sources_can(
    payments: Domain, metric: str, names: tuple[str, ...], grain: TimeGrain | None, answer: bool
) -> None:
    assert can_answer(payments, MetricName(metric), by(*names), grain) is answer
