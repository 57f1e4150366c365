"""The models of one process, opened anew when the agents' file changes; a faulty edit leaves the last good ones."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import structlog

from agent.ports import Interpreter
from agent.understanding.planner import Planner, PlannerMode
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.spec import Understanding
from bot.agents_file import Agents, read_agents
from bot.models import Models
from bot.settings import ModelSettings
from bot.stamps import stamp_of
from semantic_catalog.errors import OperatorError

CLOSE_AFTER_SECONDS = 600.0
"""Calls that are under way with models that are replaced get so long; with their retries they may take minutes."""

log = structlog.get_logger()


class LiveModels:
    """The agents as their file has them now. Call it inside the event loop."""

    def __init__(self, settings: ModelSettings, open_them: Callable[[Agents], Models]) -> None:
        """Raises `AgentsFileInvalid` and what `open_them` raises."""
        self._settings = settings
        self._open = open_them
        self._seen = stamp_of(settings.agents_file)
        self._replaced: set[asyncio.Task[None]] = set()
        self.is_faulty = False
        self.version = _version(settings.agents_file)
        self.agents = read_agents(settings)
        self._models = open_them(self.agents)

    def current(self) -> Models:
        """The models in force; an edit of the file is noticed here."""
        stamp = stamp_of(self._settings.agents_file)
        if stamp != self._seen:
            self._seen = stamp
            self._notice()
        return self._models

    def reload(self) -> str:
        """Read the file again; the version in force then. Raises `AgentsFileInvalid`, or what opening raises: nothing
        changes then.
        """
        seen, version = stamp_of(self._settings.agents_file), _version(self._settings.agents_file)
        agents = read_agents(self._settings)
        if agents != self.agents:
            opened = self._open(agents)
            self._retire(self._models)
            self.agents, self._models = agents, opened
        self._seen, self.version, self.is_faulty = seen, version, False
        return version

    async def close(self) -> None:
        """Give back every connection, also of models that were replaced."""
        for task in self._replaced:
            task.cancel()
        await asyncio.gather(*self._replaced, return_exceptions=True)
        await _close(self._models)

    def _notice(self) -> None:
        try:
            log.info("reloaded", what="models", version=self.reload())
        except OperatorError as error:
            self.is_faulty = True
            log.warning("not_reloaded", what="models", code=error.code, detail=error.detail)

    def _retire(self, models: Models) -> None:
        task = asyncio.create_task(_close_later(models))
        self._replaced.add(task)
        task.add_done_callback(self._replaced.discard)


class LivePlanner:
    """Implements `Interpreter`: a `Planner` over the rules and whichever model reads questions now."""

    def __init__(self, rules: Interpreter, models: LiveModels, mode: PlannerMode) -> None:
        self._rules = rules
        self._models = models
        self._mode = mode

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """See `Planner`."""
        return await Planner(self._rules, self._models.current().reader, self._mode).interpret(question, principal)


async def _close_later(models: Models) -> None:
    try:
        await asyncio.sleep(CLOSE_AFTER_SECONDS)
    finally:
        await _close(models)


async def _close(models: Models) -> None:
    for close in models.closes:
        await close()


def _version(path: Path) -> str:
    """Tells one content of the file from another; empty where there is none."""
    try:
        return sha256(path.read_bytes()).hexdigest()[:12]
    except OSError:
        return ""
