from collections.abc import Iterator

import pytest
import yaml

from agent.sql.scope import GuardScope
from agent.values.governance import Finding, Origin, RuleId
from agent.wording.texts import say
from semantic_catalog.model import LOCALES, Dialect
from tests.unit.agent.sql.shop import CASES, decide_in, ledger, rules, shop

TABLES = yaml.safe_load((CASES / "rules.yaml").read_text(encoding="utf-8"))


def rows(verdict: str) -> Iterator[object]:
    for name, table in TABLES.items():
        for dialect, sql in table[verdict]:
            yield pytest.param(scope_of(table, dialect), sql, RuleId(table["rule"]), id=f"{name}: {sql[:60]!a}")


def scope_of(table: dict[str, str], dialect: Dialect) -> GuardScope:
    return ledger() if table.get("scope") == "ledger" else shop(dialect)


@pytest.mark.parametrize(("scope", "sql", "rule"), list(rows("refused")))
def test_a_rule_refuses_what_it_is_there_for(scope: GuardScope, sql: str, rule: RuleId) -> None:
    assert rule in rules(decide_in(scope, sql, "model"))


@pytest.mark.parametrize(("scope", "sql", "rule"), list(rows("allowed")))
def test_a_rule_lets_its_neighbours_through(scope: GuardScope, sql: str, rule: RuleId) -> None:
    assert rules(decide_in(scope, sql, "model")) == set()


def test_every_table_has_both_sides() -> None:
    assert all(table["refused"] and table["allowed"] for table in TABLES.values())


@pytest.mark.parametrize(("scope", "sql", "rule"), list(rows("refused")))
def test_every_refusal_can_be_said_in_every_language(scope: GuardScope, sql: str, rule: RuleId) -> None:
    answer = decide_in(scope, sql, "model")
    findings: tuple[Finding, ...] = getattr(answer, "findings", ())
    for finding in findings:
        for locale in LOCALES:
            assert say(locale, f"refusal.{finding.rule}", **dict(finding.params))


@pytest.mark.parametrize("value", [0, 1])
def test_a_person_may_name_another_value_than_the_business_rule_does(value: int) -> None:
    sql = f"SELECT SUM(amount) FROM plan WHERE version = {value}"
    assert rules(decide_in(ledger(), sql, "edited")) == set()
    assert rules(decide_in(ledger(), sql, "compiled")) == set()


def test_a_missing_filter_is_refused_whoever_wrote_the_query() -> None:
    assert rules(decide_in(ledger(), "SELECT SUM(amount) FROM plan", "edited")) == {RuleId.REQUIRED_FILTER}


@pytest.mark.parametrize("origin", ["compiled", "edited"])
def test_a_person_may_name_several_values(origin: Origin) -> None:
    sql = "SELECT version, SUM(amount) FROM plan WHERE version IN (0, 1) GROUP BY version"
    assert rules(decide_in(ledger(), sql, origin)) == set()
