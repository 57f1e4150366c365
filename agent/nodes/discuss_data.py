"""Talk about the data on screen: what moved, by the rows at hand, and the question that shows more."""

from dataclasses import replace

from agent.analysis.answer_shown import answer_shown
from agent.analysis.buckets import bucket_end, bucket_start
from agent.analysis.decompose import Decomposition, decompose, named
from agent.analysis.explain import direction_in, explain
from agent.analysis.reading import Reading, read_result
from agent.analysis.suggest import suggest_drill_down
from agent.deps import Deps
from agent.reading import today_of
from agent.replies import reply
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.identity import RunId
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.outcome import Reply, Suggestion
from agent.values.result import LONG_ROWS
from agent.values.spec import Period, QuerySpec, Shown, Understanding
from agent.wording.receipt import spec_title
from agent.wording.texts import say


async def discuss_data(state: RunState, deps: Deps) -> RunState:
    """What moved in the asker's last rows and who moved it, or what the rows say of what is asked of them; else the
    last answer's sentence and findings, as of a long result.

    Every number is in the rows or a difference of two that are. Runs no SQL.
    """
    last = read(state, "memory", ThreadMemory).last
    if last is None or not last.headline or last.asker != state["asker"]:
        return reply(state, "reply.nothing_to_discuss")
    meaning = read(state, "understanding", Understanding)
    if last.result is None or last.spec is None or last.result.row_count > LONG_ROWS:
        return _said(state, last)
    if meaning.topic == "why":
        return await _moved(state, deps, last, last.spec)
    return await _told(state, deps, last, meaning.shown) if meaning.shown else _said(state, last)


def _said(state: RunState, last: RememberedRun) -> RunState:
    return reply(state, "reply.discussion", headline=last.headline, findings="\n".join(last.findings))


async def _told(state: RunState, deps: Deps, last: RememberedRun, asked: Shown) -> RunState:
    """What the rows say of the question; what was said of them before where they do not tell."""
    assert last.result is not None
    assert last.spec is not None
    rows = await deps.results.read(last.result)
    domain, language = deps.catalog_now().domain(last.spec.domain), language_of(state)
    lines = answer_shown(asked, read_result(rows, last.spec, domain, language, last.result.truncated))
    if not lines:
        return _said(state, last)
    outcome = Reply(run=RunId(state["run"]), locale=language, text="\n".join(lines))
    return {"outcome": encode_outcome(outcome)}


async def _moved(state: RunState, deps: Deps, last: RememberedRun, spec: QuerySpec) -> RunState:
    assert last.result is not None
    language, domain = language_of(state), deps.catalog_now().domain(spec.domain)
    rows = await deps.results.read(last.result)
    reading = read_result(rows, spec, domain, language, last.result.truncated)
    found = decompose(reading)
    title = spec_title(spec, domain, language, today_of(deps))
    if found is None:
        lines: tuple[str, ...] = (say(language, "discuss.one_time", title=title),)
    else:
        told = explain(named(found, state["text"]), reading, direction_in(state["text"]))
        lines = (say(language, "discuss.title", title=title), *told)
    outcome = Reply(
        run=RunId(state["run"]),
        locale=language,
        text="\n".join(lines),
        suggestions=_offers(reading, found, spec, deps),
    )
    return {"outcome": encode_outcome(outcome)}


def _offers(reading: Reading, found: Decomposition | None, spec: QuerySpec, deps: Deps) -> tuple[Suggestion, ...]:
    """The same move split by what the rows do not split it by."""
    moved = spec if found is None or found.since is None else replace(spec, period=_bucket(reading, found, spec))
    return suggest_drill_down(moved, reading.domain, reading.locale, today_of(deps))


def _bucket(reading: Reading, found: Decomposition, spec: QuerySpec) -> Period | None:
    if found.since is None or reading.grain is None or spec.period is None:
        return spec.period
    start = bucket_start(found.since, reading.grain)
    end = min(bucket_end(start, reading.grain), spec.period.end)
    return Period(start=start, end=end, timezone=spec.period.timezone)
