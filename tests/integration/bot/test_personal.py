from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.personal import PostgresPersonalStore
from agent.values.identity import Principal, PrincipalId
from agent.values.personal import Meaning
from bot.personal import PersonalMemories
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, DomainName
from tests.fakes.clock import FrozenClock

DAY = timedelta(days=1)
PAYMENTS = DomainName("payments")
ANA = Principal(id=PrincipalId("ana"), roles=(), domains=(PAYMENTS,))
BEN = replace(ANA, id=PrincipalId("ben"))
FEES = Meaning(slot="metric", value="fees", words="takings", domain="payments")


@dataclass
class ChangingCatalog:
    """Implements `CatalogSource`; the test swaps what it offers."""

    catalog: Catalog

    def current(self) -> Catalog:
        return self.catalog


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Memories over a real store, with the clock and the catalog in the test's hands."""

    memories: PersonalMemories
    store: PostgresPersonalStore
    clock: FrozenClock
    catalog: ChangingCatalog

    async def texts(self, person: Principal = ANA) -> list[tuple[str, str]]:
        return [(item.meaning.words, item.choice) for item in await self.memories.known(person, "en")]


@pytest.fixture
async def kept(fresh_database: str) -> AsyncIterator[Kept]:
    await migrate(fresh_database)
    pool = create_pool(fresh_database)
    store, clock, catalog = PostgresPersonalStore(pool, 90 * DAY), FrozenClock(), ChangingCatalog(load_catalog())
    yield Kept(
        memories=PersonalMemories(store=store, catalog=catalog, clock=clock), store=store, clock=clock, catalog=catalog
    )
    await pool.close()


async def test_what_one_person_confirmed_is_nobody_elses(kept: Kept) -> None:
    await kept.memories.remember(ANA, (FEES,), "said")
    assert await kept.texts() == [("takings", "Fees")]
    assert await kept.texts(BEN) == []
    [mine] = await kept.memories.known(ANA, "en")
    assert await kept.memories.forget(BEN, (mine.id,)) == 0
    assert await kept.memories.forget_all(BEN) == 0
    assert await kept.memories.forget(ANA, (mine.id,)) == 1


async def test_a_word_and_a_habit_stand_for_one_thing_the_last_one(kept: Kept) -> None:
    await kept.memories.remember(ANA, (FEES, Meaning(slot="limit", value="20")), "said")
    await kept.memories.remember(ANA, (replace(FEES, slot="dimension", value="channel"),), "said")
    kept.clock.advance(DAY)
    await kept.memories.remember(ANA, (Meaning(slot="limit", value="30"),), "said")
    assert await kept.texts() == [("takings", "Channel"), ("", "30")]


async def test_a_memory_lasts_from_its_last_use(kept: Kept) -> None:
    await kept.memories.remember(ANA, (FEES,), "clarification")
    [memory] = await kept.store.of(ANA.id, kept.clock.now())
    kept.clock.advance(89 * DAY)
    await kept.store.used(BEN.id, (memory.id,), kept.clock.now())
    await kept.store.used(ANA.id, (memory.id,), kept.clock.now())
    kept.clock.advance(89 * DAY)
    assert len(await kept.texts()) == 1
    kept.clock.advance(2 * DAY)
    assert await kept.texts() == []


async def test_what_the_catalog_drops_is_dropped_from_memory_for_good(kept: Kept) -> None:
    await kept.memories.remember(ANA, (FEES,), "said")
    whole = kept.catalog.catalog
    domain = whole.domain(PAYMENTS)
    without = replace(domain, metrics=tuple(metric for metric in domain.metrics if metric.name != "fees"))
    kept.catalog.catalog = replace(whole, domains=(without,))
    assert await kept.texts() == []
    kept.catalog.catalog = whole
    assert await kept.texts() == []


async def test_what_a_person_may_not_see_is_neither_kept_nor_shown(kept: Kept) -> None:
    await kept.memories.remember(ANA, (FEES,), "said")
    outside = replace(ANA, domains=())
    assert await kept.texts(outside) == []
    assert await kept.texts() == [("takings", "Fees")]
    assert await kept.memories.remember(outside, (replace(FEES, words="money"),), "said") == ()


async def test_a_meaning_that_the_catalog_does_not_have_is_not_kept(kept: Kept) -> None:
    wrong = (replace(FEES, value="abolished"), replace(FEES, domain="nowhere"), Meaning(slot="domain", value="nowhere"))
    assert await kept.memories.remember(ANA, wrong, "thumbs_up") == ()
