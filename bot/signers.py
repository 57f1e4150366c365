"""Who else is asked to sign: people who may approve what its asker may not."""

from dataclasses import dataclass

from agent.policy.resolve import approvers
from agent.values.identity import Principal, PrincipalId
from agent.values.outcome import Proposal
from agent.values.turn import Place
from bot.people import People
from bot.ports import CardStore
from bot.run_places import channel_of
from cards.build.proposal import proposal_card

MOST_ASKED = 5
"""More people than that are not written to: the card in the thread names who may approve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signers:
    """Puts a copy of a proposal's card in front of each approver who does not see it in its thread."""

    people: People
    cards: CardStore

    async def ask(self, proposal: Proposal, place: Place, slot: str, *, hidden: bool = False) -> None:
        """Write to the approvers, each once, where the asker may not sign for themselves.

        `hidden`: the card does not stand in its thread, so who takes part there does not see it either.
        """
        found = approvers(self.people.policy.current(), proposal.query.domain, proposal.asked_by, proposal.risk.tier)
        if any(principal.id == proposal.asked_by for principal in found):
            return
        for principal in found[:MOST_ASKED]:
            await self._ask(principal, proposal, place, slot, hidden=hidden)

    async def _ask(self, principal: Principal, proposal: Proposal, place: Place, slot: str, *, hidden: bool) -> None:
        copy, channel = copy_slot(slot, principal.id), channel_of(place.thread)
        if await self.cards.get(proposal.run, copy):
            return
        if not hidden and await self.people.takes_part(principal.id, channel, place):
            return
        unsure, key = await self.cards.note(proposal.run, copy), f"{proposal.run}:{copy}"
        posted = await self.people.write(principal.id, channel, proposal_card(proposal), key, unsure=unsure)
        if posted is not None:
            await self.cards.put(proposal.run, copy, *posted)


def copy_slot(slot: str, principal: PrincipalId) -> str:
    """Under what name a copy of the slot's card in front of one person is remembered."""
    return f"{slot}@{principal}"
