from dataclasses import replace

import pytest

from adapters.channels.teams.addresses import read_address
from adapters.channels.teams.conversations import SeenHere
from adapters.channels.teams.surfaces import NoSurfaces
from agent.errors import StoreUnavailable
from agent.values.identity import ExternalUser, RunId, TenantId, UserId
from agent.values.turn import CardAction, Place, SeenConversation
from cards.elements import Button, Card, Paragraph, Prompt, Span
from cards.errors import DeliveryRefused, DeliveryUnavailable
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TENANT, TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person, nodes
from tests.fakes.teams.posted import Failure

ANA = Person()
BEN = Person(name="Ben Ruiz", object_id="b0b00000-0000-4000-8000-000000000002")
CARD = Card(kind="reply", fallback="Hello", elements=(Paragraph(spans=(Span(text="Hello"),)),))
ACCESS = Button(
    label="Request access…",
    action=CardAction(verb="request_access", run=RunId("RUN7")),
    prompt=Prompt(title="Access", label="Why?", submit="Send", required=True),
)


def user(person: Person) -> ExternalUser:
    return ExternalUser(channel="teams", tenant=TenantId(TENANT), user_id=UserId(str(person.object_id)))


async def asked(bot: RunningBot, conversation: Conversation, person: Person = ANA) -> Place:
    await bot.people.say(person, conversation, "approval rate")
    return bot.product.place


async def test_a_person_alone_is_reached_in_their_own_chat_which_is_opened_once(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    await asked(bot, CHANNEL)
    ref, place = await bot.channel.direct(user(BEN), CARD, "k")
    assert (await bot.channel.direct(user(BEN), CARD, "k"))[0] == ref
    await bot.channel.direct(user(BEN), CARD, "other")
    own = teams.opened[str(BEN.object_id)]
    assert [message.conversation for message in teams.posted] == [own, own]
    assert teams.requests["open"] == 1
    assert read_address(place.address).scope == "dm"
    assert ref.thread == place.thread


async def test_a_chat_that_a_person_wrote_in_is_known(teams: TeamsStandIn, bot: RunningBot) -> None:
    await asked(bot, PERSONAL, BEN)
    ref, _ = await bot.channel.direct(user(BEN), CARD, "k")
    assert (teams.posted[-1].conversation, teams.requests["open"]) == (PERSONAL.id, 0)
    assert ref.thread == bot.product.turn.thread


async def test_who_has_not_installed_the_app_is_not_reached(teams: TeamsStandIn, bot: RunningBot) -> None:
    await asked(bot, GROUP)
    teams.installed_for = set()
    with pytest.raises(DeliveryRefused, match="create conversation: 403"):
        await bot.channel.direct(user(BEN), CARD, "k")


@pytest.mark.parametrize("who", ["", str(BEN.object_id)])
async def test_nobody_is_reached_where_nobody_ever_wrote(bot: RunningBot, who: str) -> None:
    with pytest.raises(DeliveryRefused, match="create conversation"):
        await bot.channel.direct(replace(user(BEN), user_id=UserId(who)), CARD, "k")


async def test_answers_go_to_where_a_conversation_was_last_heard_from(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await asked(bot, GROUP)
    moved = replace(place, address=place.address.replace("/amer/", "/emea/"))
    await bot.channel.post(moved, CARD, "k")
    assert [message.conversation for message in teams.posted] == [GROUP.id]


async def test_the_newest_address_is_another_process_to_know(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await asked(bot, GROUP)
    async with running_bot(teams) as other:
        other.channel.serve(bot.channel.whereabouts.store, NoSurfaces())
        moved = replace(place, address=place.address.replace("/amer/", "/emea/"))
        await other.channel.post(moved, CARD, "k")
    assert len(teams.posted) == 1


class Broken(SeenHere):
    async def get(self, *_: str) -> SeenConversation | None:
        raise StoreUnavailable("connection refused")

    async def of_person(self, *_: str) -> SeenConversation | None:
        raise StoreUnavailable("connection refused")


async def test_without_its_store_an_answer_goes_where_the_question_came_from(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    place = await asked(bot, GROUP)
    bot.channel.serve(Broken(), NoSurfaces())
    await bot.channel.post(place, CARD, "k")
    await bot.channel.notify(place, user(ANA), "in the thread")
    assert [message.conversation for message in teams.posted] == [GROUP.id, GROUP.id]
    with pytest.raises(DeliveryUnavailable):
        await bot.channel.direct(user(ANA), CARD, "k2")


async def test_a_notice_with_buttons_reaches_the_person_alone(teams: TeamsStandIn, bot: RunningBot) -> None:
    await asked(bot, PERSONAL, BEN)
    place = await asked(bot, GROUP, BEN)
    await bot.channel.offer(place, user(BEN), "You can’t approve this.", (ACCESS,), "en")
    message = teams.posted[-1]
    assert message.conversation == PERSONAL.id
    assert "request_access" in {node.get("verb") for node in nodes(message.card)}


async def test_after_a_click_of_somebody_without_a_chat_nothing_is_said_in_front_of_others(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    place = await asked(bot, GROUP)
    teams.installed_for = set()
    clicked = replace(place, address=place.address.replace('"is_answered":false', '"is_answered":true'))
    assert clicked != place
    await bot.channel.notify(clicked, user(BEN), "You can’t approve this.")
    await bot.channel.offer(clicked, user(BEN), "You can’t approve this.", (ACCESS,), "en")
    assert teams.posted == []
    await bot.channel.notify(place, user(BEN), "a notice to a message")
    assert teams.posted[-1].conversation == GROUP.id


async def test_members_of_a_group_see_its_thread_and_those_of_a_channel_may_not(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    listed = [{**ANA.account(), "userRole": "user"}]
    teams.members = {GROUP.id: listed, CHANNEL.id: listed}
    group, channel = await asked(bot, GROUP), await asked(bot, CHANNEL)
    assert await bot.channel.takes_part(group, user(ANA))
    assert not await bot.channel.takes_part(group, user(BEN))
    assert not await bot.channel.takes_part(channel, user(ANA))


async def test_of_more_people_than_teams_tells_apart_nobody_is_known_to_see_a_thread(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    teams.members[GROUP.id] = [Person(name=f"P{n}", object_id=f"p-{n}").account() for n in range(61)]
    place = await asked(bot, GROUP)
    assert not await bot.channel.takes_part(place, user(Person(object_id="p-1")))


async def test_a_disabled_account_is_not_active(teams: TeamsStandIn, bot: RunningBot) -> None:
    assert await bot.channel.is_active(user(BEN))
    teams.disabled.add(str(BEN.object_id))
    assert not await bot.channel.is_active(user(BEN))


@pytest.mark.parametrize(("status", "active"), [(403, True), (404, False)])
async def test_without_the_permission_everybody_counts_as_active(
    teams: TeamsStandIn, bot: RunningBot, status: int, active: bool
) -> None:
    teams.graph_status = status
    assert await bot.channel.is_active(user(BEN)) is active


async def test_a_directory_that_does_not_answer_is_unavailable(teams: TeamsStandIn, bot: RunningBot) -> None:
    teams.graph_status = 503
    with pytest.raises(DeliveryUnavailable, match="accountEnabled: 503"):
        await bot.channel.is_active(user(BEN))


async def test_typing_is_shown_and_never_fails(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await asked(bot, CHANNEL)
    await bot.channel.show_work(place)
    assert len(teams.typing) == 1
    teams.failures = [Failure(status=429), Failure(status=403)]
    await bot.channel.show_work(place)
    await bot.channel.show_work(place)
    assert (len(teams.typing), teams.requests["POST"]) == (1, 3)
