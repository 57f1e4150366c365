"""Slack's side of a delivery: samples of the documented shapes, signed and sent to the bot's address."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from aiohttp import ClientSession

from tests.fakes.slack.workspace import Json

_SAMPLES = Path(__file__).parents[2] / "payloads" / "slack"


def sample(name: str, **changes: object) -> Json:
    """The payload sample; a change names a path with double underscores: `event__text="…"`."""
    payload: Json = deepcopy(json.loads((_SAMPLES / f"{name}.json").read_text(encoding="utf-8")))
    for path, held in changes.items():
        *parents, last = path.split("__")
        target: Any = payload
        for parent in parents:
            target = target[int(parent)] if isinstance(target, list) else target[parent]
        target[last] = held
    return payload


def mention_event(said: Json, *, channel: str, user: str, thread: str = "", event_id: str = "") -> Json:
    """The event of a message that mentions the bot, in its thread where it stands in one."""
    payload = sample(
        "app_mention",
        event_id=event_id or f"Ev{said['ts']}",
        event__text=said["text"],
        event__user=user,
        event__ts=said["ts"],
        event__channel=channel,
    )
    if thread:
        payload["event"]["thread_ts"] = thread
    return payload


def press_of(button: Json, message: Json, *, channel: str, user: str, trigger: str, at: str) -> Json:
    """What Slack sends when somebody presses a button of a message; `at` is the moment, a `ts`."""
    return sample(
        "block_actions",
        user__id=user,
        container__message_ts=message["ts"],
        container__channel_id=channel,
        container__thread_ts=message["thread_ts"],
        channel__id=channel,
        message=message,
        trigger_id=trigger,
        actions__0__action_id=button["action_id"],
        actions__0__value=button["value"],
        actions__0__action_ts=at,
    )


def signature(secret: str, body: bytes, timestamp: str) -> str:
    """The header Slack would send."""
    signed = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the bot answered."""

    status: int
    body: str

    @property
    def payload(self) -> Json:
        """The answer as JSON; empty for none."""
        answered: Json = json.loads(self.body) if self.body else {}
        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliveries:
    """Sends what Slack sends."""

    session: ClientSession
    url: str
    secret: str

    async def event(self, payload: Json, *, retry: int = 0) -> Answer:
        """An event, or a repetition of one."""
        repeated = {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"} if retry else {}
        return await self.signed(json.dumps(payload).encode(), "application/json", repeated, age=60 * retry)

    async def interaction(self, payload: Json) -> Answer:
        """A click or a sent dialog."""
        body = urlencode({"payload": json.dumps(payload)}).encode()
        return await self.signed(body, "application/x-www-form-urlencoded")

    async def command(self, payload: Json) -> Answer:
        """A typed slash command."""
        return await self.signed(urlencode(payload).encode(), "application/x-www-form-urlencoded")

    async def signed(
        self, body: bytes, content_type: str, headers: Mapping[str, str] | None = None, *, age: int = 0
    ) -> Answer:
        """Anything, signed `age` seconds ago: the same body of another second has another signature."""
        timestamp = str(int(time.time()) - age)
        own = {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": signature(self.secret, body, timestamp)}
        return await self.raw(body, {"Content-Type": content_type, **own, **(headers or {})})

    async def raw(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Anything, with exactly these headers."""
        async with self.session.post(f"{self.url}/slack/events", data=body, headers=headers) as answer:
            return Answer(status=answer.status, body=await answer.text())
