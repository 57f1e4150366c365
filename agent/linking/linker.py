"""Links a question to the part of the catalog that it is about, on behalf of one principal."""

import asyncio
from collections import defaultdict
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
    vectors: VectorIndex | None


class Linker:
    """Searches the catalog in force. An index is built once for a catalog's version."""

    def __init__(self, catalog: CatalogSource, embedder: Embedder | None = None) -> None:
        self._catalog = catalog
        self._embedder = embedder
        self._index: Index | None = None
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

    async def _current(self) -> Index:
        async with self._building:
            catalog = self._catalog.current()
            if self._index is None or self._index.version != catalog.version:
                self._index = await self._built(catalog)
            return self._index

    async def _built(self, catalog: Catalog) -> Index:
        documents = tuple(each for domain in catalog.domains for each in documents_of(domain))
        words = await asyncio.to_thread(index_words, documents)
        return Index(version=catalog.version, documents=documents, words=words, vectors=await self._embedded(documents))

    async def _embedded(self, documents: tuple[Document, ...]) -> VectorIndex | None:
        if self._embedder is None:
            return None
        positions = tuple(position for position, each in enumerate(documents) if each.meant)
        try:
            texts = tuple(documents[position].text[:_LONGEST_MEANT] for position in positions)
            vectors = await self._embedder.documents(texts)
        except ModelError as error:
            log.warning("embedder_failed", code=error.code)
            return None
        return index_vectors(positions, vectors)

    async def _by_meaning(self, index: Index, words: str) -> tuple[int, ...]:
        if self._embedder is None or index.vectors is None:
            return ()
        try:
            return nearest(index.vectors, await self._embedder.query(words), _CONSIDERED)
        except ModelError as error:
            log.warning("embedder_failed", code=error.code)
            return ()


def _fused(rankings: Iterable[tuple[int, ...]], index: Index) -> tuple[Document, ...]:
    """Several rankings as one: a document counts by its rank in each."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, position in enumerate(ranking):
            scores[position] += 1 / (_FLATNESS + rank)
    return tuple(index.documents[position] for position in sorted(scores, key=lambda each: (-scores[each], each)))
