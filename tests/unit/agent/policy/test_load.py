from decimal import Decimal
from pathlib import Path

import pytest

from agent.policy.authority import may_approve
from agent.policy.budgets import BudgetDefaults
from agent.policy.errors import PolicyError
from agent.policy.load import check_policy, load_policy, warnings
from agent.policy.model import Tiers
from agent.policy.roles import Bearer, principal_with
from agent.values.identity import Limits, PrincipalId, RowRule
from agent.values.meters import Budget
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName, EntityName

ROOT = Path(__file__).resolve().parents[4]
DEMO = ROOT / "bot" / "demo" / "policy.yaml"
EXAMPLE = ROOT / "deploy" / "policy.example.yaml"

SOUND = """\
version: 1
name: acme
roles:
  analyst:
    domains: [payments]
    may_approve: own
  lima:
    domains: [payments]
    limits: {max_result_rows: 900}
    denied_columns: {semantic.v_x: [email]}
    row_rules:
      - {domain: payments, sources: [a, b], column: region, members: [Lima, "O'Higgins"], label: {en: L, es: L, ru: Л}}
people:
  - {id: ana, name: Ana, roles: [analyst], emails: [Ana@Example.com]}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def faults(folder: Path, text: str) -> list[str]:
    return [str(issue) for issue in check_policy(written(folder, text)).issues]


@pytest.mark.parametrize("path", [DEMO, EXAMPLE], ids=["demo", "example"])
def test_the_policies_that_come_with_the_product_are_sound(path: Path) -> None:
    assert check_policy(path).issues == ()


def test_all_faults_of_a_file_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    text = SOUND.replace("may_approve: own", "may_approve: all").replace(
        "[payments]\n    limits", "payments\n    limits"
    )
    found = faults(tmp_path, text + "  - {id: bob, name: Bob, roles: [analyst], phone: 1}\n")
    assert [line.split(": ")[0] for line in found] == ["policy.yaml:6", "policy.yaml:8", "policy.yaml:15"]
    with pytest.raises(PolicyError) as raised:
        load_policy(tmp_path / "policy.yaml")
    assert raised.value.detail.splitlines() == found


def test_a_fault_of_one_part_hides_none_between_parts(tmp_path: Path) -> None:
    text = SOUND.replace("may_approve: own", "may_approve: all").replace('[Lima, "O\'Higgins"]', "[]")
    found = faults(tmp_path, text + "  - {id: bob, name: Bob, roles: [analist]}\n")
    assert [line.split(": ")[0] for line in found] == ["policy.yaml:6", "policy.yaml:12", "policy.yaml:15"]
    assert "did you mean 'analyst'?" in found[2]


GROUPS = """\
groups:
  leads: {name: Leads, people: [ana], roles: [lima]}
approval:
  approvers: {people: [ana], groups: [leads], roles: [analyst]}
  standing: {groups: [leads], days: 3}
"""


def test_groups_and_approvers_are_sound(tmp_path: Path) -> None:
    assert faults(tmp_path, SOUND + GROUPS) == []


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("people: [ana], roles: [lima]", "people: [anna], roles: [lima]", 16, "no person 'anna'; did you mean 'ana'?"),
        ("people: [ana], roles: [lima]", "people: [ana], roles: [limo]", 16, "no role 'limo'"),
        ("people: [ana], roles: [lima]", "roles: [lima]", 16, "names people, Slack user groups or Entra groups"),
        ("people: [ana], roles: [lima]", "slack: [{team: T1, group: leads}]", 16, "S[A-Z0-9]"),
        ("people: [ana], roles: [lima]", "teams: [{tenant: t, object_id: leads}]", 16, "object_id"),
        ("{people: [ana], groups: [leads], roles: [analyst]}", "{groups: [lead]}", 18, "no group 'lead'"),
        ("{people: [ana], groups: [leads], roles: [analyst]}", "{people: [bob]}", 18, "no person 'bob'"),
        ("{people: [ana], groups: [leads], roles: [analyst]}", "{}", 18, "name people, roles or groups"),
        ("{groups: [leads], days: 3}", "{groups: [leeds], days: 3}", 19, "no group 'leeds'; did you mean 'leads'?"),
        ("{groups: [leads], days: 3}", "{days: 3}", 19, "name people, roles or groups"),
    ],
)
def test_a_fault_of_a_group_is_told_where_it_is(tmp_path: Path, before: str, after: str, line: int, words: str) -> None:
    found = faults(tmp_path, SOUND + GROUPS.replace(before, after, 1))
    assert any(fault.startswith(f"policy.yaml:{line}:") and words in fault for fault in found), found


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("roles: [analyst], emails", "emails", 14, "'ana' has no role"),
        ("id: ana", "id: 'slack:T1:U1'", 14, "id"),
        ("  lima:\n", "  analyst:\n", 7, "'analyst' is written twice"),
        ("roles: [analyst]", "roles: [analist]", 14, "no role 'analist'; did you mean 'analyst'?"),
        ("name: acme\n", "", 1, "name: Field required"),
        ("version: 1", "version: 2", 1, "version"),
        ('column: region, members: [Lima, "O\'Higgins"]', "column: region", 12, "a column with members or a predicate"),
        ('column: region, members: [Lima, "O\'Higgins"]', "predicate: 'region ='", 12, "not an SQL condition"),
        ('members: [Lima, "O\'Higgins"]', "members: ['a\\b']", 12, "backslash"),
        ("ru: Л", "en: x", 12, "missing in ru"),
        ("may_approve: own", "may_approve: domain", 4, "approval_domains"),
        ("max_result_rows: 900", "max_result_rows: 0", 9, "greater than 0"),
        ("emails: [Ana@Example.com]", "emails: [ana]", 14, "emails"),
        ("people:", "people: [", 14, "not YAML"),
    ],
)
def test_a_fault_is_told_where_it_is(tmp_path: Path, before: str, after: str, line: int, words: str) -> None:
    found = faults(tmp_path, SOUND.replace(before, after, 1))
    assert any(fault.startswith(f"policy.yaml:{line}:") and words in fault for fault in found), found


def test_nobody_is_written_twice(tmp_path: Path) -> None:
    twin = "  - {id: ana, name: Ana, roles: [analyst], emails: [ana@example.com], console: ana}\n"
    slack = "  - {id: bob, name: Bob, roles: [analyst], console: ana, slack: [{team: T, user: U}]}\n"
    other = "  - {id: eve, name: Eve, roles: [analyst], slack: [{team: T, user: U}]}\n"
    found = faults(tmp_path, SOUND + twin + slack + other)
    assert sum("'ana' is written twice" in fault for fault in found) == 2
    assert sum("belongs to two people" in fault for fault in found) == 6


def test_a_missing_file_is_a_fault_like_any_other(tmp_path: Path) -> None:
    assert "cannot be read" in str(check_policy(tmp_path / "none.yaml").issues[0])


def test_a_file_that_is_no_text_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "not YAML" in str(check_policy(path).issues[0])


def test_members_become_a_predicate_for_each_source(tmp_path: Path) -> None:
    text = SOUND.replace("roles: [analyst]", "roles: [analyst, lima]")
    ana = load_policy(written(tmp_path, text)).principals[0]
    label = (("en", "L"), ("es", "L"), ("ru", "Л"))
    predicate = "region IN ('Lima', 'O''Higgins')"
    assert ana.row_rules == tuple(
        RowRule(
            domain=ana.domains[0],
            source=source,
            predicate=predicate,
            label=label,  # type: ignore[arg-type]
            column="region",
            members=("Lima", "O'Higgins"),
        )
        for source in ("a", "b")
    )


def test_roles_add_up_what_they_grant_and_what_they_restrict(tmp_path: Path) -> None:
    text = SOUND.replace("roles: [analyst]", "roles: [analyst, lima]")
    ana = load_policy(written(tmp_path, text)).principals[0]
    assert ana.limits == Limits(max_result_rows=900)
    assert ana.may_approve == "own"
    assert ana.denied_columns == (("semantic.v_x", "email"),)
    assert ana.entities is None


def test_the_version_changes_with_the_file(tmp_path: Path) -> None:
    first = load_policy(written(tmp_path, SOUND)).version
    assert load_policy(written(tmp_path, SOUND + "# a note\n")).version != first


def test_defaults_let_nothing_run_by_itself(tmp_path: Path) -> None:
    policy = load_policy(written(tmp_path, SOUND))
    tiers = policy.approval_in(policy.principals[0].domains[0]).tiers
    assert tiers == Tiers()
    assert "auto" not in {tiers.routine, tiers.heavy, tiers.sensitive, tiers.trusted, tiers.compiled, tiers.model}
    assert policy.expires_after_hours == 24


def test_what_the_catalog_does_not_hold_is_a_warning_and_no_fault() -> None:
    told = warnings(load_policy(DEMO), load_catalog())
    assert any("erp_finance" in warning for warning in told) or told == ()
    assert not any("'payments'" in warning for warning in told)


def test_the_demo_people_have_the_access_of_their_roles() -> None:
    policy = load_policy(DEMO)
    finance = policy.principal(PrincipalId("finance_manager"))
    assert finance is not None
    assert finance.domains == ("erp_finance",)
    assert finance.restrictions == ("labor_cost_restricted",)
    assert {rule.members for rule in finance.row_rules if rule.members} == {("CB100", "CB110")}
    assert [p.id for p in policy.principals] == ["analyst", "viewer", "finance_manager", "buyer", "admin"]
    assert [p.id for p in policy.principals if p.is_admin] == ["admin"]


def test_caps_that_no_role_sets_are_the_products_own(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND)
    usual, tight = load_policy(path), load_policy(path, Limits(sql_timeout_seconds=3))
    assert usual.principals[0].limits.sql_timeout_seconds == 20
    assert tight.principals[0].limits.sql_timeout_seconds == 3


def test_what_one_role_opens_or_allows_in_a_domain_is_not_lent_to_another_domain(tmp_path: Path) -> None:
    text = SOUND.replace("  lima:\n", "  books: {domains: [erp_finance], entities: [fin_actuals]}\n  lima:\n")
    text = text.replace("roles: [analyst]", "roles: [analyst, books]").replace(
        "may_approve: own\n", "may_approve: own\n    limits: {max_plan_rows: 900000}\n"
    )
    ana = load_policy(written(tmp_path, text)).principals[0]
    assert ana.may_read(DomainName("payments"), EntityName("v_daily_payment_metrics"))
    assert ana.may_read(DomainName("erp_finance"), EntityName("fin_actuals"))
    assert not ana.may_read(DomainName("erp_finance"), EntityName("fin_plan"))
    assert not ana.may_read(DomainName("scrap_prices"), EntityName("price_facts"))
    assert ana.limits_in(DomainName("payments")).max_plan_rows == 900_000
    assert ana.limits_in(DomainName("erp_finance")).max_plan_rows == Limits().max_plan_rows


def test_of_several_roles_the_widest_cap_of_a_domain_counts(tmp_path: Path) -> None:
    text = SOUND.replace(
        "may_approve: own\n", "may_approve: own\n    domain_limits: {payments: {max_plan_rows: 900000}}\n"
    )
    ana = load_policy(written(tmp_path, text.replace("roles: [analyst]", "roles: [analyst, lima]"))).principals[0]
    assert ana.limits_in(DomainName("payments")) == Limits(max_plan_rows=900_000, max_result_rows=900)


def test_own_questions_and_named_domains_add_up(tmp_path: Path) -> None:
    text = SOUND + "approval:\n  domains: {erp_finance: {approvers: {people: [ana]}}}\n"
    text = text.replace("  lima:\n", "  books: {domains: [erp_finance]}\n  lima:\n")
    policy = load_policy(written(tmp_path, text.replace("roles: [analyst]", "roles: [analyst, books]")))
    ana, other, books = policy.principals[0], PrincipalId("bob"), DomainName("erp_finance")
    assert may_approve(policy, ana, other, books, "owner")
    assert not may_approve(policy, ana, ana.id, books, "owner")
    assert may_approve(policy, ana, ana.id, DomainName("payments"), "asker")
    assert not may_approve(policy, ana, other, DomainName("payments"), "asker")


BUDGETED = (
    SOUND.replace("may_approve: own", "may_approve: own\n    budgets: {queries_per_day: 50, money_per_day: 0.5}")
    + """\
budgets:
  timezone: America/Lima
  rows_per_day: 0
  tenants: {"slack:T1": {tokens_per_day: 900}}
  warehouse_prices: {payments: {per_gigabyte: 0.005}}
"""
)
DEFAULTS = BudgetDefaults(role=Budget(queries=1_000, rows=9), tenant=Budget(queries=7, rows=8))


def test_a_days_budget_is_the_roles_where_it_says_so_and_else_the_settings(tmp_path: Path) -> None:
    policy = load_policy(written(tmp_path, BUDGETED), budgets=DEFAULTS)
    [ana] = policy.principals
    assert ana.budget == Budget(queries=50, rows=9, money=Decimal("0.5"))
    assert policy.budgets.of_tenant("teams:7e4a") == Budget(queries=7)
    assert policy.budgets.of_tenant("slack:T1") == Budget(queries=7, tokens=900)
    assert policy.budgets.price_in(DomainName("payments")).per_gigabyte == Decimal("0.005")


def test_of_several_roles_the_widest_budget_counts_and_without_a_role_there_is_none(tmp_path: Path) -> None:
    lima = "lima:\n    domains: [payments]\n    budgets: {queries_per_day: 80, money_per_day: 0}"
    text = BUDGETED.replace("lima:\n    domains: [payments]", lima).replace(
        "roles: [analyst]", "roles: [analyst, lima]"
    )
    [ana] = load_policy(written(tmp_path, text), budgets=DEFAULTS).principals
    assert ana.budget == Budget(queries=80, rows=9, money=None)
    assert principal_with(Bearer(id=PrincipalId("x"), name="X"), ()).budget.queries == 0


@pytest.mark.parametrize("wrong", ["timezone: Lima", "tokens_per_day: -1", "tenants: {T1: {rows_per_day: 1}}"])
def test_a_faulty_budget_is_told(tmp_path: Path, wrong: str) -> None:
    key = wrong.partition(":")[0]
    kept = "".join(each for each in BUDGETED.splitlines(keepends=True) if not each.startswith(f"  {key}:"))
    found = faults(tmp_path, kept + f"  {wrong}\n")
    assert len(found) == 1
    assert key in found[0]
