from dataclasses import replace
from datetime import date

import pytest

from agent.sql.compile.sources import can_answer, sources_for
from semantic_catalog.model import DimensionName, Domain, Entity, EntityName, MetricName, TimeGrain
from tests.unit.agent.sql.compile.cases import TODAY, payments_domain, spec_of

MONTHLY, DAILY, MERCHANT = "v_monthly_payment_metrics", "v_daily_payment_metrics", "v_merchant_performance"
TRANSACTIONS, CHARGEBACKS = "v_payment_transactions", "v_chargeback_metrics"


def names(*, today: date | None = TODAY, **fields: object) -> tuple[str, ...]:
    return tuple(entity.name for entity in sources_for(spec_of(**fields), payments_domain(), today))


def test_lists_every_source_that_answers_alone_cheapest_first() -> None:
    found = names(metrics=["transactions"], dimensions=["region"], period="2026-10-01/2026-10-31")
    assert found == (MONTHLY, DAILY, MERCHANT, TRANSACTIONS)


def test_lists_sources_that_answer_only_together() -> None:
    assert names(metrics=["chargeback_rate"], period="2026-07-01/2026-09-30") == (CHARGEBACKS, MONTHLY)


def test_a_period_that_starts_inside_a_month_is_not_read_from_months() -> None:
    assert names(metrics=["fees"], period="2026-09-15/2026-10-31")[0] == DAILY


def test_a_month_cut_by_the_end_of_the_data_is_whole_and_one_cut_on_purpose_is_not() -> None:
    middle_of_october = date(2026, 10, 15)
    assert names(metrics=["fees"], period="2026-01-01/2026-10-14", today=middle_of_october)[0] == MONTHLY
    assert names(metrics=["fees"], period="2026-01-01/2026-10-13", today=middle_of_october)[0] == DAILY
    assert names(metrics=["fees"], period="2026-01-01/2026-10-14", today=None)[0] == DAILY


def test_the_compared_period_must_fit_the_source_too() -> None:
    comparison = {"kind": "previous_year", "period": "2025-01-01/2025-10-14"}
    found = names(metrics=["fees"], period="2026-01-01/2026-10-14", comparison=comparison, today=date(2026, 10, 15))
    assert found[0] == DAILY


def test_a_window_wider_than_the_policy_of_the_source_has_no_source() -> None:
    assert names(metrics=["transactions"], dimensions=["merchant", "brand"], period="2026-08-01/2026-10-31") == (
        TRANSACTIONS,
    )
    assert names(metrics=["transactions"], dimensions=["merchant", "brand"], period="2026-07-31/2026-10-31") == ()
    assert names(metrics=["transactions"], dimensions=["merchant", "brand"], period="/2026-10-31") == ()


def test_a_source_with_a_time_policy_is_not_read_without_a_period() -> None:
    assert names(metrics=["transactions"], dimensions=["region"]) == (MONTHLY,)
    assert names(metrics=["transactions"], dimensions=["segment"]) == ()


def test_filters_count_as_dimensions() -> None:
    filters = [{"dimension": "segment", "values": ["enterprise"]}]
    assert names(metrics=["fees"], filters=filters, period="2026-10-01/2026-10-31")[0] == MERCHANT


def test_a_metric_is_not_split_by_what_its_catalog_entry_leaves_out() -> None:
    assert names(metrics=["approval_rate"], dimensions=["status"], period="2026-10-01/2026-10-31") == ()
    assert names(metrics=["approval_rate"], having=[_OVER], dimensions=["status"], period="2026-10-01/2026-10-31") == ()


def test_a_pinned_source_is_the_only_one() -> None:
    spec = spec_of(metrics=["fees"], dimensions=["region"], period="2026-10-01/2026-10-31", entity=TRANSACTIONS)
    assert sources_for(spec, payments_domain(), TODAY) == (payments_domain().entity(EntityName(TRANSACTIONS)),)
    assert names(metrics=["fees"], period="2026-10-01/2026-10-31", entity=CHARGEBACKS) == ()


def test_a_pinned_source_is_joined_by_another_for_what_it_lacks() -> None:
    found = names(metrics=["chargeback_rate"], period="2026-07-01/2026-09-30", entity=CHARGEBACKS)
    assert found == (CHARGEBACKS, MONTHLY)


def test_of_two_sources_of_one_cost_the_choice_is_always_the_same() -> None:
    domain = payments_domain()
    turned = replace(domain, entities=tuple(reversed(domain.entities)))
    spec = spec_of(metrics=["chargebacks", "transactions"], period="2026-07-01/2026-09-30")
    assert [e.name for e in sources_for(spec, domain, TODAY)] == [e.name for e in sources_for(spec, turned, TODAY)]


@pytest.mark.parametrize(
    ("metrics", "dimensions", "grain", "answer"),
    [
        (("approval_rate",), ("channel",), None, True),
        (("approval_rate",), ("merchant", "brand"), "day", True),
        (("chargeback_rate",), ("brand",), "month", True),
        (("chargeback_rate",), ("brand",), "day", False),
        (("chargebacks",), ("merchant",), None, False),
        (("declined_transactions",), ("response_code", "brand"), "week", True),
        (("unheard_of",), (), None, False),
    ],
)
def test_can_answer_tells_what_the_governed_sources_give_over_some_period(
    metrics: tuple[MetricName, ...], dimensions: tuple[DimensionName, ...], grain: TimeGrain | None, answer: bool
) -> None:
    assert can_answer(metrics, dimensions, grain, payments_domain()) is answer


def test_weeks_are_not_read_from_months() -> None:
    assert names(metrics=["fees"], grain="week", period="2026-06-01/2026-08-31")[0] == DAILY


def test_a_source_without_time_has_no_period() -> None:
    assert names_in(_without_time(), metrics=["fees"], period="2026-10-01/2026-10-31")[0] == DAILY


_OVER = {"metric": "approval_rate", "operator": ">", "value": "0.5"}


def names_in(domain: Domain, **fields: object) -> tuple[str, ...]:
    return tuple(entity.name for entity in sources_for(spec_of(**fields), domain, TODAY))


def _without_time() -> Domain:
    domain = payments_domain()
    timeless = tuple(_timeless(entity) if entity.name == MONTHLY else entity for entity in domain.entities)
    return replace(domain, entities=timeless)


def _timeless(entity: Entity) -> Entity:
    return replace(entity, time=None)
