"""What people do with a proposal in a terminal thread: change it, approve it, undo it."""

from dataclasses import dataclass

import psycopg

from agent.values.outcome import Outcome, Proposal
from agent.values.turn import ActionVerb, CardAction
from bot.terminal.conversation import Approval, ask_once
from bot.terminal.session import Session

LEAVE = Approval(kind="leave")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One process in which people press buttons."""

    session: Session
    thread: str = "t"

    async def propose(self, question: str, role: str = "ana") -> Proposal:
        """Ask; the proposal that waits."""
        asked = await ask_once(self.session, question, role=role, thread=self.thread, approval=LEAVE)
        assert isinstance(asked.outcome, Proposal), asked.outcome
        return asked.outcome

    async def press(self, verb: ActionVerb, proposal: Proposal, text: str = "", role: str = "ana") -> Outcome | None:
        """Press a button of the proposal as its card carries it; what came of it, None when nothing did."""
        action = CardAction(
            verb=verb,
            run=proposal.run,
            fingerprint=proposal.fingerprint,
            value=str(proposal.revision),
            text=text,
        )
        step = await self.session.press(action, role, self.thread)
        return step.stop.outcome if step.stop else None

    async def change(self, proposal: Proposal, text: str, role: str = "ana") -> Proposal:
        """Change the proposal; the next revision."""
        outcome = await self.press("change", proposal, text, role)
        assert isinstance(outcome, Proposal), outcome
        return outcome

    def events(self) -> list[str]:
        """The audit log's events, oldest first."""
        return [name for name, _, _ in self.audit()]

    def audit(self) -> list[tuple[str, str, str]]:
        """Event, by whom, and facts as text, oldest first."""
        with psycopg.connect(self.session.product.addresses.control) as connection:
            return connection.execute("SELECT event, by_whom, facts FROM countersign.audit ORDER BY id").fetchall()
