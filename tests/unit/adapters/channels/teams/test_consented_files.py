from dataclasses import replace

import pytest

from agent.values.identity import RunId
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import PERSONAL, Person, payload
from tests.fakes.teams.posted import Posted
from tests.unit.adapters.channels.teams.test_outbound import WORKBOOK

ANA = Person()
SOFIA = Person(name="Sofía Vega", object_id="50f1a000-0000-4000-8000-000000000003", locale="es-PE")
RUN = RunId("RUN7")


async def _offered(teams: TeamsStandIn, bot: RunningBot, person: Person = ANA) -> Posted:
    await bot.people.say(person, PERSONAL, "approval rate")
    await bot.files.put(RUN, WORKBOOK)
    await bot.channel.attach(bot.product.place, RUN, WORKBOOK)
    return teams.posted[-1]


async def test_in_a_personal_chat_a_workbook_is_offered(teams: TeamsStandIn, bot: RunningBot) -> None:
    offer = await _offered(teams, bot)
    assert offer.attachment["contentType"] == "application/vnd.microsoft.teams.card.file.consent"
    assert offer.attachment["name"] == "countersign-RUN7.xlsx"
    assert offer.attachment["content"]["description"] == "Workbook: Approval rate by channel"
    assert offer.attachment["content"]["sizeInBytes"] == 1000


async def test_an_accepted_workbook_is_uploaded_and_shown(teams: TeamsStandIn, bot: RunningBot) -> None:
    offer = await _offered(teams, bot)
    answer = await bot.people.accept(ANA, offer)
    assert answer.status == 200
    assert teams.uploads == {"countersign-RUN7.xlsx": WORKBOOK.content}
    (shown,) = teams.in_conversation(offer.conversation)
    assert offer.is_deleted
    assert shown.attachment == {
        "contentType": "application/vnd.microsoft.teams.card.file.info",
        "contentUrl": "https://contoso-my.sharepoint.com/countersign-RUN7.xlsx",
        "name": "countersign-RUN7.xlsx",
        "content": {"uniqueId": "8CB0C0D4", "fileType": "xlsx"},
    }


async def test_a_declined_workbook_is_not_uploaded_and_its_offer_is_closed(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    offer = await _offered(teams, bot, SOFIA)
    answer = await bot.people.decline(SOFIA, offer)
    assert (answer.status, teams.uploads) == (200, {})
    assert offer.activity["text"].startswith("Rechazaste countersign-RUN7.xlsx")
    assert not offer.activity.get("attachments")


async def test_a_workbook_that_is_no_longer_kept_says_so(teams: TeamsStandIn, bot: RunningBot) -> None:
    await bot.people.say(ANA, PERSONAL, "approval rate")
    await bot.channel.attach(bot.product.place, RUN, WORKBOOK)
    (offer,) = teams.posted
    assert (await bot.people.accept(ANA, offer)).status == 200
    assert "no longer kept" in offer.activity["text"]
    assert teams.uploads == {}


@pytest.mark.parametrize("changed", ["run", "key", "name", "signature"])
async def test_an_offer_that_was_changed_is_refused(teams: TeamsStandIn, bot: RunningBot, changed: str) -> None:
    offer = await _offered(teams, bot)
    await bot.files.put(RunId("RUN8"), replace(WORKBOOK, content=b"of somebody else"))
    forged = {**offer.attachment["content"]["acceptContext"], changed: "RUN8"}
    offer.attachment["content"]["acceptContext"] = forged
    assert (await bot.people.accept(ANA, offer)).status == 403
    assert teams.uploads == {}


@pytest.mark.parametrize("context", [None, {}, "RUN7", {"run": "RUN7", "key": "workbook"}])
async def test_a_consent_without_our_context_is_refused(bot: RunningBot, context: object) -> None:
    sent = payload("file_consent_accept")
    sent["value"]["context"] = context
    assert (await bot.people.send(sent)).status == 403


async def test_an_offer_of_another_conversation_is_refused(teams: TeamsStandIn, bot: RunningBot) -> None:
    offer = await _offered(teams, bot)
    sent = payload("file_consent_decline")
    sent["value"]["context"] = offer.attachment["content"]["declineContext"]
    assert (await bot.people.send(sent)).status == 403


@pytest.mark.parametrize("value", [None, {}, {"action": 5}])
async def test_what_is_no_consent_is_a_bad_request(bot: RunningBot, value: object) -> None:
    assert (await bot.people.send(payload("file_consent_accept") | {"value": value})).status == 400


@pytest.mark.parametrize(
    "url",
    [
        "http://contoso-my.sharepoint.com/x",
        "https://sharepoint.com.evil.example/x",
        "https://evilsharepoint.com/x",
        "https://contoso.sharepoint.com@evil.example/x",
        "https://evil.example\\.sharepoint.com/x",
        "https://evil.example/.sharepoint.com",
        "http://169.254.169.254/latest",
        "https://[/",
        "file:///etc/passwd",
    ],
)
async def test_a_workbook_is_uploaded_to_sharepoint_alone(teams: TeamsStandIn, bot: RunningBot, url: str) -> None:
    offer = await _offered(teams, bot)
    assert (await bot.people.accept(ANA, offer, uploadUrl=url)).status == 400
    assert not offer.is_deleted


async def test_after_a_failed_upload_the_offer_stands(teams: TeamsStandIn, bot: RunningBot) -> None:
    offer = await _offered(teams, bot)
    teams.upload_status = 503
    assert (await bot.people.accept(ANA, offer)).status == 502
    teams.upload_status = 201
    assert (await bot.people.accept(ANA, offer)).status == 200
    assert list(teams.uploads) == ["countersign-RUN7.xlsx"]


async def test_two_processes_with_one_password_read_each_others_offers(teams: TeamsStandIn, bot: RunningBot) -> None:
    offer = await _offered(teams, bot)
    async with running_bot(teams) as other:
        await other.files.put(RUN, WORKBOOK)
        assert (await other.people.accept(ANA, offer)).status == 200
    async with running_bot(teams, signing_secret=b"another secret") as stranger:
        assert (await stranger.people.accept(ANA, offer)).status == 403
