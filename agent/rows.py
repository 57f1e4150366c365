"""Stored rows for the steps of a run, ready to be analysed without blocking anybody."""

import asyncio
from dataclasses import replace

from agent.analysis.layout import read_layout
from agent.analysis.profile import profile_of
from agent.deps import Deps
from agent.values.result import ResultRef, ResultTable

MODEL_ROWS = 40
"""Rows of a long result that a model may read, and that numbers of its words are checked against."""


async def analysed_rows(ref: ResultRef, deps: Deps) -> ResultTable:
    """The rows of a result; those of a long one have been read through in a thread.

    Raises `agent.errors.ResultExpired`.
    """
    table = await deps.results.read(ref)
    if table.long is not None:
        await asyncio.to_thread(profile_of, table.long, read_layout(table.columns), len(table.columns))
    return table


def for_model(table: ResultTable) -> ResultTable:
    """The rows, of a long result the first ones."""
    return table if table.long is None else replace(table, rows=table.rows[:MODEL_ROWS])
