import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from agent.ports import Warehouse
from agent.values.identity import RunId
from bot.demo.state import DomainData
from bot.embedded import EmbeddedServices
from semantic_catalog.errors import CountersignError
from semantic_catalog.model import Dialect
from tests.contract.shop import governed
from tests.contract.shop_mysql import HAS_SERVER
from tests.security.walls.besieged import HIDDEN, NAMES, Besieged, in_duckdb, in_mariadb, in_postgres
from tests.unit.agent.sql.shop import Case, cases

DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", *(("mysql",) if HAS_SERVER else ()))
# Whose rows are seen and over which time is the guard's; that nothing is written, no file read and nothing hidden seen
# is this wall's too, whatever else an attack is after.
GROUPS = ("readonly", "catalog", "allowlist", "parser", "policy", "rbac", "dos")
# DuckDB runs in this process, and one call of a function is not to be stopped: floods are the guard's alone there.
SIEGES = [(dialect, group) for dialect in DIALECTS for group in GROUPS if (dialect, group) != ("duckdb", "dos")]
SECONDS = 0.5
# A file that every machine has, and how it begins.
_PASSWORDS = "root:x:0:0"


@pytest.fixture
async def besieged(
    request: pytest.FixtureRequest,
    services: EmbeddedServices,
    payments: DomainData,
    empty_database: str,
    tmp_path: Path,
) -> AsyncIterator[Besieged]:
    shops: dict[Dialect, Callable[[], AbstractAsyncContextManager[Besieged]]] = {
        "postgres": lambda: in_postgres(services, empty_database),
        "mysql": in_mariadb,
        "duckdb": lambda: in_duckdb(tmp_path),
    }
    async with shops[request.param]() as opened:
        yield opened


@pytest.mark.parametrize(("besieged", "dialect", "group"), [(d, d, g) for d, g in SIEGES], indirect=["besieged"])
async def test_an_attack_that_nobody_stopped_finds_a_wall(besieged: Besieged, dialect: Dialect, group: str) -> None:
    before = await besieged.state()
    attacks = [case for case in cases("attacks.jsonl") if (case.dialect, case.group) == (dialect, group)]
    for attack in (spelled for case in attacks for spelled in _spellings(case)):
        files = _files_to_write(attack)
        seen = await _result(besieged.warehouse, attack)
        assert HIDDEN not in seen, attack.sql
        assert _PASSWORDS not in seen, attack.sql
        assert _files_to_write(attack) == files, attack.sql
    assert await besieged.state() == before
    assert len(attacks) > 1


@pytest.mark.parametrize("besieged", DIALECTS, indirect=True)
async def test_what_is_governed_can_be_read_through_the_same_wall(besieged: Besieged) -> None:
    for table, count in (("orders", 2), ("customers", 2), ("products", 1)):
        seen = ""
        for spelled in _spellings(Case(name=table, dialect="postgres", sql=f"SELECT * FROM {table}")):
            seen += await _result(besieged.warehouse, spelled)
        assert len(re.findall(r"\(", seen)) >= count
        assert HIDDEN not in seen


def _spellings(case: Case) -> tuple[Case, ...]:
    """As written, and with a schema before every table, without which some engines find none of them."""
    names, schema = "|".join(NAMES), {"postgres": "public", "duckdb": "behind"}.get(case.dialect)
    qualified = re.sub(rf"(?<![\w.'\"])({names})\b(?![.(])", rf"{schema}.\1", case.sql)
    return (case, replace(case, sql=qualified)) if schema else (case,)


async def _result(warehouse: Warehouse, attack: Case) -> str:
    """All that the agent gets to see of it: rows as text, or nothing where the engine says no."""
    batches: list[str] = []
    try:
        rows = warehouse.stream(governed(attack.sql, timeout_seconds=SECONDS), RunId("siege"))
        batches.extend([repr(batch.rows) async for batch in rows])
    except CountersignError as error:
        batches.append(str(error))
    return "".join(batches)


def _files_to_write(attack: Case) -> dict[str, int | None]:
    """Where the text names a file to write, the file's last change; None where there is none."""
    named = re.findall(r"(?:OUTFILE|DUMPFILE|TO)\s+'(/[^']+)'", attack.sql, re.IGNORECASE)
    return {name: Path(name).stat().st_mtime_ns if Path(name).exists() else None for name in named}
