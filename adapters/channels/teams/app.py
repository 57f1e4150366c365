"""Teams' side of the HTTP app."""

import secrets
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from adapters.channels.teams.adapter import TeamsAdapter
from adapters.channels.teams.channel_files import ChannelFiles
from adapters.channels.teams.clicks import Clicks
from adapters.channels.teams.config import TeamsConfig, check_config
from adapters.channels.teams.consent import ConsentContexts
from adapters.channels.teams.consented_files import ConsentedFiles, StoredFiles
from adapters.channels.teams.drawing import Drawing, LinkFor
from adapters.channels.teams.edits import Edits
from adapters.channels.teams.intake import Follows, Receive, TeamsIntake
from adapters.channels.teams.outbound import TeamsChannel
from adapters.channels.teams.roster import Roster
from adapters.channels.teams.senders import Senders
from adapters.channels.teams.surfaces import NoSurfaces, Surfaces
from adapters.channels.teams.telling import Telling
from agent.ports import Clock

MESSAGES_PATH: Final = "/api/messages"
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsApp:
    """The one route that messages, clicks and consents come in by."""

    adapter: TeamsAdapter
    intake: TeamsIntake

    def routes(self) -> tuple[web.RouteDef, ...]:
        """What the HTTP app serves for Teams."""
        return (web.post(MESSAGES_PATH, self.deliver),)

    async def deliver(self, request: web.Request) -> web.StreamResponse:
        """Answer one delivery; the statuses are those of `TeamsAdapter.process`."""
        return await self.adapter.process(request, self.intake)


def create_teams_channel(
    config: TeamsConfig, link_for: LinkFor | None = None, picture_link: LinkFor | None = None
) -> TeamsChannel:
    """The channel of one bot. `link_for` makes a signed, expiring download link, `picture_link` one of a picture.

    Raises `TeamsConfigInvalid`.
    """
    check_config(config)
    # Without credentials nothing leaves this process that another would have to read.
    consents = ConsentContexts(secret=config.signing_key or secrets.token_bytes(_KEY_BYTES))
    adapter = TeamsAdapter(config)
    drawing = Drawing(
        roster=Roster(adapter.rest),
        surfaces=NoSurfaces(),
        picture_link=picture_link,
        native_charts=config.native_charts,
    )
    files = ChannelFiles(config, adapter.rest) if config.files_by_graph and not config.is_open else None
    return TeamsChannel(adapter, consents, drawing, link_for, config.default_locale, files)


def create_teams_app(
    config: TeamsConfig,
    channel: TeamsChannel,
    receive: Receive,
    files: StoredFiles,
    follows: Follows,
    clock: Clock,
    surfaces: Surfaces | None = None,
) -> TeamsApp:
    """What answers Teams' requests for the bot of `channel`. Raises `TeamsConfigInvalid`."""
    check_config(config)
    consented = ConsentedFiles(config=config, adapter=channel.adapter, consents=channel.consents, files=files)
    surfaces = surfaces or NoSurfaces()
    telling = Telling(channel=channel, default_locale=config.default_locale)
    intake = TeamsIntake(
        config=config,
        channel=channel,
        consented=consented,
        senders=Senders(config=config, roster=channel.roster),
        clicks=Clicks(telling=telling, surfaces=surfaces, receive=receive, clock=clock, home=config.tenant_id),
        edits=Edits(telling=telling),
        telling=telling,
        receive=receive,
        follows=follows,
        clock=clock,
    )
    return TeamsApp(adapter=channel.adapter, intake=intake)
