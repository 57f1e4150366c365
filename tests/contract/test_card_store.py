import pytest

from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.connections import Pool
from agent.values.identity import RunId, ThreadKey
from agent.values.turn import CardRef, Place
from bot.ports import CardStore
from tests.fakes.stores import InMemoryCardStore

RUN = RunId("run-1")
THREAD = ThreadKey("teams:tenant:19:abc@thread.v2:1700000000000")
PLACE = Place(thread=THREAD, address='{"serviceUrl": "https://smba.example/"}')


def _ref(message: str) -> CardRef:
    return CardRef(thread=THREAD, message_id=message)


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> CardStore:
    if request.param == "memory":
        return InMemoryCardStore()
    pool: Pool = request.getfixturevalue("control")
    return PostgresCardStore(pool)


async def test_remembers_each_slot_of_each_run(store: CardStore) -> None:
    await store.put(RUN, "main", _ref("1"), PLACE)
    await store.put(RUN, "proposal", _ref("2"), PLACE)
    await store.put(RunId("run-2"), "main", _ref("3"), PLACE)
    assert await store.get(RUN, "main") == (_ref("1"), PLACE)
    assert await store.get(RUN, "proposal") == (_ref("2"), PLACE)
    assert await store.get(RunId("run-2"), "main") == (_ref("3"), PLACE)
    assert await store.get(RUN, "file:chart") is None


async def test_the_last_card_of_a_slot_stays(store: CardStore) -> None:
    moved = Place(thread=THREAD, address="{}")
    await store.put(RUN, "main", _ref("1"), PLACE)
    await store.put(RUN, "main", _ref("2"), moved)
    assert await store.get(RUN, "main") == (_ref("2"), moved)


async def test_copies_of_a_card_are_found_by_its_slot(store: CardStore) -> None:
    for slot, message in (
        ("proposal:1", "1"),
        ("proposal:1@bob", "3"),
        ("proposal:1@ana", "2"),
        ("proposal:11@x", "4"),
    ):
        await store.put(RUN, slot, _ref(message), PLACE)
    assert await store.copies(RUN, "proposal:1") == ((_ref("2"), PLACE), (_ref("3"), PLACE))
    assert await store.copies(RunId("run-2"), "proposal:1") == ()


async def test_a_post_that_was_cut_short_is_known_until_its_card_is(store: CardStore) -> None:
    assert not await store.noted(RUN, "main")
    assert not await store.note(RUN, "main")
    assert await store.noted(RUN, "main")
    assert await store.note(RUN, "main")
    assert not await store.note(RUN, "file:chart")
    await store.put(RUN, "main", _ref("1"), PLACE)
    assert not await store.noted(RUN, "main")
    assert not await store.note(RUN, "main")
    assert await store.get(RUN, "main") == (_ref("1"), PLACE)


async def test_a_claim_tells_what_was_there_before_and_notes_what_has_no_card(store: CardStore) -> None:
    end, chart, progress = ((RUN, "end"), (RUN, "file:chart"), (RUN, "progress:e"))
    assert await store.claim((end, chart), (progress,)) == {}
    assert not await store.noted(*progress)
    await store.put(*chart, _ref("1"), PLACE)
    await store.note(*progress)
    assert await store.claim((end, chart), (progress,)) == {end: None, chart: (_ref("1"), PLACE), progress: None}
    assert await store.noted(*end)
    assert not await store.noted(*chart)


async def test_what_the_platform_did_not_take_is_not_in_doubt(store: CardStore) -> None:
    await store.note(RUN, "main")
    await store.withdraw(RUN, "main")
    assert not await store.noted(RUN, "main")
