from dataclasses import replace

import pytest

from agent.analysis.additive import is_additive, is_additive_column
from agent.analysis.chart_choice import choose_chart
from agent.analysis.kpis import compute_kpis
from agent.analysis.narrate import narrate
from agent.values.result import ResultColumn, Verification
from agent.values.spec import MemberFilter, QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DimensionName, DomainName, Metric, MetricName, Names
from tests.unit.agent.analysis.results import compared, metric, payments, share, table


def derived(expression: str) -> Metric:
    return Metric(
        name=MetricName("made_up"), names=Names(label={"en": "Made up"}), kind="derived", format="amount",
        expression=expression,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "additive"),
    [("processed_amount", True), ("transactions", True), ("approval_rate", False), ("average_ticket", False),
     ("chargeback_rate", False)],
)  # fmt: skip
def test_sums_and_counts_add_up_and_ratios_do_not(name: str, additive: bool) -> None:
    assert is_additive(payments().metric(MetricName(name)), payments()) is additive


@pytest.mark.parametrize(
    ("expression", "additive"),
    [
        ("processed_amount - fees", True),
        ("processed_amount - (fees + chargeback_amount)", True),
        ("processed_amount / fees", False),
        ("processed_amount * 2", False),
        ("processed_amount - approval_rate", False),
        ("processed_amount - unknown", False),
        ("processed_amount + 1", False),
        ("", False),
    ],
)
def test_derived_metric_adds_up_when_it_only_adds_what_adds_up(expression: str, additive: bool) -> None:
    assert is_additive(derived(expression), payments()) is additive


def test_average_measure_does_not_add_up() -> None:
    known = payments().metric(MetricName("fees"))
    domain = replace(
        payments(),
        entities=tuple(
            replace(entity, measures=tuple(replace(measure, aggregation="avg") for measure in entity.measures))
            for entity in payments().entities
        ),
    )
    assert not is_additive(known, domain)


def test_only_plain_values_of_a_metric_add_up() -> None:
    now, before, change, relative = compared("fees")
    assert is_additive_column(now, payments())
    assert is_additive_column(before, payments())
    assert not is_additive_column(change, payments())
    assert not is_additive_column(relative, payments())
    assert not is_additive_column(share("fees"), payments())
    assert not is_additive_column(replace(metric("fees"), name="fees_running_total"), payments())


FINANCE = DomainName("erp_finance")
ACTUAL = ResultColumn(
    name="actual_amount", label="Actual amount", role="metric", type="decimal", format="amount", unit="PEN",
    reference="actual_amount",
)  # fmt: skip
LINE = ResultColumn(name="statement_line", label="P&L line", role="dimension", type="text", reference="statement_line")


def lines(*kept: str) -> QuerySpec:
    filters = (MemberFilter(dimension=DimensionName("statement_line"), values=kept),) if kept else ()
    return QuerySpec(
        domain=FINANCE,
        metrics=(MetricName("actual_amount"),),
        dimensions=(DimensionName("statement_line"),),
        filters=filters,
    )


@pytest.mark.parametrize(
    ("kept", "additive"), [((), False), (("Revenue", "Taxes"), False), (("Revenue",), True)], ids=["all", "two", "one"]
)
def test_income_and_cost_are_never_added_up(kept: tuple[str, ...], additive: bool) -> None:
    assert is_additive_column(ACTUAL, load_catalog().domain(FINANCE), lines(*kept)) is additive


def test_no_sentence_figure_or_pie_adds_income_to_cost() -> None:
    domain = load_catalog().domain(FINANCE)
    asked = replace(lines(), chart="pie")
    found = table((LINE, ACTUAL), ("Revenue", 900.0), ("Cost of Sales", 500.0), ("Taxes", 40.0))
    kpis = compute_kpis(found, asked, domain)
    told = narrate(found, asked, kpis, Verification(status="success"), domain, "en", 3)
    chart = choose_chart(found, asked, domain, "en", title="", source_line="")
    assert {kpi.kind for kpi in kpis} == {"maximum", "minimum", "count"}
    assert "1,440" not in f"{told.lead} {told.rest} {told.highlights}"
    assert chart is not None
    assert (chart.kind != "pie", chart.additive) == (True, False)
