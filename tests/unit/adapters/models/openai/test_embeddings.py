from collections.abc import AsyncIterator

import pytest

from adapters.models.openai.embeddings import EmbeddingProfile, OpenAiEmbedder
from agent.errors import ModelUnavailable
from agent.linking.linker import Linker
from tests.fakes.catalog import FixedCatalog
from tests.fakes.openai.server import ScriptedOpenAi, scripted_openai
from tests.unit.agent.understanding.asking import ANALYST, payments_only


@pytest.fixture
async def server() -> AsyncIterator[ScriptedOpenAi]:
    async with scripted_openai() as running:
        running.concepts = {"quarrels": 0, "chargebacks": 0, "fees": 1}
        yield running


@pytest.fixture
async def embedder(server: ScriptedOpenAi) -> AsyncIterator[OpenAiEmbedder]:
    made = OpenAiEmbedder(EmbeddingProfile(model="vectors", base_url=f"{server.url}/v1", api_key="sk-2"))
    yield made
    await made.close()


async def test_texts_are_sent_as_they_are_and_come_back_in_order(
    server: ScriptedOpenAi, embedder: OpenAiEmbedder
) -> None:
    vectors = await embedder.documents(("fees", "chargebacks"))
    assert [max(range(3), key=vector.__getitem__) for vector in vectors] == [1, 0]
    assert server.embedded == ["fees", "chargebacks"]
    assert server.headers[0]["Authorization"] == "Bearer sk-2"


async def test_a_catalog_is_searched_by_meaning_over_http(embedder: OpenAiEmbedder) -> None:
    found = await Linker(FixedCatalog(payments_only()), embedder).link("quarrels", ANALYST)
    assert "chargebacks" in [each.name for each in found]


async def test_an_endpoint_that_is_down_is_unavailable(server: ScriptedOpenAi) -> None:
    server.embeddings_fail = True
    made = OpenAiEmbedder(EmbeddingProfile(model="vectors", base_url=f"{server.url}/v1", retries=0))
    with pytest.raises(ModelUnavailable):
        await made.query("fees")
    await made.close()
