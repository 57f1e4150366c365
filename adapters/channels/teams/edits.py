"""Messages edited after they were asked: nothing is asked again by itself."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.inbound import Origin
from adapters.channels.teams.mentions import words_of
from adapters.channels.teams.telling import Telling
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.notices import notice_card
from cards.elements import Actions, Button

_EDITED: Final = "editMessage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Offers the author of an edited question to ask again as it reads now."""

    telling: Telling

    async def changed(self, activity: InboundActivity, origin: Origin) -> None:
        """Answer one edited message."""
        words, locale = words_of(activity), self.telling.locale(origin)
        again = Button(label=say(locale, "dialog.ask_again"), action=CardAction(verb="ask", value=words))
        said = notice_card(locale, say(locale, "dialog.edited"))
        card = replace(said, elements=(*said.elements, Actions(buttons=(again,))))
        digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]
        await self.telling.show(origin, card, f"edited:{activity.conversation.id}:{activity.id}:{digest}")


def is_edit(activity: InboundActivity) -> bool:
    """Whether its author changed the message's words."""
    return activity.channel_data.event_type == _EDITED and bool(words_of(activity))
