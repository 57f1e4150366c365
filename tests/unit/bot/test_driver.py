from copy import deepcopy

from agent.values.fetched import Fetched
from agent.values.identity import RunId
from agent.values.outcome import Answer, Proposal
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse
from tests.unit.agent.conversing import SIGNED, Conversation, policy_of

QUESTION = "approval rate by channel last month"
ROWS = ScriptedResult(columns=(("channel", "text"), ("approval_rate", "numeric")), rows=(("POS", 0.9), ("Web", 0.8)))


class RememberedFetches:
    """Implements `Fetches`."""

    def __init__(self) -> None:
        self._fetched: dict[RunId, Fetched] = {}

    async def keep(self, fetched: Fetched) -> None:
        self._fetched[fetched.result.run] = fetched

    async def of(self, run: RunId) -> Fetched | None:
        return self._fetched.get(run)


async def test_a_run_killed_after_its_rows_came_goes_on_from_them_without_a_second_query() -> None:
    warehouse = ScriptedWarehouse(otherwise=ROWS)
    conversation = Conversation(warehouse, policy_of(SIGNED), fetches=RememberedFetches())
    proposal = (await conversation.ask(QUESTION)).outcome
    assert isinstance(proposal, Proposal)
    saver = conversation.checkpoints
    before = deepcopy((saver.storage, saver.writes, saver.blobs))
    first = await conversation.decide(proposal)
    saver.storage, saver.writes, saver.blobs = before
    second = await conversation.decide(proposal)
    assert isinstance(first, Answer)
    assert second == first
    assert len(warehouse.ran) == 1
