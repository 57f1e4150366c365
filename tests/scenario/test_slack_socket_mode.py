from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from bot.channels import connected_channels
from bot.serving import serving, working
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.envelopes import Envelopes, envelopes_of
from tests.fakes.slack.server import SlackServer, slack_server
from tests.fakes.slack.workspace import APP_TOKEN, BOT_TOKEN, Json, Workspace
from tests.scenario.conftest import MakeSettings
from tests.scenario.slack import text_of
from tests.scenario.waiting import eventually

QUESTION = "Approval rate by channel last month"
THREADS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """A bot over a WebSocket, and Slack's end of it."""

    workspace: Workspace
    server: SlackServer
    envelopes: Envelopes
    url: str

    def mention(self, text: str, thread: str = "") -> Json:
        """Somebody says it; the event about it."""
        said = self.workspace.say("C0SALES", {"user": "U0ANA", "text": f"<@U0BOT> {text}"})
        payload = sample("app_mention", event_id=f"Ev{said['ts']}", event__text=said["text"], event__ts=said["ts"])
        if thread:
            said["thread_ts"] = payload["event"]["thread_ts"] = thread
        return payload

    async def proposals(self, root: str, count: int) -> list[Json]:
        """The cards of a thread that wait for approval, once there are so many."""

        def look() -> list[Json] | None:
            found = [
                card
                for card in self.workspace.thread("C0SALES", root)
                if card.get("blocks") and "pproval rate" in text_of(card)
            ]
            return found if len(found) >= count else None

        return await eventually(look, f"{count} proposals")


@pytest.fixture
async def present(settings_of: MakeSettings) -> AsyncIterator[Present]:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(slack_server(workspace))
        envelopes = await stack.enter_async_context(envelopes_of(server))
        settings = settings_of(
            slack_bot_token=BOT_TOKEN,
            slack_app_token=APP_TOKEN,
            slack_api_url=server.api,
            slack_seconds_between_posts=0,
        )
        built, channels = await stack.enter_async_context(connected_channels(settings))
        url = await stack.enter_async_context(serving(built, channels))
        await stack.enter_async_context(channels.socket_mode())
        await stack.enter_async_context(working(built))
        yield Present(workspace=workspace, server=server, envelopes=envelopes, url=url)


async def test_through_reconnects_and_repeated_envelopes_nothing_is_lost_or_doubled(present: Present) -> None:
    desk, roots = present.envelopes, []
    for number in range(THREADS):
        question = present.mention(QUESTION)
        roots.append(question["event"]["ts"])
        await desk.deliver("events_api", question, again=number % 2)
        await (desk.refresh() if number % 2 else desk.drop())
        second = present.mention(f"{QUESTION}, top {number + 2}", thread=roots[-1])
        await desk.deliver("events_api", second, again=1)
    await desk.settled()
    assert desk.connections == THREADS + 1
    for root in roots:
        await present.proposals(root, 2)
    # Everything that was repeated has been handled by now: a doubled question would have a third card.
    last = present.mention(QUESTION)
    await desk.deliver("events_api", last)
    await present.proposals(last["event"]["ts"], 1)
    counted = Counter({root: len(await present.proposals(root, 2)) for root in roots})
    assert set(counted.values()) == {2}
