from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from adapters.channels.slack.clients import slack_clients
from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.thread_ids import read_slack_thread
from agent.values.identity import ExternalUser, TenantId, ThreadKey, UserId
from agent.values.turn import CardRef, Place
from tests.contract.channel_contract import ChannelContract, Rig
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, BOT_USER, Json, Trouble, Workspace

ROOTS = ("1793545100.000100", "1793545100.000200")


@dataclass(frozen=True)
class WorkspaceView:
    """A workspace as the contract looks at it."""

    workspace: Workspace

    def lines(self, place: Place) -> list[str]:
        thread = read_slack_thread(place.thread)
        said = self.workspace.thread(thread.channel, thread.root)
        return [self._line(message) for message in said if message["user"] == BOT_USER]

    def fail_next(self, times: int) -> None:
        self.workspace.troubles.clear()
        self.workspace.trouble("chat.postMessage", *[Trouble(retry_after=0)] * times)

    def lose(self, ref: CardRef) -> None:
        conversation = self.workspace.conversations[read_slack_thread(ref.thread).channel]
        conversation.messages.remove(self.workspace.message(conversation.id, ref.message_id))

    def _line(self, message: Json) -> str:
        files = message.get("files")
        return self.workspace.files[files[0]["id"]].name if files else str(message["text"])


class TestSlackChannel(ChannelContract):
    @pytest.fixture
    async def rig(self) -> AsyncIterator[Rig]:
        workspace = Workspace()
        workspace.add_user("U0ANA", name="Ana")
        workspace.add_conversation("C0SALES", "U0ANA")
        for root in ROOTS:
            workspace.say("C0SALES", {"user": "U0ANA", "text": "approval rate", "ts": root})
        async with slack_server(workspace) as server, slack_clients(BOT_TOKEN, server.api) as clients:
            yield Rig(
                channel=SlackChannel(clients, pace_seconds=0),
                place=_place(ROOTS[0]),
                other_place=_place(ROOTS[1]),
                user=ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA")),
                platform=WorkspaceView(workspace),
            )


def _place(root: str) -> Place:
    return Place(thread=ThreadKey(f"slack:T0HOME:C0SALES:{root}"), address="")
