"""Whether each configured model answers as its agent needs it."""

from collections.abc import AsyncIterator

from bot.agents_file import read_agents
from bot.checkups.finding import Finding, unwell, well
from bot.commands.models import checked
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
