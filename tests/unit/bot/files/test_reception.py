from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agent.values.file import FileRefused, ThreadFile
from agent.values.identity import ExternalUser, Principal, PrincipalId, TenantId, ThreadKey, UserId
from agent.values.turn import Audience, InboundFile, Turn
from bot.files.loaded import FileCache
from bot.files.reception import FileBounds, Reception
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryFileStore

CSV = "Región,Importe\nLima,1\n"
ANA = Principal(id=PrincipalId("ana"), roles=(), domains=())


class Source:
    def __init__(self, content: str) -> None:
        self.content = content
        self.fetched = 0

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        assert (file.name, most) == ("ventas.csv", 100)
        self.fetched += 1
        into.write_text(self.content, encoding="utf-8")  # noqa: ASYNC240  # a test's small file
        return None


@pytest.fixture
def source() -> Source:
    return Source(CSV)


@pytest.fixture
def reception(clock: FrozenClock, source: Source, tmp_path: Path) -> Reception:
    store = InMemoryFileStore()
    cache = FileCache(folder=tmp_path / "files", store=store)
    bounds = FileBounds(file_bytes=100, person_bytes=60, per_thread=2)
    return Reception(store=store, cache=cache, sources={"slack": source}, clock=clock, bounds=bounds)


def turn_of(clock: FrozenClock, *files: InboundFile, event: str = "e1", thread: str = "slack:T:C:1") -> Turn:
    return Turn(
        event_id=event,
        channel="slack",
        tenant=TenantId("T"),
        thread=ThreadKey(thread),
        author=ExternalUser(channel="slack", tenant=TenantId("T"), user_id=UserId("U")),
        audience=Audience(kind="channel"),
        kind="file",
        received_at=clock.now(),
        text="why?",
        files=files,
    )


GIVEN = InboundFile(name="ventas.csv", media_type="text/csv", size=len(CSV), url="https://files.slack.com/1")


async def test_a_file_is_kept_to_be_confirmed_with_its_question(reception: Reception, clock: FrozenClock) -> None:
    file = await reception.take(turn_of(clock, GIVEN), 0, ANA, "es")
    assert isinstance(file, ThreadFile)
    assert (file.status, file.question, file.locale) == ("to_confirm", "why?", "es")
    assert file.expires_at == clock.now() + timedelta(days=7)


async def test_the_same_event_again_fetches_nothing_again(
    reception: Reception, clock: FrozenClock, source: Source
) -> None:
    first = await reception.take(turn_of(clock, GIVEN), 0, ANA, "es")
    assert await reception.take(turn_of(clock, GIVEN), 0, ANA, "es") == first
    assert source.fetched == 1


@pytest.mark.parametrize(
    ("changes", "reason", "fetched"),
    [
        ({"size": 101}, "too_large", 0),
        ({"size": 61}, "too_much", 0),
        ({"media_type": "image/png"}, "picture", 0),
    ],
)
async def test_what_is_told_to_be_too_large_is_not_even_fetched(
    reception: Reception, clock: FrozenClock, source: Source, changes: dict[str, object], reason: str, fetched: int
) -> None:
    refused = await reception.take(turn_of(clock, replace(GIVEN, **changes)), 0, ANA, "en")  # type: ignore[arg-type]
    assert isinstance(refused, FileRefused)
    assert (refused.reason, source.fetched) == (reason, fetched)


async def test_a_thread_and_a_person_hold_so_much_and_no_more(reception: Reception, clock: FrozenClock) -> None:
    for event in ("e1", "e2"):
        assert isinstance(await reception.take(turn_of(clock, GIVEN, event=event), 0, ANA, "en"), ThreadFile)
    crowded = await reception.take(turn_of(clock, GIVEN, event="e3"), 0, ANA, "en")
    too_much = await reception.take(turn_of(clock, GIVEN, event="e4", thread="slack:T:C:2"), 0, ANA, "en")
    assert isinstance(crowded, FileRefused)
    assert isinstance(too_much, FileRefused)
    assert (crowded.reason, too_much.reason) == ("too_many_files", "too_much")


async def test_a_size_that_was_not_told_counts_once_it_is_fetched(
    reception: Reception, clock: FrozenClock, source: Source
) -> None:
    source.content = CSV + "Cusco,2\n" * 10
    refused = await reception.take(turn_of(clock, replace(GIVEN, size=0)), 0, ANA, "en")
    assert isinstance(refused, FileRefused)
    assert refused.reason == "too_large"


async def test_a_pasted_table_needs_no_download(reception: Reception, clock: FrozenClock, source: Source) -> None:
    file = await reception.take(turn_of(clock, replace(GIVEN, content=CSV, url="")), 0, ANA, "en")
    assert isinstance(file, ThreadFile)
    assert (file.tables[0].row_count, source.fetched) == (1, 0)
