"""Who wrote or pressed it, by Entra object id; guests and people of no directory may be kept out."""

from dataclasses import dataclass
from typing import Final

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.inbound import Origin
from adapters.channels.teams.roster import Roster

_BOT: Final = "28:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Senders:
    """Asks the conversation's roster what the activity does not tell."""

    config: TeamsConfig
    roster: Roster

    async def known(self, activity: InboundActivity, origin: Origin) -> InboundActivity | None:
        """The activity with its author's object id; None where its author may not ask.

        Whom the roster does not know is taken at Teams' word. Raises `DeliveryUnavailable`.
        """
        sender = activity.sender
        if self.config.is_open:
            return activity
        member = await self.roster.member(origin.address, sender.id or sender.aad_object_id)
        if member is not None and member.is_outsider and not self.config.allows_guests:
            return None
        object_id = sender.aad_object_id or (member.aad_object_id or member.object_id if member else "")
        if not object_id:
            return None
        identified = sender.model_copy(update={"aad_object_id": object_id})
        is_outsider = member is not None and member.is_outsider
        return activity.model_copy(update={"sender": identified, "is_outsider": is_outsider})


def is_bot(activity: InboundActivity) -> bool:
    """Whether another bot sent it, or this one."""
    return activity.sender.id.startswith(_BOT)
