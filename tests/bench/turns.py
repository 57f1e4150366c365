"""Rows: a turn by rules, warm, from a question to its proposal and from its approval to the delivered answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool
from rich.console import Console

from agent.values.outcome import Answer, Proposal
from bot.terminal.conversation import Approval, decide
from bot.terminal.session import Session, session
from tests.bench.bare_graph import BareTurns
from tests.bench.measuring import Row, no_collection, side_by_side
from tests.bench.stage import Stage

QUESTION = "What was the approval rate of the last seven days by channel?"
ROLE = "ana"
APPROVE = Approval(kind="approve")
FLOOR = "tests/bench/bare_graph.py"


class Turns:
    """The product's turns. `ask` ends with the posted proposal, `approve` with the answer, its chart and workbook."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened
        self._threads = count()
        self._waiting: tuple[str, Proposal] | None = None

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
        return step.milliseconds

    def proposed_sql(self) -> str:
        """The SQL of the last proposal."""
        assert self._waiting is not None
        return self._waiting[1].query.sql


async def turn_rows(stage: Stage, *, warm_up: int, repetitions: int) -> list[Row]:
    """Both halves of a turn. Each repetition asks and approves once on either side."""
    async with session(stage.settings(), Console(quiet=True)) as opened:
        turns = Turns(opened)
        await turns.ask()
        async with _bare_turns(stage, turns.proposed_sql()) as bare:
            return await _measured(turns, bare, warm_up, repetitions)


@asynccontextmanager
async def _bare_turns(stage: Stage, sql: str) -> AsyncIterator[BareTurns]:
    """LangGraph's own saver and the driver's own pools, as their documentation sets them up."""
    arguments = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    control: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        stage.control, kwargs=arguments, min_size=1, max_size=10, open=False
    )
    async with control, AsyncConnectionPool(stage.payments, min_size=1, max_size=2, open=False) as warehouse:
        yield BareTurns(AsyncPostgresSaver(control), warehouse, sql)


async def _measured(turns: Turns, bare: BareTurns, warm_up: int, repetitions: int) -> list[Row]:
    approved: tuple[list[float], list[float]] = ([], [])

    async def whole() -> float:
        asked = await turns.ask()
        approved[0].append(await turns.approve())
        return asked

    async def bare_whole() -> float:
        asked = await bare.ask()
        approved[1].append(await bare.approve())
        return asked

    with no_collection():
        asked = await side_by_side(whole, bare_whole, warm_up=warm_up, repetitions=repetitions)
    return [
        Row(
            name="turn: question → proposal",
            subject_is="rules, warm, terminal: understood, compiled, checked, estimated, card posted",
            times=tuple(asked[0]),
            floor_is=f"graph of as many empty steps up to an interrupt, LangGraph's own saver, same database: {FLOOR}",
            floor_times=tuple(asked[1]),
        ),
        Row(
            name="turn: approval → answer",
            subject_is="run, stored, verified, described, chart and workbook made, card posted",
            times=tuple(approved[0][warm_up:]),
            floor_is=f"as many empty steps to the end, and the bare SQL: {FLOOR}",
            floor_times=tuple(approved[1][warm_up:]),
        ),
    ]
