from datetime import date

import pytest

from bot.evaluation.meaning import Ground, is_about, missing_options
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName


def options(*values: str) -> list[dict[str, str]]:
    return [{"label": value, "value": value} for value in values]


def ground(domain: str) -> Ground:
    return Ground(domain=load_catalog().domain(DomainName(domain)), today=date(2026, 11, 1))


@pytest.mark.parametrize(
    ("domain", "wanted", "offered"),
    [
        ("payments", "approval_rate", "approval_rate"),
        ("payments", "Approval rate", "approval_rate"),
        ("payments", "last closed month", "последний закрытый месяц"),
        ("payments", "year to date", "acumulado del año"),
        ("erp_finance", "gross margin %", "gross_margin_pct"),
        ("erp_finance", "this month", "este mes"),
        ("erp_finance", "pick a period", "last quarter"),
        ("scrap_prices", "LME медь", "lme_copper"),
        ("scrap_prices", "Лом меди М3 стружка", "item=Лом меди М3 стружка"),
    ],
)
def test_an_option_is_known_by_what_it_means(domain: str, wanted: str, offered: str) -> None:
    assert missing_options((wanted,), options(offered), ground(domain)) == ()


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [("approval_rate", "decline_rate"), ("last closed month", "last quarter"), ("year to date", "last 12 months")],
)
def test_another_meaning_is_not_offered(wanted: str, offered: str) -> None:
    assert missing_options((wanted,), options(offered), ground("payments")) == (wanted,)


def test_a_dimension_is_asked_about_by_its_members() -> None:
    assert is_about("member", options("cost_center=CC1001", "without"), ("cost_center",))
    assert is_about("metric", options("fees"), ("metric",))
    assert not is_about("period", options("last month"), ("metric", "cost_center"))
