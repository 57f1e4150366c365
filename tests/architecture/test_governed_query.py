import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "adapters", "cards", "agent", "semantic_catalog")
MAKER = Path("agent/sql/decide.py")


def makers(source: str) -> list[int]:
    """Lines that call `GovernedQuery`, under any of its names, or copy one with changes."""
    tree = ast.parse(source)
    names = {"GovernedQuery"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "GovernedQuery" and alias.asname
    }
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node.func) in names]


def called(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_only_the_decision_makes_a_governed_query() -> None:
    found = {path.relative_to(ROOT) for path in sources() if makers(path.read_text(encoding="utf-8"))}
    assert found == {MAKER}


@pytest.mark.parametrize(
    "source",
    [
        "GovernedQuery(query=q)",
        "governance.GovernedQuery(query=q)",
        "from agent.values.governance import GovernedQuery as G\nG(query=q)",
    ],
)
def test_another_maker_would_be_found(source: str) -> None:
    assert makers(source)
