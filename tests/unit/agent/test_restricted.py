from datetime import date

import pytest

from agent.codec import decode
from agent.restricted import restricted_refusal
from agent.values.identity import Principal, PrincipalId, RunId
from agent.values.outcome import Refusal
from agent.values.spec import QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import LOCALES, DomainName, Locale

FINANCE = DomainName("erp_finance")
OCTOBER = {"start": "2026-10-01", "end": "2026-10-31", "timezone": "America/Lima"}


def test_the_reason_and_what_may_be_asked_are_said() -> None:
    refusal = refused("en", metrics=["ebitda"], dimensions=["cebe"])
    assert refusal is not None
    assert refusal.rule == "metric_restricted"
    assert refusal.message == (
        "EBITDA is computed with Labour cost, which your access does not cover, so nothing was run. "
        "You can ask for “Gross margin by profit centre”, "
        "“Actual amount by P&L line, without Labour costs line”."
    )
    assert [s.question for s in refusal.suggestions] == [
        "Gross margin by profit centre in October 2026",
        "Actual amount by P&L line, without Labour costs line, in October 2026",
    ]


def test_a_hidden_line_of_a_statement_is_named() -> None:
    filters = [{"dimension": "statement_line", "values": ["Labour Costs"]}]
    refusal = refused("en", metrics=["actual_amount"], filters=filters)
    assert refusal is not None
    assert refusal.rule == "rows_not_permitted"
    assert refusal.message.startswith("Your access does not cover Labour costs line, so nothing was run.")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("metric", ["labor_cost", "net_income", "actual_amount"])
def test_every_reason_is_said_in_every_language(metric: str, locale: Locale) -> None:
    refusal = refused(locale, metrics=[metric])
    assert refusal is not None
    label = load_catalog().domain(FINANCE).metric(metric).names.label[locale]  # type: ignore[arg-type]
    assert label in refusal.message
    assert len(refusal.suggestions) >= 1


def test_a_question_without_anything_hidden_is_not_refused() -> None:
    assert refused("en", metrics=["gross_margin"]) is None


def refused(locale: Locale, **fields: object) -> Refusal | None:
    principal = Principal(
        id=PrincipalId("fiona"), roles=(), domains=(FINANCE,), restrictions=("labor_cost_restricted",)
    )
    spec = decode(QuerySpec, {"domain": FINANCE, "period": OCTOBER, **fields})
    domain = load_catalog().domain(FINANCE)
    return restricted_refusal(spec, domain, principal, date(2026, 11, 1), RunId("r1"), locale)
