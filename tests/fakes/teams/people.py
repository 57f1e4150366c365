"""People in Teams: they write, click and accept files. Every request carries a valid token unless told otherwise."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

from tests.fakes.teams.connector import APP_ID, TENANT, TeamsStandIn
from tests.fakes.teams.drive import TEAM
from tests.fakes.teams.posted import Posted
from tests.fakes.teams.rules import answer_faults
from tests.fakes.teams.signing import signed

PAYLOADS = Path(__file__).resolve().parents[2] / "payloads" / "teams"
BOT_ID = f"28:{APP_ID}"
_ids = count(1_793_800_000_000)
_DELIVERIES = 3


@dataclass(frozen=True, kw_only=True)
class Person:
    """A member of the tenant."""

    name: str = "Ana Torres"
    object_id: str | None = "a11ce000-0000-4000-8000-000000000001"
    tenant: str = TENANT
    locale: str = "en-US"
    role: str = "user"

    def account(self) -> dict[str, Any]:
        """As Teams names them to this bot."""
        known = {"aadObjectId": self.object_id} if self.object_id else {}
        return {"id": f"29:{self.name.replace(' ', '')}", "name": self.name, **known}


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A chat or a channel; `id` is without a message."""

    scope: str
    id: str

    def team(self) -> dict[str, Any]:
        """What Teams tells of the team that a channel belongs to."""
        return {"team": {"id": TEAM}, "channel": {"id": self.id}} if self.scope == "channel" else {}

    def thread(self, root: str) -> str:
        """The id under which its thread is written to."""
        return f"{self.id};messageid={root}" if self.scope == "channel" else self.id


PERSONAL = Conversation(scope="personal", id="a:17I0kl9EkpE1O9PH5TWrzrLNwnWWcfrU7QZjKR0WSfOpzbfcAg2")
GROUP = Conversation(scope="groupChat", id="19:d2f8a1c60b5e4d0c9d07e2c0a5f3b8aa@thread.v2")
CHANNEL = Conversation(scope="channel", id="19:253b1f341670408fb6fe51050b6e5ceb@thread.tacv2")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the bot answered."""

    status: int
    body: Any


def payload(name: str) -> dict[str, Any]:
    """A sample in the documented shape."""
    read: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    return read


@dataclass(kw_only=True)
class TeamsClient:
    """Teams as people use it, in front of one bot."""

    teams: TeamsStandIn
    bot_url: str
    roles: dict[str, str] = field(default_factory=dict)
    signs: bool = True

    async def send(self, activity: dict[str, Any], **token: Any) -> Answer:
        """Deliver an activity; `token` replaces claims, or is the whole header as `header`, or the `key` it is signed
        with.

        The roster knows the author afterwards, unless `listed` is False.
        """
        listed = token.pop("listed", True)
        activity = {**deepcopy(activity), "serviceUrl": self.teams.service_url}
        self.teams.meet(activity["conversation"]["id"], activity["conversation"]["conversationType"])
        if listed:
            self.teams.meet_person(activity["conversation"]["id"], self._listed(activity["from"]))
        return await self.send_raw(json.dumps(activity), **token)

    def _listed(self, account: dict[str, Any]) -> dict[str, Any]:
        """As the roster lists the author: with their role."""
        known = self.roles.get(account["id"], "user" if account.get("aadObjectId") else "anonymous")
        return {"userRole": known, "tenantId": TENANT, **account}

    async def send_raw(self, body: str, **token: Any) -> Answer:
        """Deliver any text."""
        key = token.pop("key", "key-1")
        header = token.pop("header", None)
        if header is None and self.signs:
            header = f"Bearer {signed(APP_ID, self.teams.service_url, key, token)}"
        headers = {"Authorization": header or "", "Content-Type": "application/json"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.bot_url, data=body, headers=headers) as response,
        ):
            text = await response.text()
            return Answer(status=response.status, body=json.loads(text) if text[:1] in ("{", "[") else text)

    async def say(
        self, person: Person, conversation: Conversation, text: str, *, root: str = "", mention: bool | None = None
    ) -> str:
        """Write a message, naming the bot outside personal chats; the message's id."""
        message = str(next(_ids))
        activity = self._from(person, conversation, root or message, "message") | {"id": message, "text": text}
        if conversation.scope != "personal" if mention is None else mention:
            mentioned = {"id": BOT_ID, "name": "Countersign"}
            activity["text"] = f"<at>Countersign</at> {text}"
            activity["entities"] = [{"type": "mention", "text": "<at>Countersign</at>", "mentioned": mentioned}]
        answer = await self._delivered(activity)
        assert answer.status == 201, answer
        return message

    async def give(self, person: Person, conversation: Conversation, text: str, *attachments: dict[str, Any]) -> str:
        """Write a message with attachments; the message's id."""
        message = str(next(_ids))
        activity = self._from(person, conversation, message, "message") | {"id": message, "text": text}
        answer = await self.send(activity | {"attachments": list(attachments)})
        assert answer.status == 201, answer
        return message

    async def press(self, person: Person, conversation: Conversation, card: Posted, title: str, typed: str = "") -> Any:
        """Press a button of a card; the answer, which must be one that Teams can show."""
        button = next(found for found in buttons(card.card) if found["title"] == title)
        data = {**button["data"], **({button["data"]["input"]: typed} if "input" in button["data"] else {})}
        return await self._execute(person, conversation, card, {**button, "data": data})

    async def send_form(
        self, person: Person, conversation: Conversation, card: Posted, verb: str, **filled: str
    ) -> Any:
        """Fill in the form under a button and send it; fields that are not named stay as they are."""
        button = next(found for found in buttons(card.card) if found["verb"] == verb)
        inputs = {node["id"]: node for node in nodes(card.card) if str(node.get("type")).startswith("Input.")}
        fields = button["data"].get("fields") or {"text": button["data"]["input"]}
        values = {target: filled.get(key, inputs[target].get("value", "")) for key, target in fields.items()}
        return await self._execute(person, conversation, card, {**button, "data": {**button["data"], **values}})

    async def look(self, person: Person, conversation: Conversation, card: Posted) -> Any:
        """See a card that has views of its own for some people: Teams asks for this person's."""
        assert person.account()["id"] in card.card["refresh"]["userIds"]
        return await self._execute(person, conversation, card, card.card["refresh"]["action"], trigger="automatic")

    async def rate(self, person: Person, conversation: Conversation, card: Posted, reaction: str, words: str) -> Answer:
        """Press a thumb that Teams shows below a message."""
        assert card.activity["channelData"]["feedbackLoop"] == {"type": "default"}
        told = {"reaction": reaction, "feedback": json.dumps({"feedbackText": words})}
        activity = self._on(person, conversation, card, "invoke") | {"name": "message/submitAction"}
        return await self.send(activity | {"value": {"actionName": "feedback", "actionValue": told}})

    async def edit(self, person: Person, conversation: Conversation, message: str, text: str) -> Answer:
        """Change the words of a message."""
        activity = self._from(person, conversation, message, "messageUpdate") | {"id": message, "text": text}
        changed = {"eventType": "editMessage", "tenant": {"id": person.tenant}}
        return await self.send(activity | {"channelData": changed})

    async def _delivered(self, activity: dict[str, Any]) -> Answer:
        """Deliver again what a bot under pressure asks to have again, as Teams and its people do."""
        for _ in range(_DELIVERIES - 1):
            answer = await self.send(activity)
            if answer.status != 503:
                return answer
        return await self.send(activity)

    async def _execute(
        self,
        person: Person,
        conversation: Conversation,
        card: Posted,
        button: dict[str, Any],
        trigger: str = "manual",
    ) -> Any:
        action = {"type": "Action.Execute", "verb": button["verb"], "data": button["data"]}
        activity = self._on(person, conversation, card, "invoke") | {
            "name": "adaptiveCard/action",
            "value": {"action": action, "trigger": trigger},
        }
        answer = await self._delivered(activity)
        assert answer.status == 200, answer
        self.teams.faults += answer_faults(answer.body)
        return answer.body

    async def press_in_old_client(self, person: Person, conversation: Conversation, card: Posted, title: str) -> Answer:
        """Press a button of a card in a client that knows Action.Submit only."""
        button = next(found for found in buttons(card.card) if found["title"] == title)
        activity = self._on(person, conversation, card, "message")
        return await self.send(activity | {"value": button["fallback"]["data"]})

    async def accept(self, person: Person, offer: Posted, **upload: str) -> Answer:
        """Let the bot upload the offered file."""
        name = offer.attachment["name"]
        info = {
            "contentUrl": f"https://contoso-my.sharepoint.com/{name}",
            "uploadUrl": self.teams.upload_url(name),
            "name": name,
            "uniqueId": "8CB0C0D4",
            "fileType": "xlsx",
            **upload,
        }
        return await self._consent(person, offer, "accept", info)

    async def decline(self, person: Person, offer: Posted) -> Answer:
        """Do not want the offered file."""
        return await self._consent(person, offer, "decline", None)

    async def _consent(self, person: Person, offer: Posted, action: str, info: dict[str, str] | None) -> Answer:
        value = {
            "type": "fileUpload",
            "action": action,
            "context": offer.attachment["content"][f"{action}Context"],
            "uploadInfo": info,
        }
        activity = self._on(person, PERSONAL, offer, "invoke")
        return await self.send(activity | {"name": "fileConsent/invoke", "value": value})

    def _on(self, person: Person, conversation: Conversation, card: Posted, kind: str) -> dict[str, Any]:
        root = card.conversation.partition(";messageid=")[2]
        return self._from(person, conversation, root, kind) | {"id": f"f:{next(_ids)}", "replyToId": card.id}

    def _from(self, person: Person, conversation: Conversation, root: str, kind: str) -> dict[str, Any]:
        if person.role != "user":
            self.roles[person.account()["id"]] = person.role
        return {
            "type": kind,
            "channelId": "msteams",
            "from": person.account(),
            "recipient": {"id": BOT_ID, "name": "Countersign"},
            "conversation": {
                "id": conversation.thread(root),
                "conversationType": conversation.scope,
                "tenantId": person.tenant,
            },
            "channelData": {"tenant": {"id": person.tenant}, **conversation.team()},
            "locale": person.locale,
        }


def buttons(node: object) -> Iterator[dict[str, Any]]:
    """Every Action.Execute of a card that a person can press, also in the cards it unfolds."""
    return (found for found in nodes(node) if found.get("type") == "Action.Execute" and found["verb"] != "refresh")


def nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every object of a card."""
    if isinstance(node, dict):
        yield node
        for held in node.values():
            yield from nodes(held)
    elif isinstance(node, list):
        for item in node:
            yield from nodes(item)


def file_attachment(name: str, url: str) -> dict[str, Any]:
    """A file of a person's drive, as Teams attaches it in a personal chat."""
    return {
        "contentType": "application/vnd.microsoft.teams.file.download.info",
        "contentUrl": f"https://contoso-my.sharepoint.com/personal/ana/Documents/{name}",
        "name": name,
        "content": {"downloadUrl": url, "uniqueId": "1150D938", "fileType": name.rpartition(".")[2]},
    }
