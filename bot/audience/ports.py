"""What is asked of channels about their readers, and of the store of answers that stand with their askers alone."""

from typing import Protocol

from agent.values.identity import RunId
from agent.values.outcome import Outcome
from agent.values.readership import Readership
from agent.values.turn import Place


class ChannelMembers(Protocol):
    """Who reads along, as a chat platform knows it. Errors are those of `cards.errors`."""

    async def readers(self, place: Place, most: int) -> Readership:
        """Who reads what is posted there, looking at `most` people; it may be some minutes old."""
        ...


class WithheldAnswers(Protocol):
    """Keeps what was answered to its asker alone, until they share it. Raises `agent.errors.StoreUnavailable`."""

    async def put(self, outcome: Outcome, place: Place) -> None:
        """Keep what is not shown at the place; keeping it again replaces it."""
        ...

    async def get(self, run: RunId) -> tuple[Outcome, Place] | None:
        """What was kept of the run, and where it is not shown."""
        ...
