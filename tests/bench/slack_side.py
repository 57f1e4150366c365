"""Slack as a process of its own, with hundreds of people and channels: `python -m tests.bench.slack_side PORT`."""

import sys

from aiohttp import web

from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import Json, Workspace

PEOPLE = 200
CHANNELS = 6_000
"""Each question is asked in a channel of its own, so that none waits for the pace of posts of another."""

PROPOSALS_PATH = "/bench/proposals"
FAULTS_PATH = "/bench/faults"


def person_of(number: int) -> str:
    """Who asks the question of that number."""
    return f"U0P{number % PEOPLE:04d}"


def channel_of(number: int) -> str:
    """Where it is asked."""
    return f"C0B{number % CHANNELS:05d}"


def root_of(number: int) -> str:
    """The `ts` of its message."""
    return f"1793545200.{number % CHANNELS + 1:06d}"


def workspace() -> Workspace:
    """Everybody, and one message in every channel that a question is asked with."""
    made = Workspace(shared_after_calls=1)
    for number in range(PEOPLE):
        made.add_user(person_of(number), name=f"Person {number}", locale="en-US")
    for number in range(CHANNELS):
        channel = made.add_conversation(channel_of(number), person_of(number))
        said = made.say(channel, {"user": person_of(number), "text": "<@U0BOT>"})
        assert said["ts"] == root_of(number)
    return made


def application(server: SlackServer) -> web.Application:
    """Slack's own routes, and what the bench looks at: open proposals, and everything that Slack would refuse."""
    held = server.workspace

    async def proposals(_: web.Request) -> web.Response:
        said = ((each.id, message) for each in held.conversations.values() for message in each.messages)
        return web.json_response([(channel, message) for channel, message in said if _can_be_approved(message)])

    async def faults(_: web.Request) -> web.Response:
        return web.json_response(held.faults)

    app = server.app()
    app.router.add_get(PROPOSALS_PATH, proposals)
    app.router.add_get(FAULTS_PATH, faults)
    return app


def _can_be_approved(message: Json) -> bool:
    rows = (block["elements"] for block in message.get("blocks", ()) if block["type"] == "actions")
    return any(element["action_id"].startswith("approve:") for row in rows for element in row)


def main() -> None:
    """Serve until told to stop."""
    port = int(sys.argv[1])
    server = SlackServer(workspace())
    server.url = f"http://127.0.0.1:{port}"
    web.run_app(application(server), host="127.0.0.1", port=port, access_log=None, print=None)


if __name__ == "__main__":
    main()
