"""`countersign doctor`: checks every dependency and says, in words, what to mend."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Literal

import typer

from adapters.channels.teams.config import Endpoints
from adapters.control.postgres.health import health as control_health
from adapters.control.redis.connections import create_client
from adapters.control.redis.health import health as cache_health
from agent.ports import Health
from bot.addresses import Addresses, addresses_of
from bot.agents_file import read_agents
from bot.bootstrap import DEMO_POLICY
from bot.checkups.finding import Finding
from bot.checkups.slack import SlackCheckup
from bot.checkups.teams import TeamsCheckup
from bot.settings import Settings, load_settings
from bot.sources import PolicyFile
from bot.warehouses import open_warehouse
from semantic_catalog.errors import OperatorError
from semantic_catalog.load import load_catalog

Platform = Literal["all", "slack", "teams"]
Checked = Annotated[Platform, typer.Argument(help="Everything, or one chat platform alone.", show_default=True)]


def doctor(what: Checked = "all") -> None:
    """Check settings, catalog, policy, stores, warehouses and chat platforms. Exits with 1 when something is not well.

    Chat platforms are asked themselves, and this service at its public address as they would ask it.
    """
    findings = asyncio.run(checked(load_settings(), what))
    for finding in findings:
        mark = "ok  " if finding.health.ok else "FAIL"
        typer.echo(f"{mark} {finding.name}{f': {finding.health.detail}' if finding.health.detail else ''}")
        if not finding.health.ok:
            typer.echo(f"     {finding.fix}")
    if not all(finding.health.ok for finding in findings):
        raise typer.Exit(1)


async def checked(settings: Settings, what: Platform, endpoints: Endpoints | None = None) -> list[Finding]:
    """What was found, in order. `endpoints` are Microsoft's unless told otherwise."""
    named = _group_platforms(settings)
    slack = SlackCheckup(settings=settings, names_groups="slack" in named)
    teams = TeamsCheckup(settings=settings, names_groups="teams" in named, endpoints=endpoints or Endpoints())
    found = [finding async for finding in _findings(settings)] if what == "all" else []
    if what in ("all", "slack"):
        found += [finding async for finding in slack.findings()]
    if what in ("all", "teams"):
        found += [finding async for finding in teams.findings()]
    return found


def _group_platforms(settings: Settings) -> frozenset[str]:
    """The platforms whose groups the policy names; none where it cannot be read, which is a finding of its own."""
    try:
        policy = PolicyFile(settings.analyst.policy_file or DEMO_POLICY).current()
    except OperatorError:
        return frozenset()
    return frozenset(kept.channel for group in policy.groups for kept in group.kept_by)


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield _tried(
        "catalog",
        lambda: load_catalog(settings.analyst.catalog_dir),
        "Run 'countersign catalog validate' and mend it.",
    )
    yield _tried(
        "policy",
        lambda: PolicyFile(settings.analyst.policy_file or DEMO_POLICY),
        "Set POLICY_FILE to a valid policy; deploy/policy.example.yaml explains it.",
    )
    yield _models(settings)
    try:
        addresses = addresses_of(settings)
    except OperatorError as error:
        fix = "Set the URLs in .env, or run 'countersign demo up' for the embedded demo."
        yield Finding(name="addresses", health=Health(ok=False, detail=error.detail), fix=fix)
        return
    async for finding in _reached(addresses, settings):
        yield finding


def _tried(name: str, attempt: Callable[[], object], fix: str) -> Finding:
    try:
        attempt()
    except OperatorError as error:
        return Finding(name=name, health=Health(ok=False, detail=error.detail), fix=fix)
    return Finding(name=name, health=Health(ok=True), fix=fix)


def _models(settings: Settings) -> Finding:
    """The agents' profiles; whether the models answer is what 'countersign models check' asks them."""
    fix = "Mend AGENTS_FILE or the LLM_… settings, then run 'countersign models check'."
    try:
        profiles = read_agents(settings.models).profiles
    except OperatorError as error:
        return Finding(name="models", health=Health(ok=False, detail=error.detail), fix=fix)
    named = ", ".join(f"{profile.agent} {profile.model}" for profile in profiles)
    return Finding(name="models", health=Health(ok=True, detail=named or "off: rules alone"), fix=fix)


async def _reached(addresses: Addresses, settings: Settings) -> AsyncIterator[Finding]:
    demo = "or start the demo's with 'countersign demo up'"
    control = await control_health(addresses.control)
    yield Finding(name="control store", health=control, fix=f"Check CONTROL_DATABASE_URL and the server, {demo}.")
    cache = create_client(addresses.cache)
    yield await _with_close("cache", lambda: cache_health(cache), cache.aclose, f"Check REDIS_URL, {demo}.")
    catalog = load_catalog(settings.analyst.catalog_dir)
    for name, address in addresses.warehouses.items():
        warehouse = open_warehouse(address, catalog.domain(name), 1)
        fix = f"Check {name} in WAREHOUSE_URLS, its role and the server, {demo}."
        yield await _with_close(f"warehouse {name}", warehouse.health, warehouse.close, fix)


async def _with_close(
    name: str, check: Callable[[], Awaitable[Health]], close: Callable[[], Awaitable[None]], fix: str
) -> Finding:
    try:
        return Finding(name=name, health=await check(), fix=fix)
    finally:
        await close()
