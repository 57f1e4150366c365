"""`countersign doctor`: checks every dependency and says, in words, what to mend."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import typer

from adapters.control.postgres.health import health as control_health
from adapters.control.redis.connections import create_client
from adapters.control.redis.health import health as cache_health
from agent.ports import Health
from bot.addresses import Addresses, addresses_of
from bot.agents_file import read_agents
from bot.bootstrap import DEMO_POLICY
from bot.settings import Settings, load_settings
from bot.sources import PolicyFile
from bot.warehouses import open_warehouse
from semantic_catalog.errors import OperatorError
from semantic_catalog.load import load_catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One checked thing; `fix` says what to do when it is not well."""

    name: str
    health: Health
    fix: str


def doctor() -> None:
    """Check settings, catalog, policy, stores, warehouses and channels. Exits with 1 when something needs mending."""
    findings = asyncio.run(_all())
    for finding in findings:
        mark = "ok  " if finding.health.ok else "FAIL"
        typer.echo(f"{mark} {finding.name}{f': {finding.health.detail}' if finding.health.detail else ''}")
        if not finding.health.ok:
            typer.echo(f"     {finding.fix}")
    if not all(finding.health.ok for finding in findings):
        raise typer.Exit(1)


async def _all() -> list[Finding]:
    settings = load_settings()
    return [finding async for finding in _findings(settings)]


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
    for finding in _channels(settings):
        yield finding
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


def _channels(settings: Settings) -> list[Finding]:
    slack, teams = settings.slack, settings.teams
    half_slack = slack.slack_bot_token is not None and not (slack.slack_signing_secret or slack.slack_app_token)
    half_teams = bool(teams.teams_app_id) and teams.teams_app_type != "UserAssignedMSI" and not teams.teams_app_password
    slack_detail = "off" if slack.slack_bot_token is None else "no signing secret" if half_slack else ""
    teams_detail = "off" if not teams.teams_app_id else "no app password" if half_teams else ""
    return [
        Finding(
            name="slack",
            health=Health(ok=not half_slack, detail=slack_detail),
            fix="Set SLACK_SIGNING_SECRET (HTTP) or SLACK_APP_TOKEN (Socket Mode).",
        ),
        Finding(
            name="teams",
            health=Health(ok=not half_teams, detail=teams_detail),
            fix="Set TEAMS_APP_PASSWORD, or TEAMS_APP_TYPE=UserAssignedMSI for a managed identity.",
        ),
    ]


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
