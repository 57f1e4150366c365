"""Everything around the processes: stores, platforms, a warehouse behind a door, a model, and the deployment itself."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

from tests.chaos.deployment import Deployment, Stores, deployed, own_stores
from tests.chaos.models import AGENTS, FickleModel, fickle_model
from tests.chaos.plans import Plan
from tests.chaos.policy import policy_for, settle, teams_direct, teams_person
from tests.chaos.statements import Statements
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay
from tests.fakes.slack.server import SlackServer, serving
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, TeamsStandIn
from tests.scenario.slack import SECRET


@dataclass(frozen=True, kw_only=True)
class World:
    """As it runs."""

    stores: Stores
    workspace: Workspace
    teams: TeamsStandIn
    warehouse: Relay
    statements: Statements
    model: FickleModel
    deployment: Deployment


@asynccontextmanager
async def world(chance: random.Random, plans: Sequence[Plan], folder: Path, warehouse_url: str) -> AsyncIterator[World]:
    """Started inside, stopped on the way out; `folder` keeps data and logs."""
    workspace, teams, statements = Workspace(shared_after_calls=1), _teams(), Statements()
    settle(workspace, plans)
    slack = SlackServer(workspace)
    async with AsyncExitStack() as stack:
        stores = await stack.enter_async_context(own_stores(folder / "stores"))
        relay = await stack.enter_async_context(open_relay(socket_of(warehouse_url), statements.overhear))
        slack.url = await stack.enter_async_context(serving(slack.app()))
        teams.listen_at(f"{await stack.enter_async_context(serving(teams.application()))}/")
        model, model_url = await stack.enter_async_context(fickle_model(chance))
        (folder / "agents.yaml").write_text(AGENTS.format(url=model_url), encoding="utf-8")
        (folder / "policy.yaml").write_text(policy_for(plans), encoding="utf-8")
        reader = make_conninfo(warehouse_url, host="127.0.0.1", port=relay.port)
        settings = {
            "CONTROL_DATABASE_URL": stores.control,
            "REDIS_URL": stores.services.valkey,
            "WAREHOUSE_URLS": f'{{"payments": "{_url(reader)}"}}',
            "POLICY_FILE": str(folder / "policy.yaml"),
            "AGENTS_FILE": str(folder / "agents.yaml"),
            "LLM_API_KEY": "none",
            "FIXED_TODAY": "2026-11-01",
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": slack.api,
            "SLACK_SECONDS_BETWEEN_POSTS": "0",
            "TEAMS_APP_ID": APP_ID,
            "TEAMS_APP_PASSWORD": PASSWORD,
            "TEAMS_TENANT_ID": TENANT,
            "TURNS_PER_MINUTE": "10000",
            "THREAD_TURNS_PER_MINUTE": "10000",
            "TENANT_TURNS_PER_MINUTE": "10000",
        }
        deployment = await stack.enter_async_context(deployed(folder, settings, teams.config().endpoints))
        yield World(
            stores=stores,
            workspace=workspace,
            teams=teams,
            warehouse=relay,
            statements=statements,
            model=model,
            deployment=deployment,
        )
        slack.stop()


def _teams() -> TeamsStandIn:
    """With the own chats of Ana and of Bob."""
    teams = TeamsStandIn()
    for person in ("ana", "bob"):
        teams.meet(teams_direct(person), "personal")
        teams.meet_person(teams_direct(person), {**teams_person(person).account(), "userRole": "user"})
    return teams


def _url(conninfo: str) -> str:
    """A URL of the same: settings take no other form."""
    parts = dict(part.split("=", 1) for part in conninfo.split())
    return f"postgresql://{parts['user']}@127.0.0.1:{parts['port']}/{parts['dbname']}"
