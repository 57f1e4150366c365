from datetime import date
from functools import cache

import pytest

from agent.codec import decode
from agent.sql.restrictions import Withheld, withheld_from
from agent.values.identity import Principal, PrincipalId
from agent.values.spec import QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName

TODAY = date(2026, 11, 1)
OCTOBER = {"start": "2026-10-01", "end": "2026-10-31", "timezone": "America/Lima"}
WITHOUT_LABOUR = ("statement_line", ("Labour Costs",), False)


@pytest.mark.parametrize(
    ("metric", "needs", "first_offer"),
    [
        ("labor_cost", "labor_cost", "gross_margin"),
        ("ebitda", "labor_cost", "gross_margin"),
        ("ebitda_margin", "labor_cost", "gross_margin_pct"),
        ("net_income", "labor_cost", "gross_margin"),
        ("total_cost", "labor_cost", "gross_margin"),
        ("ebitda_budget", "labor_cost_budget", "gross_margin_budget"),
        ("ebitda_variance", "labor_cost", "gross_margin_variance"),
        ("ebitda_attainment", "labor_cost", "gross_margin_attainment"),
        ("labor_cost_budget", "labor_cost_budget", "gross_margin_budget"),
        ("actual_amount", "actual_amount", "actual_amount"),
        ("budget", "budget", "budget"),
        ("budget_variance", "actual_amount", "budget_variance"),
    ],
)
def test_what_needs_labour_rows_is_withheld_and_the_nearest_offered(metric: str, needs: str, first_offer: str) -> None:
    found = ask("labor_cost_restricted", metrics=[metric])
    assert found is not None
    assert (found.metric, found.needs) == (metric, needs)
    assert found.offers[0].metrics == (first_offer,)


@pytest.mark.parametrize("metric", ["revenue", "gross_margin", "gross_margin_pct", "opex", "opex_variance", "taxes"])
def test_what_needs_no_labour_rows_may_be_asked(metric: str) -> None:
    assert ask("labor_cost_restricted", metrics=[metric], dimensions=["company"]) is None


def test_nobody_without_the_restriction_misses_anything() -> None:
    assert ask("something_else", metrics=["ebitda"]) is None
    assert ask(metrics=["ebitda"]) is None


def test_the_income_statement_is_offered_without_its_labour_line() -> None:
    found = ask("labor_cost_restricted", metrics=["ebitda"], dimensions=["cebe"])
    assert found is not None
    statement = found.offers[1]
    assert statement.metrics == ("actual_amount",)
    assert statement.dimensions == ("statement_line",)
    assert [(f.dimension, f.values, f.include) for f in statement.filters] == [WITHOUT_LABOUR]


@pytest.mark.parametrize(
    "filters",
    [
        [{"dimension": "statement_line", "values": ["Labour Costs"], "include": False}],
        [{"dimension": "account_group", "values": ["COSTOS MANO DE OBRA", "IMPUESTOS"], "include": False}],
        [{"dimension": "statement_line", "values": ["Revenue", "Taxes"]}],
        [{"dimension": "account", "values": ["701100"]}],
    ],
)
def test_a_statement_that_leaves_labour_out_may_be_asked(filters: list[dict[str, object]]) -> None:
    assert ask("labor_cost_restricted", metrics=["actual_amount"], dimensions=["account"], filters=filters) is None


@pytest.mark.parametrize(
    "filters",
    [
        [{"dimension": "cebe", "values": ["CB100"]}],
        [{"dimension": "account_group", "values": ["IMPUESTOS"], "include": False}],
    ],
)
def test_a_statement_that_holds_labour_may_not(filters: list[dict[str, object]]) -> None:
    assert ask("labor_cost_restricted", metrics=["actual_amount"], dimensions=["account"], filters=filters)


def test_labour_cost_is_withheld_whatever_is_left_out_of_it() -> None:
    filters = [{"dimension": "account_group", "values": ["COSTOS MANO DE OBRA"], "include": False}]
    assert ask("labor_cost_restricted", metrics=["labor_cost"], filters=filters)


def test_a_hidden_member_may_not_be_named() -> None:
    filters = [{"dimension": "statement_line", "values": ["Revenue", "Labour Costs"]}]
    found = ask("labor_cost_restricted", metrics=["actual_amount"], filters=filters)
    assert found is not None
    assert (found.dimension, found.members) == ("statement_line", ("Labour Costs",))
    assert [(f.dimension, f.values, f.include) for f in found.offers[0].filters] == [WITHOUT_LABOUR]


@pytest.mark.parametrize(
    "fields",
    [
        {"metrics": ["revenue"], "having": [{"metric": "ebitda", "operator": ">", "value": "0"}]},
        {"metrics": ["revenue"], "order": [{"by": "labor_cost"}]},
    ],
)
def test_conditions_and_sort_keys_tell_as_much_as_columns(fields: dict[str, object]) -> None:
    assert ask("labor_cost_restricted", dimensions=["company"], **fields)


def test_volumes_of_all_regions_are_withheld_from_who_sees_one() -> None:
    found = withheld_from(
        _principal("purchase_volume_restricted"), _spec("scrap_prices", metrics=["purchase_volume"]), _scrap(), TODAY
    )
    assert found is not None
    assert [offer.metrics for offer in found.offers] == [("quantity",)]


def ask(*restrictions: str, **fields: object) -> Withheld | None:
    return withheld_from(_principal(*restrictions), _spec("erp_finance", **fields), _finance(), TODAY)


def _principal(*restrictions: str) -> Principal:
    domains = (DomainName("erp_finance"), DomainName("scrap_prices"))
    return Principal(id=PrincipalId("fiona"), roles=(), domains=domains, restrictions=restrictions)


def _spec(domain: str, **fields: object) -> QuerySpec:
    return decode(QuerySpec, {"domain": domain, "period": OCTOBER, **fields})


@cache
def _finance() -> Domain:
    return load_catalog().domain(DomainName("erp_finance"))


@cache
def _scrap() -> Domain:
    return load_catalog().domain(DomainName("scrap_prices"))
