"""Slack as a service meets it: one workspace by its token, or every workspace that installed the app."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.channels.calls import Seen, unseen
from adapters.channels.slack.app import SlackApp, create_distributed_slack_app, create_slack_app
from adapters.channels.slack.background import Background
from adapters.channels.slack.clients import SlackClients, clients_over, slack_clients, slack_session
from adapters.channels.slack.departures import Departure
from adapters.channels.slack.file_source import SlackFiles
from adapters.channels.slack.groups import SlackGroups
from adapters.channels.slack.members import SlackMembers
from adapters.channels.slack.oauth.client import app_client
from adapters.channels.slack.oauth.config import OAuthConfig, SlackConfigInvalid, check_oauth_config
from adapters.channels.slack.oauth.departing import EndedInstallations
from adapters.channels.slack.oauth.doors import Doors
from adapters.channels.slack.oauth.flow import create_install_routes
from adapters.channels.slack.oauth.installations import StoredInstallations
from adapters.channels.slack.oauth.outbound import (
    WorkspacesChannel,
    WorkspacesFiles,
    WorkspacesGroups,
    WorkspacesMembers,
)
from adapters.channels.slack.oauth.seals import Seals
from adapters.channels.slack.oauth.states import StoredStates
from adapters.channels.slack.oauth.workspaces import Workspaces
from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.pace import Gate
from adapters.channels.slack.scopes import BOT_SCOPES
from adapters.control.postgres.connections import OWN_NAME, create_pool
from adapters.control.postgres.slack_installations import PostgresSlackInstallations
from bot.addresses import addresses_of
from bot.audience.ports import ChannelMembers
from bot.bootstrap import Product
from bot.connections import INSTALLATIONS_CONNECTIONS
from bot.departures import Departures
from bot.ports import Channel, FileSource, GroupDirectory
from bot.settings import Settings, SlackSettings, names_in, secret_of

_UNSIGNED = "socket-mode"
"""Stands for the signing secret where no request comes in by HTTP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackService:
    """What posts, knows groups and fetches files; `open` makes the app that listens once the product stands.

    `posting` takes what keeps all processes together to one pace.
    """

    posting: Callable[[Gate], Channel]
    groups: GroupDirectory
    files: FileSource
    members: ChannelMembers
    clients: SlackClients
    open: Callable[[Product], Awaitable[SlackApp]]
    app_token: str = field(default="", repr=False)


async def slack_service(
    settings: Settings, stack: AsyncExitStack, seen: Seen = unseen, name: str = OWN_NAME
) -> SlackService | None:
    """Slack as configured, its requests told to `seen`; None without. Raises `SlackConfigInvalid`.

    `name` is what the control database calls its connections.
    """
    slack = settings.slack
    if slack.slack_bot_token is None and not slack.slack_client_id:
        return None
    if slack.slack_bot_token is not None and slack.slack_client_id:
        raise SlackConfigInvalid("set SLACK_BOT_TOKEN (one workspace) or SLACK_CLIENT_ID (several), not both")
    if slack.slack_signing_secret is None and slack.slack_app_token is None:
        raise SlackConfigInvalid("Slack needs SLACK_SIGNING_SECRET (HTTP) or SLACK_APP_TOKEN (Socket Mode)")
    if slack.slack_bot_token is not None:
        return await _of_one_workspace(slack, stack, seen)
    return await _of_every_workspace(settings, stack, seen, name)


def oauth_config(settings: Settings) -> OAuthConfig:
    """The distributed app as configured, unchecked."""
    slack = settings.slack
    return OAuthConfig(
        client_id=slack.slack_client_id,
        client_secret=secret_of(slack.slack_client_secret),
        keys=names_in(secret_of(slack.slack_token_keys)),
        public_base_url=settings.http.public_base_url,
        scopes=BOT_SCOPES,
        allowed=frozenset(names_in(slack.slack_allowed_workspaces)),
    )


async def _of_one_workspace(slack: SlackSettings, stack: AsyncExitStack, seen: Seen) -> SlackService:
    token = secret_of(slack.slack_bot_token)
    clients = await stack.enter_async_context(slack_clients(token, slack.slack_api_url, seen=seen))

    async def opened(built: Product) -> SlackApp:
        async def left(departure: Departure) -> None:
            await _ended(built, (departure.team,))

        return create_slack_app(
            clients,
            secret_of(slack.slack_signing_secret) or _UNSIGNED,
            built.intake.receive,
            built.stores.threads.follows,
            built.clock,
            built.settings.analyst.default_locale,
            built.surfaces,
            left,
        )

    return SlackService(
        posting=lambda gate: SlackChannel(clients, slack.slack_seconds_between_posts, gate),
        groups=SlackGroups(clients.once),
        members=SlackMembers(clients.repeating),
        files=SlackFiles(clients=clients, hosts=names_in(slack.slack_file_hosts)),
        clients=clients,
        open=opened,
        app_token=secret_of(slack.slack_app_token),
    )


async def _of_every_workspace(settings: Settings, stack: AsyncExitStack, seen: Seen, name: str) -> SlackService:
    slack, config = settings.slack, oauth_config(settings)
    check_oauth_config(config)
    session = await stack.enter_async_context(slack_session(seen=seen))
    own = app_client(session, slack.slack_api_url)
    pool = create_pool(addresses_of(settings).control, max_connections=INSTALLATIONS_CONNECTIONS, name=name)
    stack.push_async_callback(pool.close)
    rows = PostgresSlackInstallations(pool)
    rotator = AsyncTokenRotator(client_id=config.client_id, client_secret=config.client_secret, client=own)
    installations = StoredInstallations(rows, Seals(config.keys), rotator)
    workspaces = Workspaces(installations, rows, session, slack.slack_api_url)

    def posting(gate: Gate) -> WorkspacesChannel:
        pace = slack.slack_seconds_between_posts
        return WorkspacesChannel(workspaces=workspaces, make=lambda clients: SlackChannel(clients, pace, gate))

    async def opened(built: Product) -> SlackApp:
        await installations.encrypt_again()

        async def ended(teams: tuple[str, ...]) -> None:
            await _ended(built, teams)

        locale = built.settings.analyst.default_locale
        states = StoredStates(rows, built.clock)
        return create_distributed_slack_app(
            workspaces,
            _doors(built),
            secret_of(slack.slack_signing_secret) or _UNSIGNED,
            EndedInstallations(rows=rows, installations=installations, workspaces=workspaces, ended=ended).left,
            create_install_routes(config, own, installations, states, workspaces, locale),
        )

    return SlackService(
        posting=posting,
        groups=WorkspacesGroups(workspaces=workspaces),
        members=WorkspacesMembers(workspaces=workspaces),
        files=WorkspacesFiles(workspaces=workspaces, hosts=names_in(slack.slack_file_hosts)),
        clients=clients_over(session, "", slack.slack_api_url),
        open=opened,
        app_token=secret_of(slack.slack_app_token),
    )


def _doors(built: Product) -> Doors:
    return Doors(
        background=Background(),
        receive=built.intake.receive,
        follows=built.stores.threads.follows,
        surfaces=built.surfaces,
        clock=built.clock,
        default_locale=built.settings.analyst.default_locale,
    )


async def _ended(built: Product, teams: tuple[str, ...]) -> None:
    """What waits in these workspaces ends, and nothing is sent to them again and again."""
    departures = Departures(lists=built.stores.lists, deciding=built.deciding, schedules=built.schedules)
    await departures.left(teams)
