"""`countersign models`: whether the configured language models can do what the agents need."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Literal

import typer

from adapters.models.openai.profile import ModelProfile
from agent.errors import ModelError
from agent.modelling.asking import Output, ask, schema_of
from agent.modelling.prompts import material
from agent.values.completion import Prompt
from bot.agents_file import AGENTS, Agents, read_agents
from bot.settings import load_settings
from semantic_catalog.issues import nearest

models_app = typer.Typer(no_args_is_help=True, help="Checks the configured language models.")

PolicyOption = Annotated[
    Literal["warn", "fail"] | None,
    typer.Option("--policy", help="Whether a failed check exits 1; the file's if not given"),
]


@models_app.callback()
def _models() -> None:
    """Checks the configured language models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What one agent's model did with the probe; `fault` is empty when it did what agents need."""

    profile: ModelProfile
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    fault: str = ""


class ProbeOutput(Output):
    """What every agent's model is asked for: an object with a text, a number and a list, in a fixed form."""

    echo: str
    total: int
    parts: list[int]


@models_app.command()
def check(policy: PolicyOption = None) -> None:
    """Validate the profiles, look for each model in its endpoint's list and ask it for one small object.

    With the policy `fail`, a fault exits 1.
    """
    agents = read_agents(load_settings().models)
    found = asyncio.run(checked(agents))
    for agent in AGENTS:
        own = next((each for each in found if each.profile.agent == agent), None)
        typer.echo(_line(own) if own else f"off   {agent}")
    if any(each.fault for each in found) and (policy or agents.check) == "fail":
        raise typer.Exit(1)


def _line(checked: Checked) -> str:
    profile = checked.profile
    called = f"{profile.agent}: {profile.model} at {profile.base_url} ({profile.provider}, {profile.structured})"
    if checked.fault:
        return f"FAIL  {called}: {checked.fault}"
    return f"ok    {called}: {checked.seconds:.1f} s, {checked.tokens_in} tokens in, {checked.tokens_out} out"


async def checked(agents: Agents) -> list[Checked]:
    """What each configured agent's model did with the probe."""
    return [each async for each in _probed(agents)]


async def _probed(agents: Agents) -> AsyncIterator[Checked]:
    from adapters.models.openai.model import OpenAiModel

    for profile in agents.profiles:
        missing = await _missing(profile)
        if missing:
            yield Checked(profile=profile, seconds=0, fault=missing)
            continue
        model = OpenAiModel(profile)
        started = perf_counter()
        try:
            asked = await ask(model, _probe(profile), ProbeOutput, attempts=1)
        except ModelError as error:
            yield Checked(profile=profile, seconds=perf_counter() - started, fault=f"{error.code} ({error.detail})")
        else:
            fault = "" if asked.output.total == sum(asked.output.parts) else "the object does not follow the question"
            yield Checked(
                profile=profile,
                seconds=perf_counter() - started,
                tokens_in=asked.usage.tokens_in,
                tokens_out=asked.usage.tokens_out,
                fault=fault,
            )
        finally:
            await model.close()


async def _missing(profile: ModelProfile) -> str:
    """What is wrong with the profile's model by the endpoint's own list; '' where it is there or nothing is listed."""
    from adapters.models.openai.listing import is_offered, offered_models

    names = await offered_models(profile)
    if names is None or is_offered(profile.model, names):
        return ""
    return f"the endpoint has no model '{profile.model}' {nearest(profile.model, names)}".rstrip()


def _probe(profile: ModelProfile) -> Prompt:
    return Prompt(
        agent=profile.agent,
        rules="Answer with one object: `echo` is the material's text, `parts` its numbers, `total` their sum.",
        material=material(text="ready", numbers=[2, 3, 5]),
        name="probe",
        schema=schema_of(ProbeOutput),
    )
