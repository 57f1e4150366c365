from datetime import date

import pytest

from agent.sql.compile.compile import compile_spec, render
from agent.values.spec import MemberFilter, Period, QuerySpec
from agent.wording.spec_words import filters_said, members_said
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DimensionName, DomainName, Locale, MetricName

ERP = DomainName("erp_finance")


def opex(include: bool) -> QuerySpec:
    """Operating expenses of rows that have no cost centre, or of those that have one."""
    return QuerySpec(
        domain=ERP,
        metrics=(MetricName("opex"),),
        filters=(MemberFilter(dimension=DimensionName("cost_center"), values=(), include=include),),
        period=Period(start=date(2026, 10, 1), end=date(2026, 10, 31), timezone="America/Lima", words="range"),
    )


@pytest.mark.parametrize(("include", "condition"), [(True, "cost_center IS NULL"), (False, "NOT")])
def test_rows_without_a_member_are_those_whose_column_is_empty(include: bool, condition: str) -> None:
    sql = render(compile_spec(opex(include), load_catalog().domain(ERP), "en", date(2026, 11, 1)).tree, "mysql")
    assert condition in sql.replace("`", "")
    assert "IS NULL" in sql


@pytest.mark.parametrize(
    ("locale", "phrase", "line"),
    [
        ("en", "with no cost centre", "Cost centre: none"),
        ("es", "sin centro de costo", "Centro de costo: ninguno"),
        ("ru", "где не указано: центр затрат", "Центр затрат: не указано"),
    ],
)
def test_the_receipt_says_that_there_is_no_member(locale: Locale, phrase: str, line: str) -> None:
    domain = load_catalog().domain(ERP)
    assert members_said(opex(True), domain, locale) == (phrase,)
    assert filters_said(opex(True), domain, locale) == (line,)
