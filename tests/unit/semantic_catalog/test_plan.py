from dataclasses import replace

import pytest

from semantic_catalog.load import load_catalog
from semantic_catalog.model import (
    LOCALES,
    Domain,
    DomainName,
    EntityName,
    Locale,
    MeasureName,
    Metric,
    MetricName,
    Names,
    Plan,
    ViewNames,
)
from semantic_catalog.plan import with_plan_views

LABEL: dict[Locale, str] = {"en": "Net sales", "es": "Ventas", "ru": "Продажи"}
BUDGET = ViewNames(
    view="budget",
    names=Names(
        label={"en": "Budgeted {metric}", "es": "Presupuesto de {metric}", "ru": "Бюджет: {metric}"},
        synonyms={"en": ("{metric} plan",), "es": ("{metric} presupuestado",), "ru": ("план {metric}",)},
    ),
)
VARIANCE = ViewNames(view="variance", names=Names(label=dict.fromkeys(LOCALES, "{metric} variance")))
ATTAINMENT = ViewNames(view="attainment", names=Names(label=dict.fromkeys(LOCALES, "{metric} attained")))


@pytest.fixture(scope="module")
def finance() -> Domain:
    return load_catalog().domain(DomainName("erp_finance"))


@pytest.fixture(scope="module")
def written(finance: Domain) -> Domain:
    """As read from the files: three metrics and no view."""
    wanted = ("revenue", "cost_of_sales", "gross_margin", "gross_margin_pct")
    plan = Plan(actual=EntityName("fin_actuals"), budget=EntityName("fin_plan"), views=(BUDGET, VARIANCE, ATTAINMENT))
    budget = finance.entity(EntityName("fin_plan"))
    entities = tuple(replace(budget, measures=()) if known is budget else known for known in finance.entities)
    metrics = tuple(finance.metric(MetricName(name)) for name in wanted)
    return replace(finance, entities=entities, metrics=metrics, plan=plan)


def metric(domain: Domain, name: str) -> Metric:
    return domain.metric(MetricName(name))


def test_the_plan_gets_every_measure_of_the_actual_figures(written: Domain) -> None:
    actual, budget = (with_plan_views(written).entity(EntityName(name)) for name in ("fin_actuals", "fin_plan"))
    planned = {measure.name: measure for measure in budget.measures}
    assert set(planned) == {f"{measure.name}_budget" for measure in actual.measures}
    revenue = actual.measure(MeasureName("revenue"))
    assert revenue is not None
    assert planned[MeasureName("revenue_budget")] == replace(revenue, name=MeasureName("revenue_budget"))


def test_a_simple_a_derived_and_a_ratio_metric_are_computed_from_the_plan(written: Domain) -> None:
    whole = with_plan_views(written)
    assert metric(whole, "revenue_budget").measure == "revenue_budget"
    assert metric(whole, "gross_margin_budget").expression == "revenue_budget - cost_of_sales_budget"
    ratio = metric(whole, "gross_margin_pct_budget")
    assert (ratio.kind, ratio.numerator, ratio.denominator) == ("ratio", "gross_margin_budget", "revenue_budget")


def test_variance_is_a_difference_and_attainment_a_share(written: Domain) -> None:
    whole = with_plan_views(written)
    variance, attainment = metric(whole, "revenue_variance"), metric(whole, "revenue_attainment")
    assert (variance.kind, variance.expression, variance.format) == ("derived", "revenue - revenue_budget", "amount")
    assert (attainment.numerator, attainment.denominator, attainment.format) == ("revenue", "revenue_budget", "percent")
    assert attainment.unit is None


def test_a_view_says_what_it_looks_at(written: Domain) -> None:
    views = {str(known.name): (known.view, known.view_of) for known in with_plan_views(written).metrics if known.view}
    assert views["gross_margin_variance"] == ("variance", "gross_margin")
    assert "gross_margin_pct_attainment" not in views
    assert len(views) == 4 * 3 - 1


def test_dimensions_are_those_that_the_plan_has_and_its_own_split_the_budget(written: Domain) -> None:
    whole = with_plan_views(written)
    assert metric(whole, "cost_of_sales").dimensions == (
        "company", "cebe", "business_unit", "region", "cost_center", "account", "account_group",
    )  # fmt: skip
    assert metric(whole, "cost_of_sales_variance").dimensions == (
        "company", "cebe", "business_unit", "region", "account", "account_group",
    )  # fmt: skip
    assert metric(whole, "cost_of_sales_budget").dimensions == (
        "company", "cebe", "business_unit", "region", "account", "account_group", "plan_version",
    )  # fmt: skip


def test_names_hold_the_metric_with_a_small_letter_inside_and_abbreviations_as_they_are(written: Domain) -> None:
    short: dict[Locale, str] = {**LABEL, "en": "EBITDA"}
    renamed = tuple(
        replace(known, names=Names(label=short if known.name == "gross_margin" else LABEL)) for known in written.metrics
    )
    whole = with_plan_views(replace(written, metrics=renamed))
    assert metric(whole, "revenue_budget").names.label == {
        "en": "Budgeted net sales",
        "es": "Presupuesto de ventas",
        "ru": "Бюджет: продажи",
    }
    assert metric(whole, "revenue_variance").names.label["en"] == "Net sales variance"
    assert metric(whole, "gross_margin_budget").names.label["en"] == "Budgeted EBITDA"


def test_every_synonym_of_the_metric_is_a_synonym_of_its_view(written: Domain) -> None:
    assert "sales plan" in metric(with_plan_views(written), "revenue_budget").names.synonyms["en"]


def test_a_view_written_by_hand_is_kept_and_used(written: Domain) -> None:
    own = replace(
        metric(with_plan_views(written), "revenue_budget"),
        name=MetricName("target"),
        names=Names(label=dict.fromkeys(LOCALES, "Target")),
    )
    whole = with_plan_views(replace(written, metrics=(*written.metrics, own)))
    assert own in whole.metrics
    assert metric(whole, "revenue_variance").expression == "revenue - target"
    assert metric(whole, "gross_margin_budget").expression == "target - cost_of_sales_budget"
    assert "revenue_budget" not in {known.name for known in whole.metrics}


@pytest.mark.parametrize("expression", ["revenue - rubbish", "revenue -", "gross_margin + 1", "revenue_per_day"])
def test_faulty_metrics_get_no_view_and_no_crash(written: Domain, expression: str) -> None:
    broken = replace(metric(written, "gross_margin"), expression=expression)
    metrics = tuple(broken if known.name == broken.name else known for known in written.metrics)
    names = {known.name for known in with_plan_views(replace(written, metrics=metrics)).metrics}
    assert "gross_margin_budget" not in names
    assert "revenue_budget" in names


def test_a_domain_without_a_plan_or_with_one_of_unknown_entities_stays_as_it_is(written: Domain) -> None:
    assert written.plan is not None
    unknown = replace(written, plan=replace(written.plan, budget=EntityName("nowhere")))
    assert with_plan_views(unknown) is unknown
    assert with_plan_views(replace(written, plan=None)).metrics == written.metrics


def test_dimensions_only_of_the_plan_are_offered_even_when_a_metric_takes_any(written: Domain) -> None:
    free = tuple(replace(known, dimensions=None) for known in written.metrics)
    whole = with_plan_views(replace(written, metrics=free))
    assert metric(whole, "revenue_budget").dimensions is None


def test_a_metric_of_another_entity_is_not_planned(written: Domain) -> None:
    counted = replace(metric(written, "revenue"), name=MetricName("headcount"), measure=MeasureName("people"))
    whole = with_plan_views(replace(written, metrics=(*written.metrics, counted)))
    assert "headcount_budget" not in {known.name for known in whole.metrics}
