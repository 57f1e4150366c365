import pytest

from agent.values.turn import Audience, CardAction, CardRef, InboundFile
from tests.fakes.teams.bot import CLOCK, RunningBot, running_bot
from tests.fakes.teams.connector import TENANT, TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person, payload

ANA = Person()
CHANNEL_THREAD = f"teams:{TENANT}:19%3A253b1f341670408fb6fe51050b6e5ceb%40thread.tacv2"


@pytest.mark.parametrize(
    ("name", "kind", "text", "locale", "thread"),
    [
        ("message_personal", "dm", "Approval rate last month", "en", "teams:{tenant}:a%3A17I0kl9"),
        ("message_group", "group", "Tasa de aprobación por canal", "es", "teams:{tenant}:19%3Ad2f8"),
        ("message_channel", "channel", "Доля одобренных за прошлый месяц", "ru", "teams:{tenant}:19%3A253b"),
    ],
)
async def test_a_message_becomes_a_turn_in_each_scope(
    bot: RunningBot, name: str, kind: str, text: str, locale: str, thread: str
) -> None:
    sent = payload(name)
    answer = await bot.people.send(sent)
    turn = bot.product.turn
    assert (answer.status, answer.body) == (201, "")
    assert turn.thread.startswith(thread.format(tenant=TENANT))
    assert (turn.kind, turn.text, turn.audience.kind, turn.locale) == ("message", text, kind, locale)
    assert (turn.tenant, turn.author.tenant) == (TENANT, TENANT)
    assert turn.author.user_id == "a11ce000-0000-4000-8000-000000000001"
    assert turn.author.display_name == "Ana Torres"
    assert turn.event_id == f"teams:{sent['conversation']['id']}:{sent['id']}"
    assert turn.received_at == CLOCK.now()
    assert not turn.audience.external


async def test_a_delivery_repeated_has_the_same_event_id(bot: RunningBot) -> None:
    await bot.people.send(payload("message_channel"))
    await bot.people.send(payload("message_channel"))
    first, second = bot.product.turns
    assert first == second


async def test_a_new_channel_message_opens_a_thread_and_a_reply_stays_in_it(bot: RunningBot) -> None:
    root = await bot.people.say(ANA, CHANNEL, "sales")
    await bot.people.say(ANA, CHANNEL, "by day", root=root)
    opened, replied = bot.product.turns
    assert opened.thread == replied.thread == f"{CHANNEL_THREAD}:{root}"


async def test_a_channel_message_without_a_root_is_its_own_root(bot: RunningBot) -> None:
    sent = payload("message_channel")
    sent["conversation"]["id"] = CHANNEL.id
    await bot.people.send(sent)
    assert bot.product.turn.thread == f"{CHANNEL_THREAD}:{sent['id']}"


@pytest.mark.parametrize("conversation", [GROUP, CHANNEL])
async def test_among_others_only_messages_that_name_the_bot_are_for_it(
    bot: RunningBot, conversation: Conversation
) -> None:
    await bot.people.say(ANA, conversation, "lunch?", mention=False)
    assert bot.product.turns == []


async def test_in_a_channel_thread_of_ours_nobody_needs_to_name_the_bot(bot: RunningBot) -> None:
    root = await bot.people.say(ANA, CHANNEL, "sales")
    bot.product.followed.add(bot.product.turn.thread)
    await bot.people.say(ANA, CHANNEL, "by day", root=root, mention=False)
    await bot.people.say(ANA, CHANNEL, "lunch?", mention=False)
    assert [turn.text for turn in bot.product.turns] == ["sales", "by day"]


async def test_naming_the_bot_with_no_words_is_a_turn(bot: RunningBot) -> None:
    await bot.people.say(ANA, GROUP, "")
    assert bot.product.turn.text == ""


@pytest.mark.parametrize("outsider", [Person(object_id=None), Person(name="Gus", role="guest")])
async def test_guests_and_people_of_no_directory_are_turned_away_in_words(
    teams: TeamsStandIn, bot: RunningBot, outsider: Person
) -> None:
    await bot.people.say(outsider, GROUP, "sales")
    assert bot.product.turns == []
    assert "can’t ask here" in teams.posted[0].activity["text"]
    pressed = payload("execute") | {"from": outsider.account()}
    assert "can’t ask here" in (await bot.people.send(pressed)).body["value"]
    assert (await bot.people.send(pressed | {"name": "fileConsent/invoke"})).status == 403
    assert bot.product.turns == []


async def test_guests_ask_where_that_is_allowed(teams: TeamsStandIn) -> None:
    async with running_bot(teams, allows_guests=True) as bot:
        await bot.people.say(Person(name="Gus", role="guest"), GROUP, "sales")
        assert bot.product.turn.author.user_id == Person().object_id
        assert bot.product.turn.audience == Audience(kind="group", external=True)


async def test_a_person_whom_the_activity_does_not_identify_is_looked_up(teams: TeamsStandIn, bot: RunningBot) -> None:
    ana = Person()
    await bot.people.say(ana, PERSONAL, "sales")
    sent = payload("message_personal")
    sent["from"] = {"id": ana.account()["id"], "name": ana.name}
    sent["conversation"]["id"] = PERSONAL.id
    teams.meet(PERSONAL.id, "personal")
    teams.met[f"{PERSONAL.id} {ana.account()['id']}"] = ana.account()
    await bot.people.send(sent, listed=False)
    assert bot.product.turns[-1].author.user_id == ana.object_id


async def test_while_nobody_says_whether_somebody_is_a_guest_teams_is_asked_to_come_back(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    teams.roster_status = 503
    assert (await bot.people.send(payload("message_personal"))).status == 503
    assert bot.product.turns == []


async def test_another_bot_is_not_answered(teams: TeamsStandIn, bot: RunningBot) -> None:
    sent = payload("message_personal")
    sent["from"] = {"id": "28:another-bot", "name": "Another"}
    assert (await bot.people.send(sent)).status == 201
    assert (bot.product.turns, teams.posted) == ([], [])


async def test_a_shared_channel_is_external(bot: RunningBot) -> None:
    sent = payload("message_channel")
    sent["channelData"]["channel"]["type"] = "shared"
    await bot.people.send(sent)
    assert bot.product.turn.audience == Audience(kind="channel", external=True)


async def test_a_guest_tenant_that_is_allowed_is_external(teams: TeamsStandIn) -> None:
    async with running_bot(teams, allowed_tenants=frozenset({TENANT, "partner"})) as bot:
        await bot.people.say(Person(tenant="partner"), PERSONAL, "sales")
        assert bot.product.turn.author.tenant == "partner"
        assert bot.product.turn.audience.external


async def test_a_tenant_that_is_not_allowed_gets_silence(bot: RunningBot) -> None:
    sent = payload("message_personal")
    sent["channelData"]["tenant"]["id"] = "somebody-else"
    answer = await bot.people.send(sent)
    assert (answer.status, answer.body) == (403, "")
    assert bot.product.turns == []


async def test_a_message_without_a_tenant_gets_silence(bot: RunningBot) -> None:
    sent = payload("message_personal")
    del sent["channelData"], sent["conversation"]["tenantId"]
    assert (await bot.people.send(sent)).status == 403


async def test_a_file_comes_from_onedrive_and_from_nowhere_else(bot: RunningBot) -> None:
    await bot.people.send(payload("message_with_file"))
    turn = bot.product.turn
    assert (turn.kind, turn.text) == ("file", "What is in here?")
    url = "https://contoso-my.sharepoint.com/personal/ana_contoso_com/_layouts/15/download.aspx"
    assert turn.files == (
        InboundFile(
            name="plan.xlsx",
            media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            size=0,
            url=f"{url}?UniqueId=1150D938&tempauth=x",
        ),
    )


async def test_files_are_taken_in_personal_chats_alone(bot: RunningBot) -> None:
    sent = payload("message_group")
    sent["attachments"] = payload("message_with_file")["attachments"]
    await bot.people.send(sent)
    assert (bot.product.turn.kind, bot.product.turn.files) == ("message", ())


@pytest.mark.parametrize("name", ["conversation_update", "installation_update"])
async def test_what_only_reports_is_let_pass(bot: RunningBot, name: str) -> None:
    answer = await bot.people.send(payload(name))
    assert (answer.status, bot.product.turns) == (201, [])


async def test_a_click_of_an_old_client_is_a_decision_with_the_typed_reason(bot: RunningBot) -> None:
    answer = await bot.people.send(payload("submit"))
    turn = bot.product.turn
    assert (answer.status, turn.kind) == (201, "decision")
    assert turn.action == CardAction(verb="reject", run="RUN7", fingerprint="f00d", text="wrong period")  # type: ignore[arg-type]
    assert turn.card_ref == CardRef(thread=turn.thread, message_id="1793628462000")


async def test_a_message_that_could_not_be_stored_is_asked_for_again(bot: RunningBot) -> None:
    bot.product.is_down = True
    assert (await bot.people.send(payload("message_personal"))).status == 503


async def test_a_message_that_carries_a_value_besides_its_words_is_a_message(bot: RunningBot) -> None:
    await bot.people.send(payload("message_personal") | {"value": {"x": 1}})
    assert (bot.product.turn.kind, bot.product.turn.text) == ("message", "Approval rate last month")
