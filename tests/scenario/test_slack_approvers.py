from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.slack.deliveries import Answer, sample
from tests.fakes.slack.workspace import Json, Workspace
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.waiting import eventually

QUESTION = "Top 10 merchants by processed amount last month"
RATE = "What was the approval rate of the last seven days by channel?"


@pytest.fixture
def with_owner(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8")
    carla = "  - {id: carla, name: Carla, roles: [analyst], slack: [{team: T0HOME, user: U0CAR}]}\n"
    path = tmp_path / "with_owner.yaml"
    path.write_text(text.replace("\napproval:", f"{carla}\napproval:"), encoding="utf-8")
    return path


@pytest.fixture
async def people(settings_of: MakeSettings, with_owner: Path) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    for user, name in (("U0ANA", "Ana"), ("U0BOB", "Bob"), ("U0CAR", "Carla"), ("U0MAL", "Mallory")):
        workspace.add_user(user, name=name, locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB", "U0MAL")
    async with slack_talk(settings_of, workspace, slack_seconds_between_posts=0, policy_file=with_owner) as (
        present,
        _,
    ):
        yield present


async def test_approvers_elsewhere_decide_alone_and_the_thread_gets_the_answer(people: SlackPeople) -> None:
    root = await people.mention(RATE, user="U0BOB")
    shown = await people.card_with(root, "approve")
    copies = [await direct_card(people, user, "approve") for user in ("U0ANA", "U0CAR")]
    await stranger_asks_for_access(people, shown)
    assert (await press_alone(people, copies[1], "approve", "U0CAR")).status == 200
    answer = await people.card_with(root, "show_sql")
    assert "Approval rate" in text_of(answer)
    for channel, card in (("C0SALES", shown), ("D0ANA", copies[0]), ("D0CAR", copies[1])):
        decided = people.workspace.message(channel, card["ts"])
        assert "Approved by Carla" in text_of(decided)
        assert buttons_of(decided, "approve") == []
    assert len(await people.files(root, 2)) == 2


async def stranger_asks_for_access(people: SlackPeople, shown: Json) -> None:
    await people.press(shown, "approve", user="U0BOB")
    [notice] = await eventually(lambda: people.workspace.ephemerals, "a private notice")
    assert "You can’t approve this" in notice["text"]
    offered = {**notice, "ts": people.workspace.next_ts(), "thread_ts": shown["thread_ts"]}
    await people.press(offered, "request_access", user="U0BOB")
    await eventually(lambda: people.workspace.views, "a dialog")
    assert (await people.send_dialog("month-end report", user="U0BOB")).status == 200

    def asked() -> Json | None:
        said = people.workspace.conversations["D0CAR"].messages
        return next((message for message in said if "asks for access" in message["text"]), None)

    request = await eventually(asked, "the request at the owner's")
    assert "month-end report" in text_of(request)
    assert RATE in text_of(request)
    assert "SELECT" in text_of(request)
    await eventually(lambda: "Your request was sent to" in str(people.workspace.ephemerals[-1]), "what became of it")


async def test_nobody_signs_for_a_deactivated_asker(people: SlackPeople) -> None:
    root = await people.mention(QUESTION, user="U0BOB")
    await people.card_with(root, "approve")
    copy = await direct_card(people, "U0CAR", "approve")
    people.workspace.users["U0BOB"]["deleted"] = True
    await press_alone(people, copy, "approve", "U0CAR")
    notices = people.workspace.ephemerals
    await eventually(lambda: any("no longer active" in str(notice) for notice in notices), "a private notice")
    assert buttons_of(people.workspace.message("C0SALES", (await people.card_with(root, "approve"))["ts"]), "approve")


async def test_a_conversation_archived_meanwhile_gives_way_to_the_asker_alone(people: SlackPeople) -> None:
    root = await people.mention(RATE)
    proposal = await people.card_with(root, "approve")
    assert "D0CAR" not in people.workspace.conversations, "who may sign for themselves, asks nobody else"
    people.workspace.conversations["C0SALES"].is_archived = True
    await people.press(proposal, "approve")
    answer = await direct_card(people, "U0ANA", "show_sql")
    assert "I could not write in the conversation" in text_of(answer)
    await eventually(
        lambda: [file for file in people.workspace.files.values() if file.channel == "D0ANA" and file.message_ts],
        "its files",
    )


async def test_a_proposal_is_changed_by_choice_by_sql_and_by_a_typed_query(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    first = await people.card_with(root, "change")
    await people.press(first, "change")
    [view] = await eventually(lambda: people.workspace.views, "a dialog")
    fields = {block["block_id"]: block["element"] for block in view["blocks"]}
    assert list(fields) == ["period", "limit", "grouping", "text", "sql"]
    assert "SELECT" in fields["sql"]["initial_value"]
    contradiction = await people.send_dialog("only Visa", sql="SELECT 1")
    assert contradiction.payload["errors"] == {
        "sql": "You changed the SQL and asked for something else too. Do one of the two."
    }
    await people.send_dialog(period="last 30 days", limit="limit 5", grouping="split by Channel")
    newer = await people.card_with_text(root, "10 → 5")
    assert "2–31 Oct 2026" in text_of(newer)
    assert "Channel" in text_of(newer)
    sql = "SELECT channel, sum(processed_amount) AS amount FROM analytics.daily_payment_metrics GROUP BY channel"
    said = people.workspace.say("C0SALES", {"user": "U0ANA", "text": sql, "thread_ts": root})
    await people.deliveries.event(
        sample(
            "message_thread",
            event_id="EvSQL",
            event__text=sql,
            event__user="U0ANA",
            event__ts=said["ts"],
            event__channel="C0SALES",
            event__thread_ts=root,
        )
    )
    replaced = await eventually(
        lambda: "Replaced by a newer version" in text_of(people.workspace.message("C0SALES", newer["ts"])), "the change"
    )
    assert replaced


async def direct_card(people: SlackPeople, user: str, verb: str) -> Json:
    """The newest card with that button that the user got alone."""

    def look() -> Json | None:
        held = people.workspace.conversations.get(f"D{user[1:]}")
        found = [message for message in held.messages if buttons_of(message, verb)] if held else []
        return found[-1] if found else None

    return await eventually(look, f"a direct card with {verb}")


async def press_alone(people: SlackPeople, card: Json, verb: str, user: str) -> Answer:
    alone = SlackPeople(workspace=people.workspace, deliveries=people.deliveries, channel=f"D{user[1:]}")
    return await alone.press({**card, "thread_ts": card["ts"]}, verb, user=user)


async def test_a_bot_removed_from_the_channel_meanwhile_answers_the_asker_alone(people: SlackPeople) -> None:
    root = await people.mention(RATE)
    proposal = await people.card_with(root, "approve")
    channel = people.workspace.conversations["C0SALES"]
    channel.members.discard(people.workspace.bot_user)
    said = len(channel.messages)
    await people.press(proposal, "approve")
    answer = await direct_card(people, "U0ANA", "show_sql")
    assert "I could not write in the conversation" in text_of(answer)
    assert len(channel.messages) == said
