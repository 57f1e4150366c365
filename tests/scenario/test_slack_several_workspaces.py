import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from slack_sdk.oauth.installation_store import Installation

from adapters.channels.slack.oauth.seals import Seals
from adapters.control.postgres.slack_installations import PostgresSlackInstallations
from agent.values.identity import TenantId
from tests.fakes.slack.consent import CLIENT_ID, CLIENT_SECRET
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_ID, BOT_USER, Json, Workspace
from tests.integration.bot.test_firing import WEEKLY
from tests.scenario.conftest import POLICY, MakeSettings, RunningBot, running_bot
from tests.scenario.slack import SECRET, SlackPeople, buttons_of, people_of, text_of
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"
KEY = Fernet.generate_key().decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Two:
    """Two workspaces in front of one bot; both have a user U0ANA, who are different people."""

    bot: RunningBot
    north: SlackPeople
    south: SlackPeople
    rows: PostgresSlackInstallations

    async def event(self, people: SlackPeople, **event: object) -> int:
        """An event about the app itself."""
        payload = sample(
            "app_mention",
            event_id=f"Ev{event['type']}{people.workspace.team}",
            event=event,
            event_time=int(time.time()),
        )
        return (await people.deliveries.event(addressed(payload, people.workspace))).status


def addressed(payload: Json, workspace: Workspace) -> Json:
    """The payload as it comes from that workspace."""
    payload |= {"team_id": workspace.team, "context_team_id": workspace.team}
    payload["authorizations"][0]["team_id"] = workspace.team
    return payload


async def ask(people: SlackPeople) -> str:
    """U0ANA asks; the root of the thread."""
    said = people.workspace.say("C0SALES", {"user": "U0ANA", "text": f"<@U0BOT> {QUESTION}"})
    payload = sample("app_mention", event_id=f"Ev{said['ts']}", event__text=said["text"], event__ts=said["ts"])
    payload["event"]["team"] = people.workspace.team
    assert (await people.deliveries.event(addressed(payload, people.workspace))).status == 200
    return str(said["ts"])


@pytest.fixture
async def two(settings_of: MakeSettings, tmp_path: Path) -> AsyncIterator[Two]:
    policy = tmp_path / "two.yaml"
    text = POLICY.read_text(encoding="utf-8").replace("team: T0HOME, user: U0ANA", "team: T0NORTH, user: U0ANA")
    policy.write_text(text.replace("team: T0HOME, user: U0BOB", "team: T0SOUTH, user: U0ANA"), encoding="utf-8")
    workspaces = tuple(Workspace(team=team, token=f"xoxb-{team}") for team in ("T0NORTH", "T0SOUTH"))
    for workspace in workspaces:
        workspace.add_user("U0ANA", name=f"Ana of {workspace.team}", locale="en-US")
        workspace.add_conversation("C0SALES", "U0ANA")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(slack_server(*workspaces))
        settings = settings_of(
            slack_client_id=CLIENT_ID,
            slack_client_secret=CLIENT_SECRET,
            slack_token_keys=KEY,
            slack_allowed_workspaces="T0NORTH,T0SOUTH",
            slack_signing_secret=SECRET,
            slack_api_url=server.api,
            slack_seconds_between_posts=0,
            public_base_url="https://bot.example",
            policy_file=policy,
        )
        bot = await stack.enter_async_context(running_bot(settings))
        rows = PostgresSlackInstallations(bot.product.stores.pool)
        for workspace in workspaces:
            await rows.put(workspace.team, Seals((KEY,)).seal(installed(workspace)))
        north, south = [await stack.enter_async_context(people_of(bot.url, workspace)) for workspace in workspaces]
        yield Two(bot=bot, north=north, south=south, rows=rows)


def installed(workspace: Workspace) -> Installation:
    return Installation(
        team_id=workspace.team, user_id="U0ADMIN", bot_token=workspace.token, bot_id=BOT_ID, bot_user_id=BOT_USER
    )


async def test_two_workspaces_with_the_same_user_id_are_two_people_each_answered_at_home(two: Two) -> None:
    north, south = await ask(two.north), await ask(two.south)
    shown = await two.north.card_with(north, "approve")
    waits = await two.south.card_with(south, "approve")
    listed = await two.bot.product.stores.lists.awaiting(10)
    assert {(run.thread.split(":")[1], run.asker) for run in listed} == {("T0NORTH", "ana"), ("T0SOUTH", "bob")}
    # The analyst of one workspace approves; who has the same id in the other one may not.
    await press(two.south, waits)
    [notice] = await eventually(lambda: two.south.workspace.ephemerals, "a notice to who may not approve")
    assert notice["user"] == "U0ANA"
    await press(two.north, shown)
    assert "Approval rate" in text_of(await two.north.card_with(north, "show_sql"))
    assert two.south.workspace.called("files.completeUploadExternal") == []


async def test_a_workspace_that_removes_the_app_leaves_nothing_waiting_and_no_token(two: Two) -> None:
    north, south = await ask(two.north), await ask(two.south)
    await two.north.card_with(north, "approve")
    await two.south.card_with(south, "approve")
    user = replace(WEEKLY.user, channel="slack", tenant=TenantId("T0NORTH"))
    schedules = two.bot.product.stores.schedules
    await schedules.add(replace(WEEKLY, user=user))
    calls = len(two.north.workspace.calls)
    assert await two.event(two.north, type="app_uninstalled") == 200
    assert await two.rows.owners() == ("T0SOUTH",)
    paused = await schedules.get(WEEKLY.id)
    assert paused is not None
    assert (paused.status, paused.why) == ("paused", "uninstalled")
    [left] = await two.bot.product.stores.lists.awaiting(10)
    assert left.thread.startswith("slack:T0SOUTH:")
    # Slack tells the same in another way too, and events still under way find nobody.
    assert await two.event(two.north, type="tokens_revoked", tokens={"bot": ["U0BOT"]}) == 200
    assert await ask(two.north)
    assert len(two.north.workspace.calls) == calls
    assert [run.run for run in await two.bot.product.stores.lists.awaiting(10)] == [left.run]


async def test_a_persons_own_token_that_is_taken_back_ends_nothing(two: Two) -> None:
    assert await two.event(two.north, type="tokens_revoked", tokens={"oauth": ["U0ANA"], "bot": []}) == 200
    assert await two.rows.owners() == ("T0NORTH", "T0SOUTH")


async def press(people: SlackPeople, card: Json) -> None:
    """U0ANA presses Approve."""
    [button] = buttons_of(card, "approve")
    payload = sample(
        "block_actions",
        user__id="U0ANA",
        container__message_ts=card["ts"],
        container__channel_id="C0SALES",
        container__thread_ts=card["thread_ts"],
        channel__id="C0SALES",
        message=card,
        trigger_id=people.workspace.trigger(),
        actions__0__action_id=button["action_id"],
        actions__0__value=button["value"],
        actions__0__action_ts=people.workspace.next_ts(),
    )
    payload["team"] = {"id": people.workspace.team}
    payload["user"]["team_id"] = people.workspace.team
    assert (await people.deliveries.interaction(payload)).status == 200
