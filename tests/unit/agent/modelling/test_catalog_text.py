import json
from dataclasses import replace
from typing import Any

import pytest

from agent.linking.linker import Linker
from agent.modelling.catalog_text import meaning_part, tables_part
from agent.modelling.prompts import tokens_of
from agent.values.identity import RowRule
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName, EntityName
from tests.fakes.catalog import FixedCatalog
from tests.unit.agent.linking.wide import WIDE, wide_catalog
from tests.unit.agent.understanding.asking import ANALYST, PAYMENTS, payments


async def tables(domain: Domain, words: str, budget: int, **changes: Any) -> dict[str, Any]:
    source = FixedCatalog(wide_catalog() if domain.name == WIDE else load_catalog())
    principal = replace(ANALYST, domains=(domain.name,), **changes)
    links = await Linker(source).link(words, principal, domain)
    return tables_part(domain, links, principal, budget)


def named(part: dict[str, Any]) -> list[str]:
    return [table["name"] for table in part.get("tables", [])]


async def test_a_small_catalog_is_shown_whole() -> None:
    part = await tables(payments(), "fees", 30_000)
    assert sorted(named(part)) == sorted(entity.name for entity in payments().entities)


@pytest.mark.parametrize("budget", [700, 2_000, 8_000])
async def test_the_linked_part_of_a_wide_catalog_keeps_its_budget(budget: int) -> None:
    wide = wide_catalog().domain(WIDE)
    part = await tables(wide, "lease facts 128 and lease total 128", budget)
    assert tokens_of(json.dumps(part)) <= budget
    assert named(part)[0] == "lease_128"


async def test_denied_columns_and_other_peoples_tables_are_not_shown() -> None:
    only = EntityName("v_daily_payment_metrics")
    denied = (("semantic.v_daily_payment_metrics", "fee_amount"),)
    part = await tables(payments(), "fees", 30_000, entities=(only,), denied_columns=denied)
    assert named(part) == [only]
    assert "fee_amount" not in part["tables"][0]["columns"]


async def test_business_rules_of_a_table_are_told() -> None:
    part = await tables(payments(), "daily amounts", 30_000)
    daily = next(table for table in part["tables"] if table["name"] == "v_daily_payment_metrics")
    assert daily["period_required"] is True
    assert daily["time"]["column"] == "payment_date"


async def test_metrics_come_with_their_definition() -> None:
    part = await tables(payments(), "approval rate", 30_000)
    formulas = {metric["name"]: metric["is"] for metric in part["metrics"]}
    assert formulas["approval_rate"] == "approved_transactions / transactions"


def test_members_outside_the_askers_rows_are_not_shown() -> None:
    rule = RowRule(
        domain=PAYMENTS, source="semantic.v_daily_payment_metrics", predicate="region = 'Lima'",
        label=(("en", "Lima only"),), column="region", members=("Lima",),
    )  # fmt: skip
    part = meaning_part(payments(), (), replace(ANALYST, row_rules=(rule,)), "en", 30_000)
    region = next(each for each in part["dimensions"] if each["name"] == "region")
    assert region["members"] == ["Lima"]


def test_a_small_budget_leaves_no_section_out() -> None:
    part = meaning_part(payments(), (), ANALYST, "en", 600)
    assert {"metrics", "dimensions", "examples"} <= set(part)
    assert part["domain"] == DomainName("payments")


async def test_of_a_table_wider_than_a_prompt_the_columns_asked_about_are_shown() -> None:
    wide = wide_catalog(tables=3, columns=400)
    principal = replace(ANALYST, domains=(WIDE,))
    links = await Linker(FixedCatalog(wide)).link("order field 377", principal)
    part = tables_part(wide.domain(WIDE), links, principal, 30_000)
    table = next(each for each in part["tables"] if each["name"] == "order_0")
    assert len(table["columns"]) == 60
    assert {"branch", "order_field_377_0"} <= set(table["columns"])
