"""How many bytes of rows one statement may hand over."""

from agent.errors import ResultTooLarge
from agent.ports import RowBatch
from agent.values.result import Cell

_MEGABYTE = 1024 * 1024
# What a number, a time or nothing takes up.
_VALUE_BYTES = 16


class SizeCap:
    """Counts the batches of one statement."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = most

    def take(self, batch: RowBatch) -> RowBatch:
        """The batch. Raises ResultTooLarge when it does not fit any more: then the statement is to be left."""
        self._left -= sum(_size(cell) for row in batch.rows for cell in row)
        if self._left < 0:
            raise ResultTooLarge(megabytes=max(1, self._most // _MEGABYTE))
        return batch


def _size(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else _VALUE_BYTES
