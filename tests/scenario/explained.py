"""Every answer that the development sets lead to, with the words that explain it; no card is drawn."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from agent.analysis.members import with_member_labels
from agent.policy.resolve import approvers
from agent.values.governance import Decision
from agent.values.identity import RunId, ThreadKey
from agent.values.outcome import Answer, Proposal
from agent.values.result import ResultTable
from bot.bootstrap import Product, product
from bot.driver import RunDriver, RunStop
from bot.evaluation.items import Act, Item, read_sets
from bot.memories import remember
from bot.settings import Settings

SETS = tuple(sorted((Path(__file__).parents[1] / "cases" / "evals").glob("*.dev.jsonl")))
_RUNS = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """An answer, its rows as they are labelled for people, and the lines that a person reads about them."""

    item: str
    answer: Answer
    table: ResultTable

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence that answers and what stands out; of a forecast the figure alone.

        How a method did on the past, and chances, are no numbers of the rows; tests of `agent.forecasting` hold them.
        """
        told = self.answer.narrative
        is_forecast = self.answer.chart is not None and bool(self.answer.chart.intervals)
        return (told.lead,) if is_forecast else (f"{told.lead} {told.rest}".strip(), *told.highlights)


async def explained(settings: Settings) -> list[Explained]:
    """The answers of all items, in order; each conversation is a thread with a memory."""
    async with product(settings, lambda _: {}) as built:
        return [each for item in read_sets(SETS) async for each in _played(item, built)]


async def _played(item: Item, built: Product) -> AsyncIterator[Explained]:
    for act in item.acts:
        if act.press is not None:
            continue
        stop = await _asked(act, ThreadKey(f"console:{item.id}"), built)
        deps = built.deciding.desk.deps
        await remember(stop.outcome, stop.state, deps.memory, deps.clock)
        if isinstance(stop.outcome, Answer):
            rows = await built.stores.results.read(stop.outcome.result)
            domain = built.catalog.current().domain(stop.outcome.query.domain)
            table = with_member_labels(rows, domain, stop.outcome.locale)
            yield Explained(item=item.id, answer=stop.outcome, table=table)


async def _asked(act: Act, thread: ThreadKey, built: Product) -> RunStop:
    driver = built.deciding.desk.driver
    run = RunId(f"explained-{next(_RUNS)}")
    state: Any = {"run": run, "thread": thread, "asker": act.role, "asker_name": "", "text": act.text, "locale": None}
    stop = await driver.start(thread, run, state)
    return await _approved(stop.outcome, thread, driver, built) if isinstance(stop.outcome, Proposal) else stop


async def _approved(proposal: Proposal, thread: ThreadKey, driver: RunDriver, built: Product) -> RunStop:
    """By the asker where the policy lets them, else by whom it names."""
    signers = approvers(built.policy.current(), proposal.query.domain, proposal.asked_by, proposal.risk.tier)
    decision = Decision(kind="approve", by=signers[0].id, at=built.clock.now(), fingerprint=proposal.fingerprint)
    return await driver.decide(thread, proposal.run, decision)
