"""How a file reaches people: their OneDrive where they are alone with the bot, a channel's files, or a link."""

from dataclasses import dataclass

import structlog

from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.channel_files import ChannelFiles
from adapters.channels.teams.consent import ConsentContexts, OfferedFile
from adapters.channels.teams.drawing import LinkFor
from adapters.channels.teams.messages import consent_message, link_message, text_message
from adapters.channels.teams.thread_ids import read_teams_thread
from agent.values.identity import RunId
from agent.values.turn import Place
from agent.wording.texts import say
from cards.elements import Attachment
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOffers:
    """`link_for` makes signed, expiring links; `files` puts files among those of a channel, where configured."""

    consents: ConsentContexts
    link_for: LinkFor | None
    files: ChannelFiles | None
    default_locale: Locale

    async def message(self, place: Place, address: TeamsAddress, run: RunId, attachment: Attachment) -> object:
        """What is posted for the file."""
        locale = address.locale or self.default_locale
        if address.scope == "dm":
            offered = OfferedFile(run=run, key=attachment.key, name=attachment.name)
            return consent_message(attachment, self.consents.write(offered, place.thread), locale)
        opened = await self._filed(place, address, run, attachment)
        if opened:
            return link_message(attachment, opened, locale, "teams.open_file")
        if self.link_for is None:
            return text_message(say(locale, "teams.file_only_personal", title=attachment.title))
        return link_message(attachment, self.link_for(run, attachment.key), locale)

    async def _filed(self, place: Place, address: TeamsAddress, run: RunId, attachment: Attachment) -> str:
        """Where the file is to be opened among the channel's files; empty where it does not lie there."""
        if self.files is None or address.scope != "channel":
            return ""
        try:
            return await self.files.put(address, read_teams_thread(place.thread).tenant, run, attachment)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_file_not_filed", code=error.code, detail=error.detail)
            return ""
