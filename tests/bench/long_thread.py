"""Row: a turn at the end of a long thread, beside the tenth turn of one."""

from rich.console import Console

from agent.values.outcome import Answer, Proposal
from bot.terminal.conversation import Approval, decide
from bot.terminal.session import Session, Step, session
from tests.bench.measuring import Row, no_collection, side_by_side
from tests.bench.stage import Stage
from tests.bench.thread_copies import copy_turns, left_by

ROLE = "ana"
APPROVE = Approval(kind="approve")
SAID = (
    "What was the approval rate of the last seven days by channel?",
    "only Visa",
    "by region too",
    "without Visa",
    "transactions by brand last month",
)
BEFORE = 9
"""Turns right before the measured ones, on both sides: the thread's memory holds hardly more."""


class Talk:
    """One thread in which question follows question."""

    def __init__(self, opened: Session, thread: str) -> None:
        self._opened = opened
        self._thread = thread
        self._turns = 0

    async def turn(self) -> float:
        """Milliseconds of the next message and its approval."""
        return (await self.steps())[1]

    async def steps(self) -> tuple[Step, float]:
        """The step that answered the next message, and the milliseconds of both."""
        said = SAID[self._turns % len(SAID)]
        self._turns += 1
        step = await self._opened.say(said, ROLE, self._thread)
        assert step.stop is not None
        proposal = step.stop.outcome
        assert isinstance(proposal, Proposal), proposal
        done = await decide(self._opened, proposal, role=ROLE, thread=self._thread, approval=APPROVE)
        assert done.stop is not None
        assert isinstance(done.stop.outcome, Answer), done.stop.outcome
        return done, step.milliseconds + done.milliseconds

    async def turns(self, count: int) -> None:
        """So many turns, not measured."""
        for _ in range(count):
            await self.turn()


async def long_thread_row(stage: Stage, *, length: int, repetitions: int) -> Row:
    """The turns from `length` on, each beside one from the tenth on of another thread, in one process.

    `length` is a whole number of rounds of what is said: both sides then say the same at the same time.
    """
    async with session(stage.settings(), Console(quiet=True)) as opened:
        long, short = Talk(opened, "bench-long"), Talk(opened, "bench-short")
        copies = await _lengthen(opened, long, length)
        await short.turns(BEFORE)
        with no_collection():
            late, early = await side_by_side(long.turn, short.turn, warm_up=1, repetitions=repetitions)
    made = f"; {copies} of the turns before are copies of others, rows of every table" if copies else ""
    return Row(
        name=f"turn {length} of a thread",
        subject_is=f"question and approval, answered before: follow-ups, additions and changes of topic in turn{made}",
        times=tuple(late),
        floor_is="the tenth turn of a thread, the same messages, in the same process",
        floor_times=tuple(early),
    )


async def _lengthen(opened: Session, long: Talk, length: int) -> int:
    """Hold all turns before `length`: one round of real ones, copies of those, and real ones again; how many copies."""
    rounds = max(0, (length - 1 - len(SAID) - BEFORE) // len(SAID))
    if rounds:
        held = [await left_by(opened, (await long.steps())[0]) for _ in SAID]
        await copy_turns(opened, held, rounds)
        await long.turns(BEFORE)
    else:
        await long.turns(length - 1)
    return rounds * len(SAID)
