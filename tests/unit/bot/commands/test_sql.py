import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.commands.sql import sql_app

ROOT = Path(__file__).resolve().parents[4]
ADHOC = ROOT / "tests" / "cases" / "sql_guard" / "policy.json"
DEMO = ROOT / "bot" / "demo" / "policy.yaml"
JANUARY = "order_date >= DATE '2025-01-01' AND order_date < DATE '2025-02-01'"


def check(folder: Path, lines: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    file = folder / "statements.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    result = CliRunner().invoke(sql_app, ["check", str(file), "--today", "2026-11-01", *options])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def fault(folder: Path, text: str, *options: str) -> str:
    file = folder / "statements.jsonl"
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(sql_app, ["check", str(file), *options])
    assert result.exit_code == 2
    return result.output


def test_each_statement_gets_one_decision(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "dialect": "postgres", "sql": "SELECT name FROM products LIMIT 5"},
        {"id": "b", "dialect": "mysql", "sql": f"SELECT SUM(net_amount) FROM orders WHERE {JANUARY}", "kind": "x"},
        {"id": "c", "dialect": "duckdb", "sql": "SELECT * FROM read_csv('/etc/passwd')"},
    ]
    allowed, rewritten, refused = check(tmp_path, lines, "--policy", str(ADHOC))
    assert (allowed["id"], allowed["decision"], allowed["rule"], allowed["message"]) == ("a", "allow", "", "")
    assert rewritten["decision"] == "rewrite"
    assert "region = 'EU'" in rewritten["sql"]
    assert (refused["decision"], refused["rule"], refused["sql"]) == ("refuse", "function_not_allowed", "")
    assert "READ_CSV" in refused["message"]
    assert all(verdict["ms"] >= 0 for verdict in (allowed, rewritten, refused))


def test_a_schema_of_its_own_replaces_the_policys_tables(tmp_path: Path) -> None:
    schemas = tmp_path / "schemas.json"
    schemas.write_text(json.dumps({"group:shop": {"sales": {"Amount": "number"}}}), encoding="utf-8")
    lines = [
        {"id": 1, "dialect": "postgres", "db": "group:shop", "sql": "SELECT SUM(amount) FROM sales"},
        {"id": 2, "dialect": "mysql", "db": "group:shop", "sql": "SELECT SUM(Amount) FROM shop.sales"},
        {"id": 3, "dialect": "postgres", "db": "group:shop", "sql": "SELECT name FROM products"},
    ]
    verdicts = check(tmp_path, lines, "--policy", str(ADHOC), "--schemas", str(schemas))
    assert [verdict["decision"] for verdict in verdicts] == ["allow", "allow", "refuse"]


def test_the_decisions_are_also_written_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "decisions.jsonl"
    printed = check(tmp_path, [{"id": "a", "sql": "SELECT 1"}], "--policy", str(ADHOC), "--json", str(out))
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == printed


def test_the_products_policy_decides_for_a_role(tmp_path: Path) -> None:
    sql = "SELECT SUM(fee_amount) FROM semantic.v_monthly_payment_metrics"
    lines = [{"id": "a", "domain": "payments", "sql": sql}]
    (seen,) = check(tmp_path, lines, "--policy", str(DEMO), "--as", "viewer")
    (unseen,) = check(tmp_path, lines, "--policy", str(DEMO), "--as", "buyer")
    assert seen["decision"] == "allow"
    assert unseen["rule"] == "source_not_allowed"


@pytest.mark.parametrize("domain", ["payments", "erp_finance", "scrap_prices"])
def test_every_trusted_query_passes_the_guard_as_the_sql_it_compiles_to(domain: str) -> None:
    file = ROOT / "semantic_catalog" / "domains" / domain / "trusted_queries.yaml"
    options = ["check", str(file), "--policy", str(DEMO), "--as", "analyst", "--today", "2026-11-01"]
    result = CliRunner().invoke(sql_app, options)
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0, result.output
    assert verdicts
    assert {verdict["decision"] for verdict in verdicts} <= {"allow", "rewrite"}


def test_trusted_queries_are_checked_for_a_principal_of_the_product(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "trusted_queries.yaml").write_text("{}", encoding="utf-8")
    result = CliRunner().invoke(sql_app, ["check", str(folder / "trusted_queries.yaml"), "--policy", str(ADHOC)])
    assert result.exit_code == 2
    assert "policy" in result.output


def test_the_message_comes_in_the_wanted_language(tmp_path: Path) -> None:
    (verdict,) = check(tmp_path, [{"sql": "DROP TABLE x"}], "--policy", str(ADHOC), "--locale", "es")
    assert verdict["message"].startswith("Aquí solo se ejecuta un SELECT")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("{}", ["--policy", str(ADHOC)], "statements.jsonl:1"),
        ("not json", ["--policy", str(ADHOC)], "statements.jsonl:1"),
        ('{"sql": "SELECT 1", "db": "none"}', ["--policy", str(ADHOC)], "no schema 'none'"),
        ('{"sql": "SELECT 1", "domain": "none"}', ["--policy", str(DEMO)], "no domain 'none'"),
        ('{"sql": "SELECT 1"}', ["--policy", str(DEMO), "--as", "nobody"], "'nobody'"),
    ],
)
def test_a_mistake_in_what_is_given_is_said(tmp_path: Path, text: str, options: list[str], words: str) -> None:
    assert words in fault(tmp_path, text, *options)


def test_a_faulty_ad_hoc_policy_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"max_rows": 0}', encoding="utf-8")
    assert "max_rows" in fault(tmp_path, '{"sql": "SELECT 1"}', "--policy", str(broken))
