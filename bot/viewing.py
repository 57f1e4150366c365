"""A proposal's card as one person may press it, and whose card a message is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agent.policy.resolve import resolve
from agent.ports import Clock
from agent.values.identity import ExternalUser, Principal, PrincipalId, RunId, ThreadKey
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import CardAction, CardRef
from bot.authority import Click, standing_of
from bot.dialogs import Dialogs
from bot.files.scope import ScopedPolicy, ThreadScope, in_scope
from bot.memberships import GroupedPolicy
from bot.ports import RunStore
from cards.build.access import access_button
from cards.build.decided import decided_card
from cards.build.proposal import proposal_card
from cards.elements import Actions, Card
from cards.forms import Form
from semantic_catalog.model import Locale


class PostedMessages(Protocol):
    """Which run a posted message belongs to. Raises `agent.errors.StoreUnavailable`."""

    async def run_of(self, message: CardRef) -> RunId | None:
        """The run whose card the message is; None for a message that is no card of ours."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CardViews:
    """Asked by channels whose cards differ from reader to reader. Nothing here decides anything."""

    dialogs: Dialogs
    runs: RunStore
    messages: PostedMessages
    policy: GroupedPolicy
    clock: Clock
    scope_of: Callable[[ThreadKey, PrincipalId], Awaitable[ThreadScope]]

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """What the button asks before it sends; None for a button that sends at once."""
        return await self.dialogs.form(action, locale)

    async def run_of(self, message: CardRef) -> RunId | None:
        """The run whose card the message is."""
        return await self.messages.run_of(message)

    async def view(self, shown: CardAction, user: ExternalUser) -> Card | None:
        """The open card with the buttons that count when this person presses them, or the decided one.

        None where what was shown is not known any more.
        """
        record = await self.runs.get(shown.run) if shown.run else None
        if record is None or not isinstance(record.pending, Proposal):
            return None
        if record.pending.fingerprint != shown.fingerprint:
            return None
        if record.status != "awaiting_approval":
            return await self._decided(record, record.pending)
        await self.policy.know(user)
        principal = resolve(self.policy.current(), user)
        return await self._open(record, record.pending, principal)

    async def _decided(self, record: RunRecord, proposal: Proposal) -> Card | None:
        decision = await self.runs.decision(record.run)
        is_its = decision is not None and decision.fingerprint == proposal.fingerprint
        return decided_card(proposal, decision) if decision and is_its else None

    async def _open(self, record: RunRecord, proposal: Proposal, principal: Principal | None) -> Card:
        card = proposal_card(proposal)
        if principal is None:
            return _with_buttons(card, record, lambda _: False)
        with in_scope(await self.scope_of(ThreadKey(record.thread), principal.id)):
            policy, now = ScopedPolicy(base=self.policy).current(), self.clock.now()
            known = policy.principal(principal.id) or principal

            def counts(action: CardAction) -> bool:
                return standing_of(Click(action=action, principal=known, at=now), record, policy) == "may_decide"

            return _with_buttons(card, record, counts)


def _with_buttons(card: Card, record: RunRecord, counts: Callable[[CardAction], bool]) -> Card:
    """Only buttons that count; who may not approve can ask for access instead."""
    elements = tuple(_row(part, record, counts) if isinstance(part, Actions) else part for part in card.elements)
    return replace(card, elements=elements)


def _row(row: Actions, record: RunRecord, counts: Callable[[CardAction], bool]) -> Actions:
    kept = tuple(button for button in row.buttons if counts(button.action))
    may_approve = any(button.action.verb == "approve" for button in kept)
    return replace(row, buttons=kept if may_approve else (*kept, access_button(record.run, record.locale)))
