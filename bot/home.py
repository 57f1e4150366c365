"""What a person may look at besides answers, limited to what they may see now."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.deps import Deps
from agent.policy.authority import may_approve
from agent.understanding.access import metrics_declined
from agent.values.identity import Principal
from agent.values.outcome import Proposal, RunRecord
from agent.values.views import AskedBefore, Home, Known, Offered, Scheduled, Waiting
from bot.personal import PersonalMemories
from bot.ports import RunLists
from semantic_catalog.model import Domain, Locale

RECENT_SHOWN = 10
WAITING_SHOWN = 20
_AWAITING_READ = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeReader:
    """Reads the lists of one person."""

    deps: Deps
    lists: RunLists
    personal: PersonalMemories
    schedules: Callable[[Principal, Locale], Awaitable[tuple[Scheduled, ...]]]

    async def home(self, person: Principal, locale: Locale) -> Home:
        """Everything of the person on one page."""
        return Home(
            person=person.id,
            offered=self.offered(person, locale),
            recent=await self.recent(person),
            waiting=await self.waiting(person, locale),
            known=await self.known(person, locale),
            timezone=self.timezone,
            is_admin=person.is_admin,
            schedules=await self.schedules(person, locale),
        )

    @property
    def timezone(self) -> str:
        """The zone of the data (all domains of one catalog share a clock)."""
        return self.deps.catalog_now().domains[0].timezone

    def offered(self, person: Principal, locale: Locale) -> tuple[Offered, ...]:
        """The domains the person may ask about, with the metrics they may see and the signed questions."""
        domains = (domain for domain in self.deps.catalog_now().domains if domain.name in person.domains)
        return tuple(self._offered(domain, person, locale) for domain in domains)

    async def recent(self, person: Principal) -> tuple[AskedBefore, ...]:
        """The person's own newest questions."""
        return tuple(_asked(record) for record in await self.lists.recent(person.id, RECENT_SHOWN))

    async def waiting(self, person: Principal, locale: Locale) -> tuple[Waiting, ...]:
        """The proposals that the person may approve now, newest first."""
        if person.may_approve == "none" and not person.approval_domains:
            return ()
        records = await self.lists.awaiting(_AWAITING_READ)
        found = (self._waiting(record, person, locale) for record in records)
        return tuple(item for item in found if item is not None)[:WAITING_SHOWN]

    async def known(self, person: Principal, locale: Locale) -> tuple[Known, ...]:
        """What is remembered of the person."""
        return await self.personal.known(person, locale)

    def _offered(self, domain: Domain, person: Principal, locale: Locale) -> Offered:
        metrics = (
            metric for metric in domain.metrics if metrics_declined((metric.name,), domain, person, locale) is None
        )
        signed = (query.questions.get(locale, ())[:1] for query in domain.trusted_queries)
        return Offered(
            domain=domain.name,
            label=domain.names.in_locale(locale),
            metrics=tuple(metric.names.in_locale(locale) for metric in metrics),
            signed_questions=tuple(question for questions in signed for question in questions),
            is_paused=self.deps.pauses.is_paused(domain.name),
        )

    def _waiting(self, record: RunRecord, person: Principal, locale: Locale) -> Waiting | None:
        proposal = record.pending
        if not isinstance(proposal, Proposal) or proposal.expires_at <= self.deps.clock.now():
            return None
        name, tier = proposal.query.domain, proposal.risk.tier
        if not may_approve(self.deps.policy_now(), person, proposal.asked_by, name, tier):
            return None
        domains = {domain.name: domain.names.in_locale(locale) for domain in self.deps.catalog_now().domains}
        return Waiting(
            run=record.run,
            title=proposal.receipt.title,
            domain=domains.get(name, str(name)),
            asked_by=proposal.asked_by_name or proposal.asked_by,
            expires_at=proposal.expires_at,
        )


def _asked(record: RunRecord) -> AskedBefore:
    return AskedBefore(run=record.run, question=record.question, status=record.status, asked_at=record.created_at)
