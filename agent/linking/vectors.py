"""Finds documents by their meaning: a flat index of unit vectors, searched whole."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LEAST_ALIKE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorIndex:
    """`positions[i]` is the document that row `i` of `vectors` stands for; rows have length 1."""

    positions: tuple[int, ...]
    vectors: NDArray[np.float32]


def index_vectors(positions: Sequence[int], vectors: Sequence[Sequence[float]]) -> VectorIndex:
    """The index of these documents' vectors."""
    return VectorIndex(positions=tuple(positions), vectors=_unit(np.asarray(vectors, dtype=np.float32)))


def nearest(index: VectorIndex, vector: Sequence[float], most: int) -> tuple[int, ...]:
    """Documents of like meaning, the nearest first."""
    if not index.positions:
        return ()
    alike = index.vectors @ _unit(np.asarray([vector], dtype=np.float32))[0]
    best = np.argsort(-alike, kind="stable")[:most]
    return tuple(index.positions[row] for row in best if alike[row] >= _LEAST_ALIKE)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    if rows.size == 0:
        return rows
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return unit
