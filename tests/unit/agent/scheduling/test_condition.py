from decimal import Decimal

import pytest

from agent.scheduling.condition import fulfils, read_condition
from agent.values.result import Cell, ResultColumn, ResultTable
from agent.values.spec import QuerySpec, Threshold
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName, MetricName

RATE, COUNT = MetricName("approval_rate"), MetricName("total_transactions")


@pytest.fixture(scope="module")
def payments() -> Domain:
    return load_catalog().domain(DomainName("payments"))


def asking(*metrics: MetricName) -> QuerySpec:
    return QuerySpec(domain=DomainName("payments"), metrics=metrics)


@pytest.mark.parametrize(
    "words",
    [
        "approval rate < 85 %",
        "the approval rate is below 85%",
        "approval rate falls below 85 %",
        "it is under 85 %",
        "la tasa de aprobacion es menor que 85 %",
        "доля одобренных ниже 85 %",
    ],
)
def test_a_condition_is_on_a_metric_that_is_shown(words: str, payments: Domain) -> None:
    assert read_condition(words, asking(RATE), payments) == Threshold(metric=RATE, operator="<", value=Decimal("0.85"))


@pytest.mark.parametrize("words", ["", "it rains", "chargeback rate > 2 %", "approval rate", "by 5 %"])
def test_anything_else_is_no_condition(words: str, payments: Domain) -> None:
    assert read_condition(words, asking(RATE), payments) is None


def table(*values: Cell) -> ResultTable:
    columns = (ResultColumn(name="approval_rate", label="Approval rate", role="metric", type="decimal"),)
    return ResultTable(columns=columns, rows=tuple((value,) for value in values))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((Decimal("0.849"),), True),
        ((Decimal("0.85"),), False),
        ((0.9, None, 0.8), True),
        ((0.9, None), False),
        ((), False),
    ],
)
def test_one_row_that_fulfils_it_is_enough(values: tuple[Cell, ...], expected: bool) -> None:
    assert fulfils(table(*values), Threshold(metric=RATE, operator="<", value=Decimal("0.85"))) is expected


def test_rows_without_the_figure_are_told() -> None:
    assert fulfils(table(0.9), Threshold(metric=COUNT, operator="<", value=Decimal(5)))
