"""Why a query found nothing: a name that the data spells otherwise, a period outside it, or a condition on top."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from agent.analysis.cells import as_day
from agent.analysis.sought import sought_members
from agent.deps import Deps
from agent.errors import WarehouseUnavailable
from agent.freshness import SourceDay, dated_sources
from agent.reading import domain_of
from agent.spelling import plain_name
from agent.state import RunState, language_of, read, spec_of
from agent.understanding.access import visible_members
from agent.understanding.warehouse_names import index_names, near_names
from agent.values.governance import CheckedQuery
from agent.values.identity import Principal
from agent.values.result import Doubt
from agent.values.spec import MemberFilter, Period, QuerySpec
from agent.wording.dates import day
from agent.wording.spec_words import member_labels, thresholds_said
from semantic_catalog.model import Domain, Locale

# Whose first day can be told from its sorted values; an instant's values are too many.
_BY_DAY = ("date", "month", "month_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """What was looked for, by whom, and how they read."""

    spec: QuerySpec | None
    query: CheckedQuery
    sought: tuple[MemberFilter, ...]
    domain: Domain
    principal: Principal
    language: Locale


async def why_empty(state: RunState, deps: Deps, newest: tuple[SourceDay, ...]) -> tuple[Doubt, ...]:
    """What is known about it, in the run's language; nothing where nothing is."""
    spec, query, domain = spec_of(state), read(state, "query", CheckedQuery), domain_of(state, deps)
    search = _Search(
        spec=spec,
        query=query,
        sought=sought_members(spec, query.sql, domain),
        domain=domain,
        principal=deps.principal(state["asker"]),
        language=language_of(state),
    )
    unknown = await _unknown(search, deps)
    if unknown or spec is None:
        return unknown
    return await _outside(search, spec.period, newest, deps) or _not_there(search, spec)


async def _unknown(search: _Search, deps: Deps) -> tuple[Doubt, ...]:
    """Members that are not stored so, with what is near them among those that the asker may see."""
    doubts: list[Doubt] = []
    for each in search.sought:
        stored = await deps.members.of(search.domain.name, each.dimension, search.principal)
        seen = visible_members(stored, each.dimension, search.domain, search.principal)
        label = search.domain.dimension(each.dimension).names.in_locale(search.language)
        missing = [value for value in each.values if stored and value not in stored]
        doubts += [_misspelled(value, label, seen) for value in missing]
    return tuple(doubts)


def _misspelled(value: str, label: str, seen: tuple[str, ...]) -> Doubt:
    same = tuple(each for each in seen if plain_name(each) == plain_name(value))
    near = same or near_names(value, index_names(seen))
    params = (("asked", value), ("dimension", label))
    if not near:
        return Doubt(key="empty_unknown_member", params=params)
    return Doubt(key="empty_near_member", params=(*params, ("near", near[0])))


async def _outside(
    search: _Search, period: Period | None, newest: tuple[SourceDay, ...], deps: Deps
) -> tuple[Doubt, ...]:
    """A period that lies wholly before or after the data."""
    if period is None:
        return ()
    last = newest[0].day if newest else None
    if last is not None and period.start is not None and period.start > last:
        return (_apart("empty_after_data", period.start, last, search.language),)
    first = await _first_day(search, deps)
    if first is not None and period.end < first:
        return (_apart("empty_before_data", period.end, first, search.language),)
    return ()


def _apart(key: str, asked: date, known: date, language: Locale) -> Doubt:
    return Doubt(key=key, params=(("asked", day(asked, language)), ("known", day(known, language))))


async def _first_day(search: _Search, deps: Deps) -> date | None:
    warehouse = deps.warehouses.of(search.domain.name)
    for source, time in dated_sources(search.query, search.domain)[:1]:
        if time.kind in _BY_DAY:
            # Knowing less is no reason to fail.
            with suppress(WarehouseUnavailable):
                return next(map(as_day, await warehouse.members(source, time.column, 1)), None)
    return None


def _not_there(search: _Search, spec: QuerySpec) -> tuple[Doubt, ...]:
    """A condition that nothing meets, else members that have no rows in the period."""
    if spec.having:
        conditions = "; ".join(thresholds_said(spec, search.domain, search.language))
        return (Doubt(key="empty_condition", params=(("conditions", conditions),)),)
    if not search.sought or spec.period is None or spec.period.start is None:
        return ()
    groups = [" / ".join(member_labels(each, search.domain, search.language)) for each in search.sought]
    key = "empty_not_together" if len(groups) > 1 else "empty_not_in_period"
    return (Doubt(key=key, params=(("members", ", ".join(groups)),)),)
