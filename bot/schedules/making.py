"""A new schedule: from an answer and the words that say when."""

from dataclasses import dataclass, replace
from typing import Final

from agent.policy.standing import kind_of, offered_days, still_counts
from agent.reading import refusal_of
from agent.scheduling.condition import read_condition
from agent.scheduling.recurrence import next_time
from agent.scheduling.words import ScheduleWish, read_wish
from agent.sql.decide import assess
from agent.values.governance import Approved, CheckedQuery, NeedsApproval, Refused, Risk
from agent.values.identity import Principal, RunId
from agent.values.memory import RememberedRun
from agent.values.schedule import Schedule, ScheduleId, ScheduleStatus
from agent.values.spec import Declined, QuerySpec, Threshold
from agent.values.turn import Turn
from agent.wording.receipt import spec_title
from agent.wording.texts import say
from bot.files.scope import scope_now
from bot.identifiers import run_id
from bot.run_desk import RunDesk, place_of, run_of
from bot.schedules.ports import ScheduleStore
from semantic_catalog.model import Domain, Locale

MOST_SCHEDULES: Final = 20
_ROUTINE: Final = Risk(level="routine", tier="auto")
_ORIGINS: Final = ("trusted", "compiled")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotScheduled:
    """Why there is no schedule, in words."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    spec: QuerySpec
    query: CheckedQuery


def wish_of(text: str, locale: Locale) -> ScheduleWish | None:
    """What was chosen or typed in a form: when, and maybe a condition whose 'only if' was left out."""
    when, _, condition = text.rpartition("; ")
    spelled = f"{when}; {say(locale, 'schedule.choice_only_if', words=condition)}" if when else text
    return read_wish(text, whole=False) or read_wish(spelled, whole=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """Makes schedules of answers of the thread. Making one again for the same turn changes nothing."""

    desk: RunDesk
    store: ScheduleStore

    async def make(self, turn: Turn, person: Principal, wish: ScheduleWish, locale: Locale) -> Schedule | NotScheduled:
        """Keep a schedule of the answer that the button belongs to, or of the person's last one here.

        Raises `StoreUnavailable`, `WarehouseUnavailable`.
        """
        asked = await self._asked(turn, person, locale)
        if isinstance(asked, NotScheduled):
            return asked
        domain = self.desk.deps.catalog_now().domain(asked.spec.domain)
        condition = read_condition(wish.condition, asked.spec, domain) if wish.condition else None
        if wish.condition and condition is None:
            return _unclear(wish.condition, asked.spec, domain, locale)
        return await self._kept(turn, person, asked, wish, condition, locale)

    async def _kept(
        self,
        turn: Turn,
        person: Principal,
        asked: _Asked,
        wish: ScheduleWish,
        condition: Threshold | None,
        locale: Locale,
    ) -> Schedule | NotScheduled:
        known = await self.store.of(person.id)
        own = ScheduleId(run_id(turn.event_id))
        if len(known) >= MOST_SCHEDULES and all(each.id != own for each in known):
            return NotScheduled(text=say(locale, "schedule.too_many", count=len(known)))
        verdict = await self._verdict(person, asked)
        if isinstance(verdict, Refused):
            return _not_allowed(verdict, own, locale)
        risk = verdict.risk if isinstance(verdict, NeedsApproval) else _ROUTINE
        status = await self._status(person, asked, verdict)
        schedule = self._schedule(turn, person, asked, wish, locale)
        schedule = replace(schedule, condition=condition, risk=risk, status=status)
        await self.store.add(schedule)
        return schedule

    def _schedule(self, turn: Turn, person: Principal, asked: _Asked, wish: ScheduleWish, locale: Locale) -> Schedule:
        now, domain = self.desk.deps.clock.now(), self.desk.deps.catalog_now().domain(asked.spec.domain)
        recurrence = wish.recurrence(turn.timezone or domain.timezone)
        return Schedule(
            id=ScheduleId(run_id(turn.event_id)),
            owner=person.id,
            owner_name=person.display_name or turn.author.display_name or person.id,
            user=turn.author,
            title=spec_title(asked.spec, domain, locale, self.desk.deps.clock.today(domain.timezone)),
            locale=locale,
            spec=asked.spec,
            recurrence=recurrence,
            query=asked.query,
            risk=_ROUTINE,
            place=place_of(turn),
            audience=turn.audience,
            created_at=now,
            due_at=next_time(recurrence, now),
        )

    async def _asked(self, turn: Turn, person: Principal, locale: Locale) -> _Asked | NotScheduled:
        memory = await self.desk.deps.memory.load(turn.thread)
        own = [run for run in memory.runs if run.asker == person.id and run.query is not None]
        pressed = turn.action is not None
        found = [run for run in own if not pressed or run.run == run_of(turn)]
        if not found:
            return NotScheduled(text=say(locale, "schedule.nothing_to_send"))
        return self._repeatable(found[-1], person, locale)

    def _repeatable(self, run: RememberedRun, person: Principal, locale: Locale) -> _Asked | NotScheduled:
        """Files go with their thread, and written SQL says no period that could move along."""
        policy = self.desk.deps.policy_now().principal(person.id)
        assert run.query is not None
        is_governed = run.spec is not None and run.query.origin in _ORIGINS and not _is_file(run.query)
        if run.spec is None or not is_governed or policy is None:
            return NotScheduled(text=say(locale, "schedule.not_repeatable"))
        return _Asked(spec=replace(run.spec, chart=None), query=run.query)

    async def _verdict(self, person: Principal, asked: _Asked) -> Approved | NeedsApproval | Refused:
        deps = self.desk.deps
        estimate = await deps.warehouses.of(asked.query.domain).estimate(asked.query)
        return assess(asked.query, estimate, deps.principal(person.id), deps.policy_now(), deps.clock.now())

    async def _status(self, person: Principal, asked: _Asked, verdict: Approved | NeedsApproval) -> ScheduleStatus:
        """It waits for its approval where one is needed, can be had and does not hold already."""
        deps = self.desk.deps
        if isinstance(verdict, Approved) or not offered_days(deps.policy_now(), asked.query, verdict.risk):
            return "active"
        kind = kind_of(asked.spec, asked.query)
        known = await deps.approvals.find(kind, person.id, deps.clock.now())
        counts = known is not None and still_counts(known, deps.policy_now(), asked.query, verdict.risk)
        return "active" if counts else "waiting"


def _is_file(query: CheckedQuery) -> bool:
    scope = scope_now()
    return scope is not None and any(file.domain.name == query.domain for file in scope.files)


def _unclear(words: str, spec: QuerySpec, domain: Domain, locale: Locale) -> NotScheduled:
    labels = [domain.metric(name).names.in_locale(locale) for name in spec.metrics]
    text = say(locale, "schedule.condition_unclear", words=words, metrics=", ".join(labels), metric=labels[0])
    return NotScheduled(text=text)


def _not_allowed(verdict: Refused, schedule: ScheduleId, locale: Locale) -> NotScheduled:
    finding = verdict.findings[0]
    declined = Declined(rule=finding.rule.value, params=finding.params)
    message = refusal_of(declined, RunId(schedule), locale).message
    return NotScheduled(text=say(locale, "schedule.not_allowed", message=message))
