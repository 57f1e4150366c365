"""What a scheduled run says: that it comes by a schedule, or nothing where its condition does not hold."""

import asyncio
from dataclasses import replace

from agent.deps import Deps
from agent.scheduling.condition import fulfils
from agent.state import read
from agent.values.outcome import Answer, Reply
from agent.values.spec import Threshold
from agent.wording.schedules import condition_said
from agent.wording.texts import say
from bot.driver import RunStop


def as_scheduled(stop: RunStop) -> RunStop:
    """The answer of a scheduled run says so; every other stop is as it was."""
    said = stop.state.get("sent_as", "")
    if not said or not isinstance(stop.outcome, Answer):
        return stop
    return replace(stop, outcome=replace(stop.outcome, sent_as=said))


async def nothing_to_report(stop: RunStop, deps: Deps) -> Reply | None:
    """In words, that the run's condition does not hold; None where it has none, or it holds, or nothing tells.

    Raises `ResultExpired`, `StoreUnavailable`.
    """
    answer = stop.outcome
    if not stop.state.get("condition") or not isinstance(answer, Answer) or answer.spec is None:
        return None
    condition = read(stop.state, "condition", Threshold)
    table = await deps.results.read(answer.result)
    if await asyncio.to_thread(fulfils, table, condition):
        return None
    domain = deps.catalog_now().domain(answer.spec.domain)
    said = condition_said(condition, answer.spec, domain, answer.locale)
    return Reply(
        run=answer.run, locale=answer.locale, text=say(answer.locale, "schedule.condition_not_met", condition=said)
    )
