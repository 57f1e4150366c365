from dataclasses import dataclass, field
from datetime import datetime

import pytest

from agent.errors import StoreUnavailable
from bot.switchboard import Switchboard
from semantic_catalog.errors import CatalogError
from semantic_catalog.model import CatalogVersion, DomainName
from tests.fakes.clock import FrozenClock

PAYMENTS = DomainName("payments")


@dataclass
class SharedSwitches:
    """The `Switches` port in memory."""

    values: dict[str, str] = field(default_factory=dict)
    is_away: bool = False

    async def all(self) -> dict[str, str]:
        if self.is_away:
            raise StoreUnavailable("away")
        return dict(self.values)

    async def set(self, name: str, value: str, by: str, now: datetime) -> None:  # noqa: ARG002  # the port's arguments
        self.values[name] = value

    async def clear(self, name: str) -> None:
        self.values.pop(name, None)


@dataclass
class Files:
    """Catalog files that are read again."""

    reads: int = 0
    are_faulty: bool = False

    def reload(self) -> CatalogVersion:
        if self.are_faulty:
            raise CatalogError("line 3")
        self.reads += 1
        return CatalogVersion(f"v{self.reads}")


@dataclass
class Process:
    """One process's switchboard over the shared switches, looking whenever it is asked to."""

    board: Switchboard
    files: Files

    async def look(self) -> None:
        await self.board.look(at_once=True)


def process(shared: SharedSwitches) -> Process:
    files = Files()
    return Process(board=Switchboard(shared, FrozenClock(), files.reload), files=files)


async def test_a_pause_holds_in_every_process_until_it_is_lifted() -> None:
    shared = SharedSwitches()
    here, there = process(shared), process(shared)
    await here.board.pause(PAYMENTS, "ada")
    await there.look()
    assert here.board.is_paused(PAYMENTS)
    assert there.board.is_paused(PAYMENTS)
    assert not there.board.is_paused(DomainName("scrap_prices"))
    await there.board.resume(PAYMENTS)
    await here.look()
    assert not here.board.is_paused(PAYMENTS)


async def test_a_process_that_starts_later_knows_the_pause_and_reads_no_catalog_again() -> None:
    shared = SharedSwitches()
    first = process(shared)
    await first.board.pause(PAYMENTS, "ada")
    await first.board.reload_catalog("ada")
    late = process(shared)
    await late.look()
    assert late.board.is_paused(PAYMENTS)
    assert late.files.reads == 0


async def test_every_process_reads_the_catalog_again_once() -> None:
    shared = SharedSwitches()
    here, there = process(shared), process(shared)
    await here.look()
    await there.look()
    assert await here.board.reload_catalog("ada") == "v1"
    for each in (here, there, here, there):
        await each.look()
    assert (here.files.reads, there.files.reads) == (1, 1)


async def test_faulty_files_change_nothing_anywhere() -> None:
    shared = SharedSwitches()
    here, there = process(shared), process(shared)
    await here.look()
    await there.look()
    here.files.are_faulty = True
    with pytest.raises(CatalogError):
        await here.board.reload_catalog("ada")
    await there.look()
    assert there.files.reads == 0


async def test_without_the_database_what_is_known_stays() -> None:
    shared = SharedSwitches()
    here = process(shared)
    await here.board.pause(PAYMENTS, "ada")
    shared.is_away = True
    await here.look()
    assert here.board.is_paused(PAYMENTS)


async def test_the_database_is_not_asked_at_every_turn() -> None:
    shared = SharedSwitches()
    here, there = process(shared), process(shared)
    await there.look()
    await here.board.pause(PAYMENTS, "ada")
    await there.board.look()
    assert not there.board.is_paused(PAYMENTS)
