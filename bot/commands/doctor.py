"""`countersign doctor`: checks every dependency and says, in words, what to mend."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import typer

from adapters.channels.teams.config import Endpoints
from bot.addresses import addresses_of
from bot.bootstrap import DEMO_POLICY
from bot.checkups.finding import Finding, unwell, well
from bot.checkups.models import models_checked
from bot.checkups.slack import SlackCheckup
from bot.checkups.stores import StoreCheckup
from bot.checkups.surroundings import surroundings
from bot.checkups.teams import TeamsCheckup
from bot.settings import Settings, load_settings
from bot.sources import PolicyFile
from semantic_catalog.errors import OperatorError
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog

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
    catalog = _catalog(settings)
    yield catalog if isinstance(catalog, Finding) else well("catalog", f"{len(catalog.domains)} domains")
    yield _policy(settings, None if isinstance(catalog, Finding) else catalog)
    async for finding in models_checked(settings.models):
        yield finding
    async for finding in surroundings(settings):
        yield finding
    try:
        addresses = addresses_of(settings)
    except OperatorError as error:
        fix = "Set the URLs in .env, or run 'countersign demo up' for the embedded demo."
        yield unwell("addresses", error.detail, fix)
        return
    known = None if isinstance(catalog, Finding) else catalog
    stores = StoreCheckup(settings=settings, addresses=addresses, catalog=known)
    async for finding in stores.findings():
        yield finding


def _catalog(settings: Settings) -> Catalog | Finding:
    try:
        return load_catalog(settings.analyst.catalog_dir)
    except OperatorError as error:
        return unwell("catalog", error.detail, "Run 'countersign catalog validate' and mend it.")


def _policy(settings: Settings, catalog: Catalog | None) -> Finding:
    path = settings.analyst.policy_file
    try:
        PolicyFile(path or DEMO_POLICY, settings.analyst.caps(), catalog)
    except OperatorError as error:
        fix = "Set POLICY_FILE to a valid policy; deploy/policy.example.yaml explains it."
        return unwell("policy", error.detail, fix)
    return well("policy", "" if path else "the demo's: set POLICY_FILE before anybody real asks")
