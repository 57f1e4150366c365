"""Vectors of documents kept in a folder by the content they were made of: what is unchanged is embedded once."""

import asyncio
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from agent.ports import Embedder

# What a crash or an early end leaves is at most so many texts to be embedded again.
_PART = 64


class KeptVectors:
    """An `Embedder` in front of another. `model` names what makes the vectors: another model's are never taken."""

    def __init__(self, embedder: Embedder, model: str, folder: Path) -> None:
        self._embedder = embedder
        self._model = model
        self._folder = folder

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """The kept vectors of exactly these texts, else new ones, kept from now on, a part at a time."""
        parts = [texts[start : start + _PART] for start in range(0, len(texts), _PART)]
        return tuple([vector for part in parts for vector in await self._of_part(part)])

    async def _of_part(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        path = self._folder / f"{self._key(texts)}.npy"
        kept = await asyncio.to_thread(_read, path)
        if kept is not None and len(kept) == len(texts):
            return _rows(kept)
        vectors = await self._embedder.documents(texts)
        await asyncio.to_thread(_write, path, np.asarray(vectors, dtype=np.float32))
        return vectors

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; never kept."""
        return await self._embedder.query(text)

    def _key(self, texts: tuple[str, ...]) -> str:
        return sha256("\x00".join((self._model, *texts)).encode()).hexdigest()


def _rows(vectors: NDArray[np.float32]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in vectors)


def _read(path: Path) -> NDArray[np.float32] | None:
    """None for no file, and for one that a crash or somebody else left unreadable: it is made anew."""
    try:
        kept: NDArray[np.float32] = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return kept


def _write(path: Path, vectors: NDArray[np.float32]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two processes over one folder may keep the same texts at once.
    written = path.with_suffix(f".{uuid4().hex}.part.npy")
    np.save(written, vectors, allow_pickle=False)
    written.replace(path)
