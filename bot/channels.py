"""The chat platforms of a running service: which are configured, and how they meet the product."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from aiohttp import web

from adapters.channels.calls import Seen
from adapters.channels.slack.app import SlackApp
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.socket_mode import create_socket_mode
from adapters.channels.teams.app import TeamsApp, create_teams_app, create_teams_channel
from adapters.channels.teams.config import Endpoints, TeamsConfig
from adapters.channels.teams.file_source import TeamsFiles
from adapters.channels.teams.groups import EntraGroups
from adapters.channels.teams.members import TeamsMembers
from adapters.channels.teams.outbound import TeamsChannel
from adapters.control.postgres.conversations import PostgresSeenConversations
from adapters.control.redis.rate_limit import RateLimit
from agent.values.identity import ChannelName
from bot.addresses import addresses_of
from bot.audience.ports import ChannelMembers
from bot.bootstrap import Product, product
from bot.clock import SystemClock
from bot.connections import ProcessKind, connection_needs
from bot.links import DownloadLinks, links_of
from bot.operating.metrics import Metrics
from bot.ports import Channel, FileSource, GroupDirectory
from bot.processes import this_process
from bot.settings import Settings, TeamsSettings, names_in, secret_of
from bot.slack_service import SlackService, slack_service
from bot.stores import Stores
from bot.viewing import CardViews
from semantic_catalog.errors import OperatorError

log = structlog.get_logger()


class NoChannel(OperatorError):
    """A service without any chat platform has nothing to serve."""

    code = "no_channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """What a service listens to, beside what it posts with."""

    slack: SlackApp | None = None
    slack_clients: SlackClients | None = None
    slack_app_token: str = field(default="", repr=False)
    teams: TeamsApp | None = None
    links: DownloadLinks | None = None

    def routes(self) -> tuple[web.RouteDef, ...]:
        """The endpoints of every platform that comes in by HTTP."""
        slack = self.slack.routes(socket_mode=bool(self.slack_app_token)) if self.slack else ()
        return (*slack, *(self.teams.routes() if self.teams else ()))

    def names(self) -> tuple[ChannelName, ...]:
        """The platforms served."""
        named: tuple[tuple[ChannelName, object], ...] = (("slack", self.slack), ("teams", self.teams))
        return tuple(name for name, app in named if app is not None)

    @asynccontextmanager
    async def socket_mode(self) -> AsyncIterator[None]:
        """Slack over a WebSocket while inside, where an app-level token asks for it."""
        if self.slack is None or self.slack_clients is None or not self.slack_app_token:
            yield
            return
        async with create_socket_mode(self.slack, self.slack_app_token, self.slack_clients):
            yield


@asynccontextmanager
async def connected_channels(
    settings: Settings, endpoints: Endpoints | None = None, kind: ProcessKind = "command"
) -> AsyncIterator[tuple[Product, Channels]]:
    """The product with every configured platform. `endpoints` are Microsoft's unless told otherwise.

    Raises `NoChannel`, `SlackConfigInvalid` and `TeamsConfigInvalid` where a platform must not start, and
    `NoRoomForConnections` where a service of that `kind` does not fit beside the others.
    """
    async with AsyncExitStack() as stack:
        metrics = Metrics()
        process = this_process(kind, connection_needs(settings, addresses_of(settings), kind).control)
        slack = await slack_service(settings, stack, metrics.platform("slack"), process.name)
        links = _links(settings)
        config = _teams_config(settings, endpoints or Endpoints(), metrics.platform("teams"))
        teams = _teams_channel(config, links, settings) if config else None
        if slack is None and teams is None:
            raise NoChannel("set SLACK_BOT_TOKEN or SLACK_CLIENT_ID, or TEAMS_APP_ID; 'countersign chat' needs none")
        directories: dict[ChannelName, GroupDirectory] = {}
        sources: dict[ChannelName, FileSource] = {}
        readers: dict[ChannelName, ChannelMembers] = {}
        if slack is not None:
            directories["slack"] = slack.groups
            readers["slack"] = slack.members
            sources["slack"] = slack.files
        if config is not None and teams is not None:
            directories["teams"] = EntraGroups(config)
            readers["teams"] = TeamsMembers(config)
            sources["teams"] = TeamsFiles(hosts=config.endpoints.file_hosts)
            stack.push_async_callback(teams.close)
        built = await stack.enter_async_context(
            product(settings, partial(_posting, slack, teams), sources, directories, readers, metrics, process)
        )
        channels = Channels(
            slack=await slack.open(built) if slack else None,
            slack_clients=slack.clients if slack else None,
            slack_app_token=slack.app_token if slack else "",
            teams=_teams_app(built, config, teams) if config and teams else None,
            links=links,
        )
        if channels.slack is not None:
            stack.push_async_callback(channels.slack.close)
        yield built, channels


def _posting(slack: SlackService | None, teams: TeamsChannel | None, stores: Stores) -> dict[ChannelName, Channel]:
    posting: dict[ChannelName, Channel] = {}
    if slack is not None:
        posting["slack"] = slack.posting(RateLimit(stores.cache, SystemClock()))
    if teams is not None:
        posting["teams"] = teams
    return posting


def _teams_channel(config: TeamsConfig, links: DownloadLinks | None, settings: Settings) -> TeamsChannel:
    if links is None:
        return create_teams_channel(config)
    lasting = replace(links, lifetime_seconds=settings.teams.teams_picture_minutes * 60)
    # Teams shows pictures of https addresses only; on a machine of one's own they lie in the card.
    is_public = links.base_url.startswith("https://")
    return create_teams_channel(config, links.link_for, lasting.link_for if is_public else None)


def _teams_app(built: Product, config: TeamsConfig, channel: TeamsChannel) -> TeamsApp:
    views = CardViews(
        dialogs=built.surfaces.dialogs,
        runs=built.stores.runs,
        messages=built.stores.cards,
        policy=built.policy,
        clock=built.clock,
        scope_of=built.files.scope,
    )
    channel.serve(PostgresSeenConversations(built.stores.pool), views)
    return create_teams_app(
        config,
        channel,
        built.intake.receive,
        built.stores.artifacts,
        built.stores.threads.follows,
        built.clock,
        views,
    )


def _teams_config(settings: Settings, endpoints: Endpoints, seen: Seen) -> TeamsConfig | None:
    teams = settings.teams
    if not teams.teams_app_id and not teams.unsafe_teams_without_credentials:
        return None
    return TeamsConfig(
        app_id=teams.teams_app_id,
        app_password=secret_of(teams.teams_app_password),
        app_type=teams.teams_app_type,
        tenant_id=teams.teams_tenant_id,
        allowed_tenants=_tenants(teams),
        signing_secret=secret_of(settings.http.link_signing_secret).encode(),
        unsafe_without_credentials=teams.unsafe_teams_without_credentials,
        allows_guests=teams.teams_allow_guests,
        native_charts=teams.teams_native_charts,
        files_by_graph=teams.teams_files_by_graph,
        listen_host=settings.http.host,
        default_locale=settings.analyst.default_locale,
        endpoints=endpoints,
        seen=seen,
    )


def _tenants(teams: TeamsSettings) -> frozenset[str]:
    return frozenset(names_in(teams.teams_allowed_tenants))


def _links(settings: Settings) -> DownloadLinks | None:
    links = links_of(settings.http)
    if links is None:
        log.info("download_links_off", needs="PUBLIC_BASE_URL and LINK_SIGNING_SECRET")
    return links
