from dataclasses import replace

import pytest

from agent.analysis.kpis import compute_kpis
from agent.analysis.narrate import narrate
from agent.values.result import ResultColumn, Verification
from agent.values.spec import QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DimensionName, DomainName, Locale, MetricName
from tests.unit.agent.analysis.results import table

UNIT = ResultColumn(name="business_unit", label="Unit", role="dimension", type="text", reference="business_unit")


def column(name: str, locale: Locale) -> ResultColumn:
    label = load_catalog().domain(DomainName("erp_finance")).metric(MetricName(name)).names.in_locale(locale)
    return ResultColumn(
        name=name, label=label, role="metric", type="decimal", format="amount", unit="PEN", reference=name
    )


def highlights(name: str, locale: Locale, *amounts: float) -> tuple[str, ...]:
    """What stands out in the figure alone, or in one row each for several amounts."""
    domain = load_catalog().domain(DomainName("erp_finance"))
    asked = QuerySpec(domain=domain.name, metrics=(MetricName(name),))
    found = table((column(name, locale),), (amounts[0],))
    if len(amounts) > 1:
        asked = replace(asked, dimensions=(DimensionName("business_unit"),))
        rows = ((f"unit {place}", amount) for place, amount in enumerate(amounts))
        found = table((UNIT, column(name, locale)), *rows)
    kpis = compute_kpis(found, asked, domain, locale)
    return narrate(found, asked, kpis, Verification(status="success"), domain, locale, len(found.rows)).highlights


@pytest.mark.parametrize(
    ("name", "amounts", "locale", "said"),
    [
        ("revenue_variance", (500.0,), "en", "which is favourable."),
        ("revenue_variance", (-500.0,), "en", "which is unfavourable."),
        ("opex_variance", (500.0,), "en", "which is unfavourable."),
        ("opex_variance", (-300.0, -200.0), "es", "resultado favorable."),
        ("revenue_variance", (300.0, -500.0), "ru", "— неблагоприятно."),
    ],
)
def test_more_income_than_planned_is_good_and_more_cost_is_not(
    name: str, amounts: tuple[float, ...], locale: Locale, said: str
) -> None:
    assert [line.endswith(said) for line in highlights(name, locale, *amounts)] == [True]


@pytest.mark.parametrize("name", ["revenue", "budget_variance"])
def test_what_is_no_variance_or_of_no_one_kind_is_neither(name: str) -> None:
    assert highlights(name, "en", 500.0) == ()
