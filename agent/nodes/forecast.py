"""Questions about the future: from history at hand, or from history that is asked for first."""

import asyncio
from dataclasses import dataclass

from agent.analysis.buckets import bucket_end
from agent.analysis.layout import MetricColumn
from agent.analysis.reading import Moment, Reading, read_result
from agent.codec import encode
from agent.deps import Deps
from agent.forecasting.horizon import buckets_ahead, horizon_in
from agent.forecasting.project import project
from agent.forecasting.question import history_question, is_history, may_reach_further
from agent.forecasting.table import forecast_chart, forecast_table
from agent.forecasting.words import tell_forecast, tell_why_not
from agent.nodes.follow_up_restore import follow_up_restore
from agent.nodes.response_formatter import response_formatter
from agent.reading import domain_of, today_of
from agent.receipts import read_entities, title_of
from agent.replies import reply
from agent.rows import analysed_rows
from agent.state import RunState, encode_outcome, language_of, read, spec_of
from agent.values.forecast import Forecast, Unforecastable
from agent.values.governance import CheckedQuery
from agent.values.identity import RunId
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.outcome import Reply
from agent.values.result import SAMPLE_ROWS, ResultRef, ResultSample, Verification
from agent.values.spec import QuerySpec, Understanding
from agent.wording.dates import day
from agent.wording.texts import say


async def forecast(state: RunState, deps: Deps) -> RunState:
    """An answer with what comes next, or why there is none; without an outcome, the question for the history first."""
    if state.get("result"):
        return await _looked_ahead(state, deps)
    asked = read(state, "understanding", Understanding).spec
    if asked is None or not asked.metrics:
        return reply(state, "forecast.nothing_to_forecast")
    last = _own_history(state, asked, deps)
    if last is None:
        return _first_asked(history_question(asked, today_of(deps), _zone(asked, deps)))
    at_hand: RunState = {**state, "spec": encode(last.spec)}
    at_hand = {**at_hand, **await follow_up_restore(at_hand, deps)}
    told = await _looked_ahead(at_hand, deps)
    if told.get("result") or not may_reach_further(asked, today_of(deps), _zone(asked, deps)):
        return told
    return _first_asked(history_question(asked, today_of(deps), _zone(asked, deps), longest=True))


def _own_history(state: RunState, asked: QuerySpec, deps: Deps) -> RememberedRun | None:
    """The asker's last run where its rows are the history that the forecast is asked of."""
    last = read(state, "memory", ThreadMemory).last
    if last is None or last.spec is None or last.asker != state["asker"] or last.spec != asked:
        return None
    return last if is_history(last, deps.catalog_now().domain(asked.domain)) else None


def _first_asked(spec: QuerySpec) -> RunState:
    return {
        "spec": encode(spec), "origin": "compiled", "revision": 1, "attempts": 0, "changes": [], "repair": None,
        "outcome": None,
    }  # fmt: skip


def _zone(spec: QuerySpec, deps: Deps) -> str:
    return deps.catalog_now().domain(spec.domain).timezone


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """The course of one metric in a result."""

    reading: Reading
    metric: MetricColumn
    moments: tuple[Moment, ...]


async def _looked_ahead(state: RunState, deps: Deps) -> RunState:
    """The forecast of the run's own rows; an update without a result when there is none."""
    past = await _past(state, deps)
    if past is None:
        return reply(state, "forecast.nothing_to_forecast")
    grain = past.reading.grain or "month"
    last = past.moments[-1].start if past.moments else today_of(deps)
    steps = buckets_ahead(horizon_in(state["text"]), grain, last)
    await deps.progress.step(RunId(state["run"]), "forecasting")
    found = await asyncio.to_thread(project, past.moments, grain, steps, past.metric.column.format)
    if isinstance(found, Unforecastable):
        text = tell_why_not(found, grain, language_of(state))
        return {"outcome": encode_outcome(Reply(run=RunId(state["run"]), locale=language_of(state), text=text))}
    return await _answered(state, deps, past, found)


async def _past(state: RunState, deps: Deps) -> _Past | None:
    ref = read(state, "result", ResultRef)
    rows = await analysed_rows(ref, deps)
    reading = read_result(rows, spec_of(state), domain_of(state, deps), language_of(state), ref.truncated)
    metric = next(iter(reading.layout.metrics), None)
    if metric is None or reading.grain not in ("day", "week", "month"):
        return None
    moments = reading.whole_moments(metric)
    if moments and _is_unfinished(moments[-1], reading, read(state, "verification", Verification)):
        moments = moments[:-1]
    return _Past(reading=reading, metric=metric, moments=moments)


def _is_unfinished(last: Moment, reading: Reading, verification: Verification) -> bool:
    """Whether the data ends inside the newest bucket."""
    ends = [dict(doubt.params)["latest"] for doubt in verification.doubts if doubt.key == "data_until"]
    grain = reading.grain or "month"
    return any(end != day(bucket_end(last.start, grain), reading.locale) for end in ends)


async def _answered(state: RunState, deps: Deps, past: _Past, found: Forecast) -> RunState:
    table = forecast_table(past.reading, past.metric, past.moments, found)
    ref = await deps.results.write(RunId(state["run"]), table.columns, table.rows, truncated=False)
    language = language_of(state)
    entities = read_entities(domain_of(state, deps).entities, read(state, "query", CheckedQuery))
    ahead = past.reading.bucket(found.steps[0].start), past.reading.bucket(found.steps[-1].start)
    chart = forecast_chart(
        table,
        title=say(language, "forecast.title", title=title_of(state, deps)),
        subtitle=" – ".join(dict.fromkeys(ahead)),
        source=", ".join(entity.names.in_locale(language) for entity in entities),
    )
    update: RunState = {
        "spec": state.get("spec"),
        "query": state["query"],
        "signature": state["signature"],
        "verification": state["verification"],
        "seconds": state["seconds"],
        "data_until": state.get("data_until", ""),
        "result": encode(ref),
        "sample": encode(ResultSample(columns=table.columns, rows=tuple(table.rows[-SAMPLE_ROWS:]))),
        "kpis": [],
        "chart": encode(chart),
        "narrative": encode(tell_forecast(found, past.metric.column, past.reading)),
    }
    return {**update, **await response_formatter({**state, **update}, deps)}
