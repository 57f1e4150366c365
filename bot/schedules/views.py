"""Schedules as people read them."""

from dataclasses import dataclass

from agent.policy.model import Policy
from agent.policy.standing import kind_of, may_grant, offered_days, still_counts
from agent.ports import CatalogSource, Clock, PolicySource
from agent.scheduling.rolling import rolled, rolls
from agent.values.identity import Principal
from agent.values.schedule import Schedule
from agent.values.standing import StandingApproval
from agent.values.views import Scheduled
from agent.wording.dates import instant, period_with_words
from agent.wording.schedules import condition_said, recurrence_said
from agent.wording.texts import say
from bot.ports import StandingStore
from cards.build.phrases import either_of
from semantic_catalog.model import Locale


def granters_of(schedule: Schedule, policy: Policy) -> tuple[Principal, ...]:
    """Who may approve the schedule under that policy, its owner first where they may."""
    found = [
        person
        for person in policy.principals
        if may_grant(policy, person, schedule.owner, schedule.domain, schedule.risk)
    ]
    return tuple(sorted(found, key=lambda person: person.id != schedule.owner))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleReader:
    """Puts schedules into words, as of now."""

    catalog: CatalogSource
    policy: PolicySource
    clock: Clock
    standing: StandingStore

    async def shown(self, schedule: Schedule, locale: Locale) -> Scheduled:
        """The schedule as it stands under the policy and the catalog of now."""
        domain = self.catalog.current().domain(schedule.domain)
        period = rolled(schedule.spec, self.clock.today(domain.timezone)).period
        zone = schedule.recurrence.timezone
        return Scheduled(
            id=schedule.id,
            title=schedule.title,
            owner=schedule.owner_name,
            when=recurrence_said(schedule.recurrence, locale),
            status=schedule.status,
            why=schedule.why,
            condition=condition_said(schedule.condition, schedule.spec, domain, locale),
            period=period_with_words(period, locale) if period else "",
            is_fixed=not rolls(schedule.spec.period),
            next_at=instant(schedule.due_at, zone, locale) if schedule.status == "active" else "",
            signed=await self._signed(schedule, locale),
            risk=schedule.risk.level,
            sql=schedule.query.sql,
            days=self.days(schedule),
        )

    def days(self, schedule: Schedule) -> int:
        """How many days an approval of it would last; 0 where none is needed or offered."""
        if schedule.risk.tier == "auto":
            return 0
        return offered_days(self.policy.current(), schedule.query, schedule.risk)

    async def approval(self, schedule: Schedule) -> StandingApproval | None:
        """The one that signs its runs now: its own, or one for its kind of question."""
        for kind in (schedule.approval_kind, kind_of(schedule.spec, schedule.query)):
            found = await self.standing.find(kind, schedule.owner, self.clock.now())
            if found is not None and still_counts(found, self.policy.current(), schedule.query, schedule.risk):
                return found
        return None

    async def _signed(self, schedule: Schedule, locale: Locale) -> str:
        days = self.days(schedule)
        if schedule.risk.tier == "auto":
            return say(locale, "schedule.signed_policy")
        approval = await self.approval(schedule)
        if approval is not None:
            until = instant(approval.expires_at, schedule.recurrence.timezone, locale)
            return say(locale, "schedule.signed_until", name=approval.granted_by_name, until=until)
        if not days or schedule.status == "active":
            return say(locale, "schedule.signed_lapsed" if days else "schedule.signed_each")
        names = tuple(person.display_name or person.id for person in granters_of(schedule, self.policy.current()))
        if not names:
            return say(locale, "schedule.signed_nobody")
        return say(locale, "schedule.signed_waiting", days=days, approvers=either_of(names, locale))
