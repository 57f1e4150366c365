"""Links a question to the part of the catalog that it is about, on behalf of one principal."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from agent.errors import ModelError
from agent.linking.documents import Document, documents_of, may_see
from agent.linking.lexical import LexicalIndex, index_words, ranked, words_of
from agent.linking.vectors import VectorIndex, index_vectors, nearest
from agent.ports import CatalogSource, Embedder
from agent.values.identity import Principal
from semantic_catalog.model import Catalog, CatalogVersion, Domain

log = structlog.get_logger()

_CONSIDERED = 200
# Files given in threads make catalogs of their own, which take turns.
_MOST_INDEXES = 8
# A text opens with its names and its description in English, which is meaning enough for a multilingual vector.
_LONGEST_MEANT = 240
# The usual constant of reciprocal rank fusion: how little the very first ranks stand out.
_FLATNESS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """All documents of a catalog, findable by words and, where there is an embedder, by meaning."""

    version: CatalogVersion
    documents: tuple[Document, ...]
    words: LexicalIndex
    vectors: asyncio.Task[VectorIndex | None] | None = None


class Linker:
    """Searches the catalog in force. The index of a catalog's version is built once and kept while it is in use.

    A large catalog takes minutes to embed: after `patience` seconds a question is linked by words alone, and vectors
    join when they are there.
    """

    def __init__(self, catalog: CatalogSource, embedder: Embedder | None = None, patience: float = 3.0) -> None:
        self._catalog = catalog
        self._embedder = embedder
        self._patience = patience
        self._indexes: OrderedDict[CatalogVersion, Index] = OrderedDict()
        self._building = asyncio.Lock()

    async def link(
        self, words: str, principal: Principal, domain: Domain | None = None, most: int = 60
    ) -> tuple[Document, ...]:
        """What the words may be about, best first: of one domain or of all, and only what the principal may see.

        An embedder that fails is done without: words alone still find.
        """
        index = await self._current()
        rankings = [ranked(index.words, words_of(words), _CONSIDERED), await self._by_meaning(index, words)]
        catalog = self._catalog.current()
        wanted = [each for each in _fused(rankings, index) if domain is None or each.domain == domain.name]
        return tuple(each for each in wanted if may_see(each, catalog.domain(each.domain), principal))[:most]

    async def close(self) -> None:
        """Give up what is still being embedded."""
        for index in self._indexes.values():
            await _given_up(index)

    async def _current(self) -> Index:
        async with self._building:
            catalog = self._catalog.current()
            if catalog.version not in self._indexes:
                self._indexes[catalog.version] = await self._built(catalog)
            self._indexes.move_to_end(catalog.version)
            while len(self._indexes) > _MOST_INDEXES:
                await _given_up(self._indexes.popitem(last=False)[1])
            return self._indexes[catalog.version]

    async def _built(self, catalog: Catalog) -> Index:
        documents = tuple(each for domain in catalog.domains for each in documents_of(domain))
        words = await asyncio.to_thread(index_words, documents)
        vectors = asyncio.create_task(_embedded(documents, self._embedder)) if self._embedder else None
        return Index(version=catalog.version, documents=documents, words=words, vectors=vectors)

    async def _by_meaning(self, index: Index, words: str) -> tuple[int, ...]:
        vectors = await self._vectors_of(index)
        if self._embedder is None or vectors is None:
            return ()
        try:
            return nearest(vectors, await self._embedder.query(words), _CONSIDERED)
        except ModelError as error:
            log.warning("embedder_failed", code=error.code)
            return ()

    async def _vectors_of(self, index: Index) -> VectorIndex | None:
        """The vectors of the index; None while they are being made, and where they cannot be."""
        if index.vectors is None:
            return None
        if not index.vectors.done():
            await asyncio.wait({index.vectors}, timeout=self._patience)
        return index.vectors.result() if index.vectors.done() and not index.vectors.cancelled() else None


async def _given_up(index: Index) -> None:
    if index.vectors is not None:
        index.vectors.cancel()
        await asyncio.gather(index.vectors, return_exceptions=True)


async def _embedded(documents: tuple[Document, ...], embedder: Embedder) -> VectorIndex | None:
    positions = tuple(position for position, each in enumerate(documents) if each.meant)
    try:
        texts = tuple(documents[position].text[:_LONGEST_MEANT] for position in positions)
        return index_vectors(positions, await embedder.documents(texts))
    except ModelError as error:
        log.warning("embedder_failed", code=error.code)
        return None


def _fused(rankings: Iterable[tuple[int, ...]], index: Index) -> tuple[Document, ...]:
    """Several rankings as one: a document counts by its rank in each."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, position in enumerate(ranking):
            scores[position] += 1 / (_FLATNESS + rank)
    return tuple(index.documents[position] for position in sorted(scores, key=lambda each: (-scores[each], each)))
