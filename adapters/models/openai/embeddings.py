"""The `Embedder` port over an OpenAI-compatible embeddings endpoint."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

import httpx
from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from adapters.models.openai.failures import RAISED, model_error

_BATCH = 256
_NO_KEY = "none"
Vectors = TypeVar("Vectors", list[list[float]], list[float])


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingProfile:
    """Which endpoint and model make vectors. `api_key` is a secret; seconds are for one request."""

    model: str
    base_url: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0
    retries: int = 2


class OpenAiEmbedder:
    """Implements `Embedder`; texts are sent as they are, in batches."""

    def __init__(self, profile: EmbeddingProfile) -> None:
        self._profile = profile
        self._http: httpx.AsyncClient | None = None
        self._vectors: OpenAIEmbeddings | None = None

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """A vector for each text."""
        vectors = await _translated(self._client().aembed_documents(list(texts)))
        return tuple(tuple(vector) for vector in vectors)

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of a question."""
        return tuple(await _translated(self._client().aembed_query(text)))

    async def close(self) -> None:
        """Give up all connections."""
        if self._http is not None:
            await self._http.aclose()
        self._http = self._vectors = None

    def _client(self) -> OpenAIEmbeddings:
        if self._vectors is None:
            self._http = httpx.AsyncClient(timeout=self._profile.timeout_seconds)
            self._vectors = OpenAIEmbeddings(
                model=self._profile.model,
                openai_api_base=self._profile.base_url,
                openai_api_key=SecretStr(self._profile.api_key or _NO_KEY),
                max_retries=self._profile.retries,
                chunk_size=_BATCH,
                # Counting tokens would download a vocabulary and send numbers that other vendors do not read.
                check_embedding_ctx_length=False,
                http_async_client=self._http,
                openai_proxy="",
                openai_organization="",
            )
        return self._vectors


async def _translated(call: Awaitable[Vectors]) -> Vectors:
    try:
        return await call
    except RAISED as error:
        raise model_error(error, "understanding") from None
