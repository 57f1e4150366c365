from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from redis.asyncio import Redis

from adapters.control.redis.answers import CachedAnswers
from adapters.control.redis.connections import create_client
from agent.values.identity import RunId
from agent.values.known_answer import KnownAnswer
from agent.values.result import ResultColumn, ResultId, ResultRef

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
CHANNEL = ResultColumn(name="channel", label="Канал", role="dimension", type="text", reference="channel")
REF = ResultRef(
    id=ResultId("a1"),
    run=RunId("run-1"),
    columns=(CHANNEL,),
    row_count=4,
    truncated=False,
    expires_at=NOON + timedelta(days=7),
)
KNOWN = KnownAnswer(run=RunId("run-1"), result=REF, fetched_at=NOON)
QUARTER = timedelta(minutes=15)


@pytest.fixture
async def client(valkey_url: str) -> AsyncIterator[Redis]:
    opened = create_client(valkey_url)
    yield opened
    await opened.aclose()


async def test_what_was_kept_comes_back_as_it_was(client: Redis) -> None:
    answers = CachedAnswers(client, QUARTER)
    assert await answers.find("k") is None
    await answers.keep("k", KNOWN)
    assert await answers.find("k") == KNOWN
    assert await answers.find("other") is None


async def test_the_newer_one_takes_the_place(client: Redis) -> None:
    answers = CachedAnswers(client, QUARTER)
    await answers.keep("k", KNOWN)
    newer = replace(KNOWN, fetched_at=NOON + QUARTER)
    await answers.keep("k", newer)
    assert await answers.find("k") == newer


async def test_each_ends_after_its_time(client: Redis) -> None:
    await CachedAnswers(client, QUARTER).keep("k", KNOWN)
    assert 0 < await client.pttl("countersign:answer:k") <= QUARTER.total_seconds() * 1000


async def test_nothing_is_kept_where_that_is_switched_off(client: Redis) -> None:
    answers = CachedAnswers(client, timedelta(0))
    await answers.keep("k", KNOWN)
    assert await answers.find("k") is None


async def test_what_cannot_be_read_is_not_known(client: Redis) -> None:
    await client.set("countersign:answer:k", '{"run": 1')
    assert await CachedAnswers(client, QUARTER).find("k") is None
    await client.set("countersign:answer:k", '{"of": "another version"}')
    assert await CachedAnswers(client, QUARTER).find("k") is None
