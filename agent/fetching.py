"""A query's rows are fetched once for a run, however often its process dies."""

from collections.abc import Awaitable, Callable

from agent.deps import Deps
from agent.values.fetched import Fetched
from agent.values.identity import RunId


async def fetched_once(run: RunId, fingerprint: str, deps: Deps, fetch: Callable[[], Awaitable[Fetched]]) -> Fetched:
    """What the run fetched for that very query before it was cut short; else what `fetch` brings, noted at once."""
    before = await deps.fetches.of(run)
    if before is not None and before.fingerprint == fingerprint:
        return before
    fetched = await fetch()
    await deps.fetches.keep(fetched)
    return fetched
