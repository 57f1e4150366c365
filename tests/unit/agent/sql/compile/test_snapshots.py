"""The compiled SQL as text. `pytest --snapshot-update` writes it anew; a reviewer reads the difference."""

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel

from agent.sql.compile.compile import render
from tests.unit.agent.sql.compile.cases import FILE, Case, cases, compiled

FOLDER = FILE.parents[2] / "snapshots" / "sql"
NAMES = {f"{case.name}.postgres.sql" for case in cases()}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_sql_is_as_the_snapshot_has_it(case: Case, request: pytest.FixtureRequest) -> None:
    sql = render(compiled(case.spec).tree, "postgres") + "\n"
    path = FOLDER / f"{case.name}.postgres.sql"
    if request.config.getoption("--snapshot-update"):
        path.write_text(sql, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == sql


def test_no_snapshot_is_left_of_a_case_that_is_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == NAMES


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_reads_the_cheapest_entities_that_hold_the_question(case: Case) -> None:
    assert tuple(entity.name for entity in compiled(case.spec).entities) == case.entities


@pytest.mark.parametrize("dialect", ["mysql", "duckdb"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_dialect_can_say_it(case: Case, dialect: str) -> None:
    sql = compiled(case.spec).tree.sql(dialect=dialect, unsupported_level=ErrorLevel.RAISE)
    assert sqlglot.parse_one(sql, dialect=dialect).find(exp.Select) is not None
