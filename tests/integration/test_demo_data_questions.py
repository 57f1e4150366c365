"""Every question of the catalogs has an answer in the demo data, the same on each engine."""

from datetime import date
from decimal import Decimal

import pytest

from agent.sql.compile.compile import compile_spec, render
from agent.understanding.templates import resolve_template
from bot.demo.state import DomainData
from semantic_catalog.dialects import with_dialect
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName, SpecTemplate
from tests.engines import Rows, rows_of

TODAY = date(2026, 11, 1)
FINANCE = DomainName("erp_finance")
SCRAP = DomainName("scrap_prices")


def templates(name: DomainName) -> dict[str, SpecTemplate]:
    domain = load_catalog().domain(name)
    return {
        **{example.question: example.spec for example in domain.examples},
        **{query.name: query.spec for query in domain.trusted_queries},
    }


def answer(template: SpecTemplate, name: DomainName, data: DomainData) -> Rows:
    domain: Domain = with_dialect(load_catalog(), name, data.dialect).domain(name)
    compiled = compile_spec(resolve_template(template, domain, TODAY), domain, "en", TODAY)
    return [tuple(map(_plain, row)) for row in rows_of(data.reader_url, render(compiled.tree, data.dialect))]


def _plain(cell: object) -> object:
    """Engines keep a different number of digits of a quotient."""
    return round(float(cell), 3) if isinstance(cell, Decimal | float | int) else cell


@pytest.mark.parametrize(("question", "template"), templates(FINANCE).items())
def test_a_finance_question_has_one_answer_on_every_engine(
    question: str, template: SpecTemplate, erp_finance: DomainData, erp_finance_postgres: DomainData
) -> None:
    rows = answer(template, FINANCE, erp_finance)
    assert rows
    assert rows == answer(template, FINANCE, erp_finance_postgres)


@pytest.mark.parametrize(("question", "template"), templates(SCRAP).items())
def test_a_scrap_question_has_an_answer(question: str, template: SpecTemplate, scrap_prices: DomainData) -> None:
    assert answer(template, SCRAP, scrap_prices)
