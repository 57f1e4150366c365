"""The approval of a schedule: given or refused once, by whom the policy names."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent.policy.standing import may_grant
from agent.scheduling.recurrence import next_time
from agent.values.identity import Principal, RunId
from agent.values.schedule import Schedule, ScheduleId
from agent.values.standing import StandingApproval
from agent.values.turn import Turn
from agent.wording.dates import instant
from agent.wording.texts import say
from bot.identifiers import run_id
from bot.ports import StandingStore
from bot.run_desk import RunDesk
from bot.schedules.ports import ScheduleStore
from bot.schedules.posting import SchedulePosting
from bot.schedules.views import ScheduleReader, granters_of
from cards.build.notices import stale_notice
from cards.build.phrases import either_of
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSigning:
    """Decides schedules that wait. The policy of the moment says who may."""

    desk: RunDesk
    store: ScheduleStore
    standing: StandingStore
    reader: ScheduleReader
    posting: SchedulePosting

    async def decide(self, turn: Turn, person: Principal, locale: Locale) -> None:
        """Approve or reject; others, and whoever comes late, are told privately."""
        assert turn.action is not None
        schedule = await self.store.get(ScheduleId(turn.action.value))
        if schedule is None or schedule.status != "waiting":
            await self.desk.notify(turn, say(locale, "schedule.stale") if schedule else stale_notice(locale))
            return
        policy = self.desk.deps.policy_now()
        if not may_grant(policy, person, schedule.owner, schedule.domain, schedule.risk):
            await self.posting.note(schedule, "schedule_turned_down", person.id)
            await self.desk.notify(turn, self._not_for_you(schedule, locale))
        elif turn.action.verb == "schedule_reject":
            await self._reject(schedule, person)
        else:
            await self._approve(schedule, person, turn)

    async def end(self, schedule: Schedule) -> None:
        """Its own approval ends with it."""
        now = self.desk.deps.clock.now()
        approval = await self.standing.find(schedule.approval_kind, schedule.owner, now)
        if approval is not None:
            await self.standing.revoke(approval.id, now)

    async def _approve(self, schedule: Schedule, person: Principal, turn: Turn) -> None:
        """The approval is kept before the schedule starts: what starts is signed for."""
        now, days = self.desk.deps.clock.now(), self.reader.days(schedule)
        if not days:
            await self.desk.notify(turn, say(schedule.locale, "schedule.stale"))
            return
        approval = _approval(schedule, person, turn, now, days)
        await self.standing.add(approval)
        started = replace(schedule, status="active", due_at=next_time(schedule.recurrence, now))
        if not await self.store.update(started, "waiting"):
            await self.standing.revoke(approval.id, now)
            return
        await self.posting.note(schedule, "schedule_approved", person.id, until=approval.expires_at.isoformat())
        until = instant(approval.expires_at, schedule.recurrence.timezone, schedule.locale)
        said = say(schedule.locale, "schedule.approved", name=approval.granted_by_name, until=until)
        await self.posting.close(started, said)

    async def _reject(self, schedule: Schedule, person: Principal) -> None:
        rejected = replace(schedule, status="paused", why="rejected")
        if not await self.store.update(rejected, "waiting"):
            return
        await self.posting.note(schedule, "schedule_paused", person.id, why="rejected")
        name = person.display_name or person.id
        await self.posting.close(rejected, say(schedule.locale, "schedule.rejected", name=name))

    def _not_for_you(self, schedule: Schedule, locale: Locale) -> str:
        granters = granters_of(schedule, self.desk.deps.policy_now())
        names = tuple(person.display_name or person.id for person in granters)
        if not names:
            return say(locale, "schedule.signed_nobody")
        return say(locale, "schedule.not_for_you", approvers=either_of(names, locale))


def _approval(schedule: Schedule, person: Principal, turn: Turn, now: datetime, days: int) -> StandingApproval:
    return StandingApproval(
        id=run_id(f"schedule:{turn.event_id}"),
        kind=schedule.approval_kind,
        domain=schedule.domain,
        asker=schedule.owner,
        granted_by=person.id,
        granted_by_name=person.display_name or person.id,
        granted_at=now,
        expires_at=now + timedelta(days=days),
        run=RunId(schedule.id),
        level=schedule.risk.level,
        title=schedule.title,
    )
