import json
from io import BytesIO

import pytest
from PIL import Image

from adapters.channels.teams.addresses import Scope, TeamsAddress
from adapters.channels.teams.drawing import Drawing
from adapters.channels.teams.roster import Roster
from adapters.channels.teams.surfaces import NoSurfaces
from agent.errors import StoreUnavailable
from agent.values.identity import ExternalUser, RunId, TenantId, UserId
from agent.values.turn import CardAction, CardRef
from cards.elements import Actions, Attachment, Button, Card, Picture
from cards.forms import Form, FormField
from semantic_catalog.model import Locale
from tests.fakes.teams.bot import RunningBot, link_for
from tests.fakes.teams.connector import TENANT, TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Person, nodes

RUN = RunId("RUN7")
CHANGE = Button(label="Change…", action=CardAction(verb="change", run=RUN, fingerprint="f00d"))
APPROVE = Button(label="Approve", action=CardAction(verb="approve", run=RUN, fingerprint="f00d"))
PROPOSAL = Card(kind="proposal", fallback="Sales", elements=(Actions(buttons=(APPROVE, CHANGE)),))
FORM = Form(title="Change", submit="Send", fields=(FormField(key="text", label="In words"),))


class Forms(NoSurfaces):
    async def form(self, action: CardAction, locale: Locale) -> Form | None:  # noqa: ARG002
        return FORM if action == CHANGE.action else None


class Down(NoSurfaces):
    async def form(self, *_: object) -> Form | None:
        raise StoreUnavailable("connection refused")


def chart(side: int, run: RunId | None = RUN) -> Attachment:
    written = BytesIO()
    Image.new("RGB", (side, side // 2), "white").save(written, "PNG")
    return Attachment(
        key="chart", name="c.png", media_type="image/png", title="", content=written.getvalue(), alt="A line", run=run
    )


@pytest.fixture
def roster(bot: RunningBot) -> Roster:
    return Roster(bot.channel.adapter.rest)


def address(teams: TeamsStandIn, conversation: str, scope: Scope) -> TeamsAddress:
    return TeamsAddress(service_url=teams.service_url, conversation_id=conversation, scope=scope, bot_id="28:bot")


@pytest.mark.parametrize(
    ("picture", "begins"),
    [
        (chart(1024), "https://bot.example/files/RUN7-chart"),
        (chart(1100), "data:image/png;base64,"),
        (chart(600, run=None), "data:image/png;base64,"),
    ],
)
async def test_a_picture_stands_by_address_where_teams_can_show_it_as_it_is(
    roster: Roster, picture: Attachment, begins: str
) -> None:
    drawing = Drawing(roster=roster, surfaces=NoSurfaces(), picture_link=link_for)
    card = Card(
        kind="answer", fallback="x", elements=(Picture(attachment="chart", alt="A line"),), attachments=(picture,)
    )
    drawn = await drawing.for_one(card)
    assert drawn["body"][0]["url"].startswith(begins)
    assert (await drawing.address_of(picture)).startswith(begins)


async def test_a_picture_that_is_none_has_no_address(roster: Roster) -> None:
    broken = Attachment(key="chart", name="c.png", media_type="image/png", title="", content=b"no picture", run=RUN)
    drawing = Drawing(roster=roster, surfaces=NoSurfaces(), picture_link=link_for)
    assert await drawing.address_of(broken) == ""


async def test_a_change_unfolds_the_products_form(roster: Roster) -> None:
    drawn = await Drawing(roster=roster, surfaces=Forms()).for_one(PROPOSAL)
    assert [node["title"] for node in nodes(drawn) if node.get("type") == "Action.ShowCard"] == ["Change…"]


async def test_without_its_store_a_card_has_its_plain_buttons(roster: Roster) -> None:
    drawn = await Drawing(roster=roster, surfaces=Down()).for_one(PROPOSAL)
    assert "Action.ShowCard" not in json.dumps(drawn)


async def test_an_open_proposal_is_seen_by_each_member_of_a_small_conversation(
    teams: TeamsStandIn, roster: Roster
) -> None:
    teams.members = {GROUP.id: [Person(name=name).account() for name in ("Ana", "Ben")], CHANNEL.id: []}
    for conversation, scope in ((GROUP.id, "groupChat"), (CHANNEL.id, "channel"), (PERSONAL.id, "personal")):
        teams.meet(conversation, scope)
    drawing = Drawing(roster=roster, surfaces=NoSurfaces())
    group = (await drawing.new(address(teams, GROUP.id, "group"), PROPOSAL)).attachments[0].content
    assert group["refresh"]["userIds"] == ["29:Ana", "29:Ben"]
    for conversation, scope in ((CHANNEL.id, "channel"), (PERSONAL.id, "dm")):
        card = (await drawing.again(address(teams, conversation, scope), PROPOSAL)).attachments[0].content  # type: ignore[arg-type]
        assert "refresh" not in card


@pytest.mark.parametrize("status", [403, 503])
async def test_a_roster_that_does_not_tell_costs_the_views_and_not_the_card(
    teams: TeamsStandIn, roster: Roster, status: int
) -> None:
    teams.meet(GROUP.id, "groupChat")
    teams.roster_status = status
    drawn = await Drawing(roster=roster, surfaces=NoSurfaces()).new(address(teams, GROUP.id, "group"), PROPOSAL)
    assert "refresh" not in drawn.attachments[0].content


async def test_without_a_product_a_card_has_no_views(bot: RunningBot) -> None:
    user = ExternalUser(channel="teams", tenant=TenantId(TENANT), user_id=UserId("x"))
    surfaces = NoSurfaces()
    assert await surfaces.view(APPROVE.action, user) is None
    assert await surfaces.run_of(CardRef(thread=bot.channel.name, message_id="1")) is None  # type: ignore[arg-type]
    form = await surfaces.form(CardAction(verb="reject"), "en")
    assert form is not None
    assert [field.key for field in form.fields] == ["text"]
