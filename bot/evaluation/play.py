"""A set's items played on a session, each in a thread of its own."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent.values.outcome import Outcome, Proposal
from agent.values.turn import CardAction
from bot.evaluation.gold import GoldData, GoldFailed
from bot.evaluation.items import Act, Item
from bot.evaluation.judge import TURNED_DOWN, Evidence, Verdict, judge
from bot.evaluation.meaning import Ground
from bot.evaluation.rows import Table
from bot.terminal.conversation import collected
from bot.terminal.report import report_of
from bot.terminal.session import Session, Step, new_thread
from semantic_catalog.model import DomainName


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One judged turn. `set_fault` names gold SQL that does not run: the turn then says nothing about the product."""

    item: Item
    turn: int
    act: Act
    report: Mapping[str, Any]
    verdict: Verdict
    set_fault: str = ""


class Player:
    """Plays items and judges every turn."""

    def __init__(self, opened: Session, gold: GoldData) -> None:
        self._session = opened
        self._gold = gold

    async def play(self, item: Item) -> AsyncIterator[Played]:
        """The item's turns, in order, in a new thread."""
        thread = _Thread(self._session)
        for turn, act in enumerate(item.acts, start=1):
            report = await thread.act(act)
            verdict, fault = await self._judged(item, act, report, thread.answered)
            if report["rows"] is not None:
                thread.answered = report
            yield Played(item=item, turn=turn, act=act, report=report, verdict=verdict, set_fault=fault)

    async def _judged(
        self, item: Item, act: Act, report: Mapping[str, Any], previous: Mapping[str, Any] | None
    ) -> tuple[Verdict, str]:
        golds, fault = await self._golds(act)
        domain = self._session.product.catalog.current().domain(DomainName(act.domain))
        evidence = Evidence(
            golds=golds,
            ground=Ground(domain=domain, today=self._session.product.clock.today(domain.timezone)),
            language=item.language,
            proposed=await self._proposed(act, report),
            previous=previous,
        )
        return judge(act.expected, report, evidence), fault

    async def _golds(self, act: Act) -> tuple[tuple[Table, ...], str]:
        tables: list[Table] = []
        fault = ""
        for sql in act.expected.golds:
            try:
                tables.append(await self._gold.table(act.domain, sql))
            except GoldFailed as error:
                fault = error.detail
        return tuple(tables), fault

    async def _proposed(self, act: Act, report: Mapping[str, Any]) -> Table | None:
        """The rows of a proposal that was left open, read by ourselves."""
        if report["status"] != "awaiting_approval" or not act.expected.golds:
            return None
        try:
            return await self._gold.table(report["domain"] or act.domain, report["sql"])
        except GoldFailed:
            return None


class _Thread:
    """One thread: what is open in it, and its last answer."""

    def __init__(self, opened: Session) -> None:
        self._session = opened
        self._name = new_thread()
        self._open: Proposal | None = None
        self.answered: Mapping[str, Any] | None = None

    async def act(self, act: Act) -> dict[str, Any]:
        """The object that `ask --json` prints for this turn."""
        step = await self._step(act)
        timings = {"said": step.milliseconds}
        outcome = self._noted(step)
        if isinstance(outcome, Proposal) and act.decides:
            step = await self._approved(outcome, act.role)
            self._noted(step)
            timings["decided"] = step.milliseconds
        return await self._report(step, self._open or (outcome if isinstance(outcome, Proposal) else None), timings)

    async def _step(self, act: Act) -> Step:
        if act.press is None:
            return await self._session.say(act.text, act.role, self._name)
        pressed = self._open
        action = CardAction(
            verb=act.press,
            run=pressed.run if pressed else None,
            fingerprint=pressed.fingerprint if pressed else "",
            text=act.text,
        )
        return await self._session.press(action, act.role, self._name)

    async def _approved(self, proposal: Proposal, role: str) -> Step:
        decider = self._session.approver_of(proposal, role) or role
        action = CardAction(verb="approve", run=proposal.run, fingerprint=proposal.fingerprint)
        return await self._session.press(action, decider, self._name)

    def _noted(self, step: Step) -> Outcome | None:
        """The step's outcome; a proposal stays open until something else becomes of its run."""
        if step.stop is None:
            return None
        outcome = step.stop.outcome
        if isinstance(outcome, Proposal):
            self._open = outcome
        elif self._open is not None and outcome.run == self._open.run:
            self._open = None
        return outcome

    async def _report(self, step: Step, proposal: Proposal | None, timings: dict[str, float]) -> dict[str, Any]:
        if step.stop is None:
            return {**_NOTHING, "status": TURNED_DOWN, "thread_id": step.turn.thread, "timings_ms": timings}
        return report_of(await collected(self._session, step, proposal, timings))


_ABSENT = (
    "run_id language domain relation turn_type spec sql dialect parameters fingerprint receipt cost risk columns rows "
    "row_count truncated narrative chart workbook clarification refusal usage"
)
_NOTHING: dict[str, Any] = {
    **dict.fromkeys(_ABSENT.split()),
    **{name: [] for name in ("changes", "kpis", "assumptions", "unused_words", "warnings")},
}
