"""Whether each configured model answers as its agent needs it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.ports import Embedder
from bot.agents_file import Agents, read_agents
from bot.checkups.finding import Finding, unwell, well
from bot.commands.models import checked
from bot.models import open_embedder
from bot.settings import ModelSettings
from semantic_catalog.errors import OperatorError


async def models_checked(settings: ModelSettings) -> AsyncIterator[Finding]:
    """A finding for each agent with a model; each is asked for one small object, which costs some hundred tokens."""
    fix = "Mend AGENTS_FILE or the LLM_… settings, then run 'countersign models check'."
    try:
        agents = read_agents(settings)
    except OperatorError as error:
        yield unwell("models", error.detail, fix)
        return
    if not agents.profiles:
        yield well("models", "off: rules alone")
    for found in await checked(agents):
        name, model = f"model {found.profile.agent}", found.profile.model
        yield unwell(name, f"{model}: {found.fault}", fix) if found.fault else well(name, model)
    if agents.embeddings.provider != "none":
        yield await _vectors(agents)


async def _vectors(agents: Agents) -> Finding:
    """Whether a vector comes back."""
    name, fix = "embeddings", "Mend the EMBEDDING_… settings, or EMBEDDING_PROVIDER=none to do without."
    try:
        async with _embedder(agents) as embedder:
            length = len(await embedder.query("ready"))
    except OperatorError as error:
        return unwell(name, error.detail, fix)
    return well(name, f"vectors of {length}")


@asynccontextmanager
async def _embedder(agents: Agents) -> AsyncIterator[Embedder]:
    with TemporaryDirectory() as folder:
        embedder, closes = open_embedder(agents, Path(folder))
        assert embedder is not None
        try:
            yield embedder
        finally:
            for close in closes:
                await close()
