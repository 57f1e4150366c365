import re
from collections.abc import AsyncIterator
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
from tests.security.walls.besieged import HIDDEN, NAMES, Besieged, in_mariadb, in_postgres
from tests.unit.agent.sql.shop import Case, cases

DIALECTS: tuple[Dialect, ...] = ("postgres", *(("mysql",) if HAS_SERVER else ()))
# What floods or misleads is the guard's; what writes, reads files or looks behind the views meets this wall too.
GROUPS = ("readonly", "catalog", "allowlist", "parser")
SECONDS = 0.5
# A file that every machine has, and how it begins.
_PASSWORDS = "root:x:0:0"


@pytest.fixture
async def besieged(
    request: pytest.FixtureRequest, services: EmbeddedServices, payments: DomainData, fresh_database: str
) -> AsyncIterator[Besieged]:
    shop: AbstractAsyncContextManager[Besieged] = (
        in_postgres(services, fresh_database) if request.param == "postgres" else in_mariadb()
    )
    async with shop as opened:
        yield opened


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("besieged", "dialect"), [(d, d) for d in DIALECTS], indirect=["besieged"])
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
    assert len(attacks) > 10


@pytest.mark.parametrize("besieged", DIALECTS, indirect=True)
async def test_what_is_governed_can_be_read_through_the_same_wall(besieged: Besieged) -> None:
    for table, count in (("orders", 2), ("customers", 2), ("products", 1)):
        seen = ""
        for spelled in _spellings(Case(name=table, dialect="postgres", sql=f"SELECT * FROM {table}")):
            seen += await _result(besieged.warehouse, spelled)
        assert len(re.findall(r"\(", seen)) >= count
        assert HIDDEN not in seen


def _spellings(case: Case) -> tuple[Case, ...]:
    """As written, and with the schema before every table: PostgreSQL finds none without it."""
    names = "|".join(NAMES)
    qualified = re.sub(rf"(?<![\w.'\"])({names})\b(?![.(])", r"public.\1", case.sql)
    return (case, replace(case, sql=qualified)) if case.dialect == "postgres" else (case,)


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
