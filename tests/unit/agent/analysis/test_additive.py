from dataclasses import replace

import pytest

from agent.analysis.additive import is_additive, is_additive_column
from semantic_catalog.model import Metric, MetricName, Names
from tests.unit.agent.analysis.results import compared, metric, payments, share


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
