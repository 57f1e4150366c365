"""Answers that need no second query: the same meaning, asked by the same person, over the same data."""

from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from agent.codec import encode
from agent.deps import Deps
from agent.errors import CacheUnavailable, ResultExpired
from agent.freshness import SourceDay
from agent.state import RunState, language_of, spec_of
from agent.values.governance import CheckedQuery
from agent.values.known_answer import KnownAnswer
from agent.values.result import SAMPLE_ROWS, ResultSample
from agent.values.spec import QuerySpec


def answer_key(state: RunState, deps: Deps, query: CheckedQuery, newest: tuple[SourceDay, ...]) -> str:
    """What must be equal for rows to answer again: never the words. '' for SQL that a model or a person wrote.

    The spec and its SQL, the asker with everything the policy says of them, policy, catalog and the data's newest days.
    The language is in it because the columns' labels are.
    """
    spec = spec_of(state)
    if spec is None:
        return ""
    asker, policy = deps.principal(state["asker"]), deps.policy_now()
    asked = (encode(_meaning(spec)), language_of(state), query.fingerprint)
    allowed = (encode(asker), policy.version)
    known = (query.catalog_version, encode(newest))
    return sha256(repr((*asked, *allowed, *known)).encode()).hexdigest()


def _meaning(spec: QuerySpec) -> QuerySpec:
    """The question alone: how its period was said and which picture is wanted change no row."""
    period = replace(spec.period, words="range") if spec.period else None
    comparison = spec.comparison
    if comparison is not None:
        comparison = replace(comparison, period=replace(comparison.period, words="range"))
    return replace(spec, chart=None, trusted_query=None, period=period, comparison=comparison)


async def known_answer(key: str, deps: Deps) -> tuple[KnownAnswer, ResultSample] | None:
    """The rows under the key while they are kept. Without the cache nothing is known, and the query runs."""
    with suppress(CacheUnavailable, ResultExpired):
        known = await deps.answers.find(key) if key else None
        if known is not None:
            table = await deps.results.read(known.result, SAMPLE_ROWS)
            return known, ResultSample(columns=known.result.columns, rows=tuple(table.rows))
    return None


async def keep_answer(key: str, known: KnownAnswer, deps: Deps) -> None:
    """Remember rows for the next time; without the cache they are fetched again then."""
    if key:
        with suppress(CacheUnavailable):
            await deps.answers.keep(key, known)
