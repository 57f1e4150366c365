"""Rows: a turn by rules, warm, from a question to its posted answer; the time until a person approves is nobody's."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.values.outcome import Answer, Proposal
from agent.values.result import ResultTable
from bot.bootstrap import product
from bot.terminal.conversation import Approval, decide
from bot.terminal.session import Session
from tests.bench.bare_files import bare_chart, bare_workbook
from tests.bench.bare_graph import BareTurns
from tests.bench.measuring import Row, milliseconds, no_collection, side_by_side
from tests.bench.stage import Stage
from tests.bench.unsent_blocks import UnsentBlocks

QUESTION = "What was the approval rate of the last seven days by channel?"
ROLE = "ana"
APPROVE = Approval(kind="approve")
SUBJECT = "rules, warm, cards drawn as Slack's blocks"
ASIDE = "making and storing the chart and the workbook is on neither side"
FLOOR = (
    "LangGraph with as many empty steps and one interrupt, its own saver as documented, same database, and the bare"
    " SQL: tests/bench/bare_graph.py"
)
FLOOR_WITH_FILES = f"{FLOOR}; bare matplotlib and openpyxl write-only, same rows: tests/bench/bare_files.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Milliseconds of each half of every turn, and of making and storing its files, which the halves are without."""

    asked: list[float] = field(default_factory=list)
    approved: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)

    def without(self, warm_up: int) -> "Halves":
        """The same but for the first turns."""
        return Halves(asked=self.asked[warm_up:], approved=self.approved[warm_up:], drawn=self.drawn[warm_up:])

    def whole(self) -> tuple[float, ...]:
        """Each turn without its files."""
        return tuple(map(sum, zip(self.asked, self.approved, strict=True)))

    def whole_with_files(self) -> tuple[float, ...]:
        """Each turn, its files made within it."""
        return tuple(map(sum, zip(self.asked, self.approved, self.drawn, strict=True)))


class Turns:
    """The product's turns. `ask` ends with the posted proposal, `approve` with the posted answer and its files."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened
        self._threads = count()
        self._waiting: tuple[str, Proposal] | None = None
        self._answer: Answer | None = None

    async def ask(self) -> float:
        """Milliseconds from the question to its proposal."""
        thread = f"bench-{next(self._threads)}"
        step = await self._opened.say(QUESTION, ROLE, thread)
        assert step.stop is not None
        assert isinstance(step.stop.outcome, Proposal), step.stop.outcome
        self._waiting = thread, step.stop.outcome
        return step.milliseconds

    async def approve(self) -> float:
        """Milliseconds from the approval to the delivered answer."""
        assert self._waiting is not None
        thread, proposal = self._waiting
        step = await decide(self._opened, proposal, role=ROLE, thread=thread, approval=APPROVE)
        assert step.stop is not None
        assert isinstance(step.stop.outcome, Answer), step.stop.outcome
        self._answer = step.stop.outcome
        return step.milliseconds

    def proposed_sql(self) -> str:
        """The SQL of the last proposal."""
        assert self._waiting is not None
        return self._waiting[1].query.sql

    async def answered(self) -> tuple[str, ResultTable]:
        """The last answer's title and rows."""
        assert self._answer is not None
        return self._answer.receipt.title, await self._opened.rows(self._answer.result)

    def drawn(self) -> float:
        """Milliseconds that went into charts and workbooks since the start, as the product's own metric counts them."""
        registry = self._opened.product.watch.metrics.registry
        return (registry.get_sample_value("countersign_step_seconds_sum", {"step": "draw"}) or 0.0) * 1_000


async def turn_rows(stage: Stage, *, warm_up: int, repetitions: int) -> list[Row]:
    """A turn with and without its files, and its halves. Each repetition asks and approves once on either side."""
    channel = UnsentBlocks(stage.out)
    async with product(stage.settings(), lambda _: {"console": channel}) as built:
        turns = Turns(Session(built, channel))
        await turns.ask()
        await turns.approve()
        async with _bare_turns(stage, turns.proposed_sql()) as bare:
            ours, floor = await _measured(turns, bare, warm_up, repetitions)
    return _rows(ours.without(warm_up), floor.without(warm_up))


@asynccontextmanager
async def _bare_turns(stage: Stage, sql: str) -> AsyncIterator[BareTurns]:
    """LangGraph's own saver and the driver's own pools, as their documentation sets them up."""
    arguments = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    control: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        stage.control, kwargs=arguments, min_size=1, max_size=10, open=False
    )
    async with control, AsyncConnectionPool(stage.payments, min_size=1, max_size=2, open=False) as warehouse:
        yield BareTurns(AsyncPostgresSaver(control), warehouse, sql)


async def _measured(turns: Turns, bare: BareTurns, warm_up: int, repetitions: int) -> tuple[Halves, Halves]:
    ours, floor = Halves(), Halves()
    title, table = await turns.answered()
    header = [column.label for column in table.columns]

    async def whole() -> float:
        ours.asked.append(await turns.ask())
        drawn = turns.drawn()
        spent = await turns.approve()
        ours.drawn.append(turns.drawn() - drawn)
        ours.approved.append(spent - ours.drawn[-1])
        return spent

    async def bare_whole() -> float:
        floor.asked.append(await bare.ask())
        floor.approved.append(await bare.approve())
        floor.drawn.append(await milliseconds(asyncio.to_thread(bare_chart, title, table.rows)))
        floor.drawn[-1] += await milliseconds(asyncio.to_thread(bare_workbook, header, table.rows))
        return floor.drawn[-1]

    with no_collection():
        await side_by_side(whole, bare_whole, warm_up=warm_up, repetitions=repetitions)
    return ours, floor


def _rows(ours: Halves, floor: Halves) -> list[Row]:
    return [
        Row(
            name="turn: question → answer",
            subject_is=f"{SUBJECT}; {ASIDE}",
            times=ours.whole(),
            floor_is=FLOOR,
            floor_times=floor.whole(),
        ),
        Row(
            name="turn: question → answer, with its files",
            subject_is=f"{SUBJECT}, chart and workbook made and stored",
            times=ours.whole_with_files(),
            floor_is=FLOOR_WITH_FILES,
            floor_times=floor.whole_with_files(),
        ),
        Row(
            name="turn: question → proposal",
            subject_is=f"{SUBJECT}: understood, compiled, checked, estimated, posted",
            times=tuple(ours.asked),
            floor_is="the same floor up to its interrupt",
            floor_times=tuple(floor.asked),
        ),
        Row(
            name="turn: approval → answer",
            subject_is=f"{SUBJECT}: checked again, run, stored, verified, described, posted; {ASIDE}",
            times=tuple(ours.approved),
            floor_is="the same floor from its interrupt to the end",
            floor_times=tuple(floor.approved),
        ),
    ]
