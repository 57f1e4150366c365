from dataclasses import replace
from pathlib import Path

import pytest

from agent.policy.load import check_policy
from semantic_catalog.dialects import with_dialect
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, Dialect, DomainName
from tests.unit.agent.policy.test_load import DEMO, EXAMPLE

POLICY = """\
version: 1
name: acme
roles:
  finance:
    domains: [erp_finance]
    row_rules:
      - {domain: erp_finance, sources: [fin_actuals], label: {en: L, es: L, ru: L}, predicate: "%s"}
people:
  - {id: ana, name: Ana, roles: [finance]}
"""


def catalog_in(dialect: Dialect) -> Catalog:
    return with_dialect(load_catalog(), DomainName("erp_finance"), dialect)


def faults(folder: Path, predicate: str, catalog: Catalog | None) -> list[str]:
    path = folder / "policy.yaml"
    path.write_text(POLICY % predicate, encoding="utf-8")
    return [str(issue) for issue in check_policy(path, catalog=catalog).issues]


@pytest.mark.parametrize("path", [DEMO, EXAMPLE], ids=["demo", "example"])
def test_the_policies_that_come_with_the_product_fit_the_packaged_catalog(path: Path) -> None:
    assert check_policy(path, catalog=load_catalog()).issues == ()


@pytest.mark.parametrize(("dialect", "sound"), [("mysql", True), ("postgres", False)])
def test_a_predicate_is_read_in_the_domains_own_dialect(tmp_path: Path, dialect: Dialect, sound: bool) -> None:
    found = faults(tmp_path, "`cebe` = 'CB100'", catalog_in(dialect))
    assert found == ([] if sound else [f"policy.yaml:7: error: the predicate is not an SQL condition of {dialect}"])


def test_a_column_that_the_source_does_not_have_is_told_with_its_line(tmp_path: Path) -> None:
    [fault] = faults(tmp_path, "cebee = 'CB100'", catalog_in("mysql"))
    assert fault == "policy.yaml:7: error: no column 'cebee' in 'fin_actuals'; did you mean 'cebe'?"


def test_columns_inside_a_subquery_belong_to_what_it_reads(tmp_path: Path) -> None:
    inner = "account IN (SELECT account FROM trm_accounts WHERE account_group = 'INGRESOS')"
    assert faults(tmp_path, inner, catalog_in("mysql")) == []


def test_what_the_catalog_does_not_hold_is_let_be(tmp_path: Path) -> None:
    empty = replace(load_catalog(), domains=())
    assert faults(tmp_path, "anything = 1", empty) == []
    assert faults(tmp_path, "anything = 1", None) == []
