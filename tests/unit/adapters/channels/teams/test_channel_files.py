from dataclasses import replace
from typing import Any

import pytest

from agent.values.turn import Place
from cards.elements import Attachment
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person
from tests.unit.adapters.channels.teams.test_outbound import RUN, WORKBOOK

NAME = "countersign-RUN7 RUN7.xlsx"
WHERE = "https://contoso.sharepoint.com/sites/sales/Shared%20Documents/General/countersign-RUN7%20RUN7.xlsx"
LINK = {"type": "Action.OpenUrl", "title": "Download", "url": "https://bot.example/files/RUN7-workbook"}


async def delivered(teams: TeamsStandIn, file: Attachment = WORKBOOK, in_: Conversation = CHANNEL) -> dict[str, Any]:
    """The message about the file, in a bot that puts files into channels."""
    async with running_bot(teams, files_by_graph=True) as bot:
        root = await bot.people.say(Person(), in_, "approval rate")
        await bot.channel.attach(place_of(bot), RUN, file)
        return teams.in_conversation(in_.thread(root))[-1].activity


def place_of(bot: RunningBot) -> Place:
    return bot.product.place


def action_of(activity: dict[str, Any]) -> dict[str, Any]:
    action: dict[str, Any] = activity["attachments"][0]["content"]["actions"][0]
    return action


async def test_a_workbook_lies_in_the_channels_files_and_the_message_opens_it_there(teams: TeamsStandIn) -> None:
    action = action_of(await delivered(teams))
    assert teams.drive.files == {NAME: WORKBOOK.content}
    assert (action["title"], action["url"]) == ("Open", WHERE)
    assert teams.drive.requests == ["team", "folder", "content"]


async def test_a_large_workbook_goes_in_parts(teams: TeamsStandIn) -> None:
    large = replace(WORKBOOK, content=bytes(range(256)) * 4 * 1024 * 10)
    action = action_of(await delivered(teams, large))
    assert teams.drive.files == {NAME: large.content}
    assert teams.drive.requests.count("part") == 4
    assert action["url"] == WHERE


async def test_the_folder_is_asked_for_once_and_the_same_file_takes_the_same_place(teams: TeamsStandIn) -> None:
    async with running_bot(teams, files_by_graph=True) as bot:
        await bot.people.say(Person(), CHANNEL, "approval rate")
        await bot.channel.attach(place_of(bot), RUN, WORKBOOK)
        await bot.channel.attach(place_of(bot), RUN, replace(WORKBOOK, key="again"))
    assert teams.drive.requests == ["team", "folder", "content", "content"]
    assert list(teams.drive.files) == [NAME]


@pytest.mark.parametrize("status", [403, 404, 423, 500, 507])
async def test_what_graph_does_not_take_is_linked(teams: TeamsStandIn, status: int) -> None:
    teams.drive.status = status
    assert action_of(await delivered(teams)) == LINK


async def test_an_upload_to_a_host_that_is_not_on_the_list_does_not_happen(teams: TeamsStandIn) -> None:
    teams.drive.session_host = "https://evil.example/"
    large = replace(WORKBOOK, content=bytes(5 * 1024 * 1024))
    assert action_of(await delivered(teams, large)) == LINK
    assert "part" not in teams.drive.requests


async def test_a_file_that_would_open_elsewhere_is_linked(teams: TeamsStandIn) -> None:
    teams.drive.host = "https://sharepoint.com.evil.example"
    assert action_of(await delivered(teams)) == LINK


async def test_without_the_permission_or_the_team_a_workbook_is_linked(teams: TeamsStandIn) -> None:
    teams.drive.token = "granted to nobody"
    assert action_of(await delivered(teams)) == LINK


async def test_in_chats_nothing_is_put_into_channels(teams: TeamsStandIn) -> None:
    assert action_of(await delivered(teams, in_=GROUP)) == LINK
    offered = await delivered(teams, in_=PERSONAL)
    assert offered["attachments"][0]["contentType"].endswith("file.consent")
    assert teams.drive.requests == []
