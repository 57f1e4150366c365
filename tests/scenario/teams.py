"""A bot in front of a Teams of ours, and what people see there."""

import json
from dataclasses import dataclass
from typing import Any

from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, TeamsStandIn
from tests.fakes.teams.people import Conversation, Person, TeamsClient, buttons, nodes
from tests.fakes.teams.posted import Posted
from tests.scenario.waiting import eventually

BASE = "https://bot.example"
ANA = Person(name="Ana")
BOB = Person(name="Bob", object_id="b0b00000-0000-4000-8000-000000000002")
MALLORY = Person(name="Mallory", object_id="0bad0000-0000-4000-8000-000000000003")

CREDENTIALS: dict[str, Any] = {
    "teams_app_id": APP_ID,
    "teams_app_password": PASSWORD,
    "teams_tenant_id": TENANT,
}
PUBLIC: dict[str, Any] = {**CREDENTIALS, "public_base_url": BASE, "link_signing_secret": "k" * 32}


@dataclass(kw_only=True)
class Talk:
    """What happens in one conversation; `thread` is where it goes on."""

    client: TeamsClient
    conversation: Conversation
    thread: str = ""

    @property
    def teams(self) -> TeamsStandIn:
        """Where it is held."""
        return self.client.teams

    async def say(self, person: Person, text: str) -> str:
        """Write, in a channel as the root of a new thread; the message's id."""
        message = await self.client.say(person, self.conversation, text)
        self.thread = self.conversation.thread(message)
        return message

    async def press(self, person: Person, card: Posted, verb: str, **values: str) -> Any:
        """Press the first button of that verb, filling in what it asks."""
        if values:
            return await self.client.send_form(person, self.conversation, card, verb, **values)
        title = next(button["title"] for button in buttons(card.card) if button["verb"] == verb)
        return await self.client.press(person, self.conversation, card, title)

    async def card(self, verb: str, besides: tuple[str, ...] = ()) -> Posted:
        """The newest card with a button of that verb, other than those of the ids."""

        def look() -> Posted | None:
            found = [card for card in cards(self.teams, self.thread) if verb in verbs(card) and card.id not in besides]
            return found[-1] if found else None

        return await eventually(look, f"a card with {verb}")

    async def says(self, words: str, thread: str = "") -> Posted:
        """The newest message with these words."""

        def look() -> Posted | None:
            found = [each for each in self.teams.in_conversation(thread or self.thread) if words in shown(each)]
            return found[-1] if found else None

        return await eventually(look, f"a message with {words}")

    async def offered(self, besides: tuple[str, ...] = ()) -> Posted:
        """The newest file that waits for consent, other than those of the ids."""

        def look() -> Posted | None:
            found = [each for each in self.teams.in_conversation(self.thread) if content_type(each).endswith("consent")]
            return next((each for each in found if each.id not in besides), None)

        return await eventually(look, "an offered file")


def cards(teams: TeamsStandIn, conversation: str) -> list[Posted]:
    """The cards that stand there, oldest first."""
    return [posted for posted in teams.in_conversation(conversation) if "adaptive" in content_type(posted)]


def content_type(posted: Posted) -> str:
    """What the message holds; empty for words."""
    attachments = posted.activity.get("attachments") or [{}]
    return str(attachments[0].get("contentType", ""))


def verbs(posted: Posted) -> set[str]:
    """What can be pressed."""
    return {button["verb"] for button in buttons(posted.card)}


def verbs_of(answer: Any) -> set[str]:
    """What can be pressed on the card that a click was answered with."""
    return {button["verb"] for button in buttons(answer["value"])}


def shown(posted: Posted) -> str:
    """Everything the message says, as text."""
    return json.dumps(posted.activity, ensure_ascii=False)


def link_of(posted: Posted) -> str:
    """Where the card's download button leads."""
    return next(str(node["url"]) for node in nodes(posted.card) if node.get("type") == "Action.OpenUrl")


def picture_of(posted: Posted) -> str:
    """The address of the card's picture."""
    return next(str(node["url"]) for node in nodes(posted.card) if node.get("type") == "Image")


def sql_of(posted: Posted) -> str:
    """The SQL that the card shows."""
    return next(str(node["codeSnippet"]) for node in nodes(posted.card) if node.get("type") == "CodeBlock")
