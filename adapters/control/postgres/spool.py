"""Packed rows in a file of this process: on their way into the database, or out of it, a piece at a time."""

import os
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from adapters.control.postgres.columnar import unpack_pieces
from agent.values.result import LongRows, Row

PIECE_ROWS = 2_000
"""How many rows of a long result are values of Python at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    at: int
    size: int
    rows: int


class Spool:
    """Pieces of packed rows, in order, in a file without a name: it goes with the process, or with this value.

    Blocking. May be read by several threads.
    """

    def __init__(self) -> None:
        self._file, name = tempfile.mkstemp(prefix="countersign-rows-")
        Path(name).unlink()
        weakref.finalize(self, os.close, self._file)
        self._pieces: list[_Piece] = []
        self._end = 0

    def add(self, packed: bytes, rows: int) -> None:
        """Keep one more piece, which holds so many rows."""
        written = 0
        while written < len(packed):
            written += os.pwrite(self._file, packed[written:], self._end + written)
        self._pieces.append(_Piece(at=self._end, size=len(packed), rows=rows))
        self._end += len(packed)

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many rows each piece holds."""
        return tuple(piece.rows for piece in self._pieces)

    def packed(self, number: int) -> bytes:
        """A piece as it was added."""
        piece = self._pieces[number]
        return os.pread(self._file, piece.size, piece.at)


class SpooledRows(LongRows):
    """The rows of a spool."""

    def __init__(self, spool: Spool) -> None:
        super().__init__()
        self._spool = spool
        self._ends = tuple(accumulate(spool.counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def pieces(self, start: int = 0) -> Iterator[tuple[Row, ...]]:
        """The rows in order, piece by piece, from the row `start` on."""
        for number, end in enumerate(self._ends):
            if end > start:
                begun = max(start - end + self._spool.counts[number], 0)
                yield from unpack_pieces(self._spool.packed(number), begun, PIECE_ROWS)
