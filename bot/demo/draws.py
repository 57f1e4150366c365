"""Random whole numbers that are the same on every machine and with every version of the numeric library.

Only the raw bits of the generator are promised to stay the same, and floating point differs in its last digit between
processors, so everything here is integer arithmetic on those bits.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Draws:
    """A stream of draws; the same seed words give the same stream."""

    def __init__(self, *seed: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed))

    def below(self, limit: int, size: int) -> Ints:
        """`size` numbers from 0 to `limit` - 1, evenly; `limit` is at most 2**31."""
        return (self._words(size) * limit) >> 32

    def weighted(self, weights: Sequence[int] | Ints, size: int) -> Ints:
        """`size` positions of `weights`, each as often as its weight says."""
        cumulative = np.cumsum(np.asarray(weights, dtype=np.int64))
        return np.searchsorted(cumulative, self.below(int(cumulative[-1]), size), side="right").astype(np.int64)

    def weighted_by_row(self, table: Ints, rows: Ints) -> Ints:
        """For each of `rows` a column of that row of `table`, as often as the row's weights say."""
        cumulative = np.cumsum(table, axis=1)
        points = (self._words(len(rows)) * cumulative[rows, -1]) >> 32
        positions: Ints = (cumulative[rows] <= points[:, None]).sum(axis=1).astype(np.int64)
        return positions

    def shuffled(self, size: int) -> Ints:
        """The numbers from 0 to `size` - 1 in random order."""
        return np.argsort(self._words(size), kind="stable").astype(np.int64)

    def _words(self, size: int) -> Ints:
        words: Ints = (self._bits.random_raw(size) >> np.uint64(32)).astype(np.int64)
        return words
