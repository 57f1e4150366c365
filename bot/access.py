"""Requests for access: they reach whoever may approve in the domain, and grant nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.values.identity import Principal
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.people import People
from bot.run_desk import RunDesk, run_of
from bot.run_events import BOT, RunEvent
from bot.run_places import channel_of
from cards.build.access import access_card
from cards.build.notices import stale_notice
from cards.elements import Card
from semantic_catalog.model import Locale

MOST_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequests:
    """Passes a request on, once for each person and run."""

    desk: RunDesk
    people: People

    async def ask(self, turn: Turn, principal: Principal | None) -> None:
        """Tell the owners who asks for what and why; the person learns whether somebody was reached."""
        locale = turn.locale or (principal.locale if principal else None) or self.desk.default_locale
        record = await self.desk.runs.get(run_of(turn))
        if record is None:
            await self.desk.notify(turn, stale_notice(locale))
            return
        who = turn.author.display_name or (principal.display_name if principal else "") or turn.author.user_id
        reached = await self._reached(turn, record, who)
        by = principal.id if principal else BOT
        facts = {"user": turn.author.user_id, "reached": len(reached)}
        once = f"access:{turn.author.channel}:{turn.author.user_id}"
        await self.desk.note(record.run, RunEvent(name="access_requested", by=by, facts=facts, once=once))
        await self.desk.notify(turn, _said(reached, locale))

    async def _reached(self, turn: Turn, record: RunRecord, who: str) -> list[str]:
        found: list[str] = []
        for owner in self._owners(record):
            card = _card(turn, record, who, owner.locale or self.desk.default_locale)
            key = f"{record.run}:access:{turn.author.user_id}:{owner.id}"
            if await self.people.write(owner.id, channel_of(turn.thread), card, key):
                found.append(owner.display_name or owner.id)
            if len(found) == MOST_TOLD:
                break
        return found

    def _owners(self, record: RunRecord) -> Sequence[Principal]:
        """Who approves in the run's domain, those whose own domain it is first; without a domain, administrators."""
        principals = [known for known in self.people.policy.current().principals if known.id != record.asker]
        if record.domain is None:
            return [known for known in principals if known.is_admin or known.may_approve == "any"]
        may = [
            known for known in principals if known.may_approve in ("domain", "any") and record.domain in known.domains
        ]
        owns = [known for known in may if known.may_approve == "domain" and record.domain in known.approval_domains]
        return [*owns, *(known for known in may if known.may_approve == "any")]


def _card(turn: Turn, record: RunRecord, who: str, locale: Locale) -> Card:
    assert turn.action is not None
    sql = record.pending.query.sql if isinstance(record.pending, Proposal) else ""
    return access_card(
        who=who, question=record.question, reason=turn.action.text, sql=sql, run=record.run, locale=locale
    )


def _said(reached: Sequence[str], locale: Locale) -> str:
    if not reached:
        return say(locale, "dialog.access_nobody")
    return say(locale, "dialog.access_sent", names=", ".join(reached))
