import psycopg
from rich.console import Console

from bot.memories import KEPT_RUNS
from bot.terminal.session import session
from tests.bench.long_thread import Talk
from tests.scenario.conftest import MakeSettings

_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


async def test_a_long_thread_keeps_no_checkpoints_and_a_bounded_memory(settings_of: MakeSettings) -> None:
    settings = settings_of()
    async with session(settings, Console(quiet=True)) as opened:
        await Talk(opened, "long").turns(KEPT_RUNS + 2)
        control = opened.product.addresses.control
        with psycopg.connect(control) as connection:
            for table in _CHECKPOINTS:
                where = _place_of(connection, table)
                assert connection.execute(f"SELECT count(*) FROM {where}").fetchone() == (0,), table
            kept = connection.execute(
                "SELECT count(*), max(json_array_length(memory::json -> 'runs')) FROM countersign.memories"
            ).fetchone()
    assert kept == (1, KEPT_RUNS)


def _place_of(connection: "psycopg.Connection[tuple[object, ...]]", table: str) -> str:
    found = connection.execute(
        "SELECT table_schema FROM information_schema.tables WHERE table_name = %s", (table,)
    ).fetchall()
    assert len(found) == 1
    return f'"{found[0][0]}"."{table}"'
