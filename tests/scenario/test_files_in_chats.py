import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import PERSONAL, Person, TeamsClient, buttons, file_attachment
from tests.fakes.teams.posted import Posted
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.slack import SECRET, SlackPeople, buttons_of, people_of, text_of
from tests.scenario.waiting import eventually

SALES = "Fecha;Región;Importe\n" + "".join(
    f"{day:02}/10/2026;{region};1.000,5{at}\n"
    for day in (3, 28)
    for at, region in enumerate(("Lima", "Cusco", "Áncash"))
)
QUESTION = "importe por región en octubre de 2026"
ANA = Person(name="Ana", locale="es-ES")


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    held = Workspace()
    held.add_user("U0ANA", name="Ana", locale="es-ES")
    held.add_user("U0BOB", name="Bob", locale="en-US")
    held.add_conversation("C0SALES", "U0ANA", "U0BOB")
    yield held
    assert held.faults == []


@pytest.fixture
async def slack(settings_of: MakeSettings, workspace: Workspace, tmp_path: Path) -> AsyncIterator[Settings]:
    async with slack_server(workspace) as server:
        yield settings_of(
            slack_bot_token=BOT_TOKEN,
            slack_signing_secret=SECRET,
            slack_api_url=server.api,
            slack_file_hosts=server.url.removeprefix("http://"),
            data_dir=tmp_path,
        )


@pytest.fixture
async def people(slack: Settings, workspace: Workspace) -> AsyncIterator[SlackPeople]:
    async with running_bot(slack) as bot, people_of(bot.url, workspace) as present:
        yield present


async def test_a_file_in_slack_is_confirmed_and_its_question_answered_from_it(people: SlackPeople) -> None:
    file = people.workspace.give("ventas.csv", SALES.encode("cp1252"))
    root = await people.give(file, QUESTION)
    shown = await people.card_with(root, "file_confirm")
    assert "Cómo se leyó ventas.csv" in text_of(shown)
    assert (await people.press(shown, "file_confirm", user="U0BOB")).status == 200
    await eventually(lambda: people.workspace.ephemerals, "a notice to who may not confirm")
    await people.press(shown, "file_confirm")
    proposal = await people.card_with(root, "approve")
    assert "ventas.csv" in text_of(proposal)
    confirmed = people.workspace.message("C0SALES", shown["ts"])
    assert "Lo revisó Ana" in text_of(confirmed)
    assert buttons_of(confirmed, "file_confirm") == []
    await people.press(proposal, "approve")
    answer = await people.card_with(root, "show_sql")
    assert "2001,04" in text_of(answer).replace("\xa0", "").replace(".", "")


async def test_a_reading_in_slack_is_changed_by_a_dialog(people: SlackPeople) -> None:
    root = await people.give(people.workspace.give("ventas.csv", SALES.encode()))
    shown = await people.card_with(root, "file_change")
    await people.press(shown, "file_change")
    await eventually(lambda: people.workspace.views, "a dialog")
    assert (await people.send_dialog("3 = Ventas; promediar")).status == 200

    def redrawn() -> bool:
        return "Ventas" in text_of(people.workspace.message("C0SALES", shown["ts"]))

    assert await eventually(redrawn, "the changed card")


async def test_a_picture_in_slack_is_refused_and_its_question_asked_all_the_same(people: SlackPeople) -> None:
    picture = people.workspace.give("captura.png", b"\x89PNG", "image/png")
    root = await people.give(picture, "tasa de aprobación de octubre de 2026 por canal")
    assert await people.card_with(root, "approve")
    assert any("es una imagen" in text_of(card) for card in people.cards(root))


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as running:
        yield running


@pytest.fixture
async def client(settings_of: MakeSettings, teams: TeamsStandIn, tmp_path: Path) -> AsyncIterator[TeamsClient]:
    settings = settings_of(teams_app_id=APP_ID, teams_app_password=PASSWORD, teams_tenant_id=TENANT, data_dir=tmp_path)
    async with running_bot(settings, teams.config().endpoints) as bot:
        yield TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")


async def test_a_personal_upload_in_teams_is_confirmed_and_asked_about(
    client: TeamsClient, teams: TeamsStandIn
) -> None:
    teams.downloads["ventas.csv"] = SALES.encode("utf-16")
    await client.give(ANA, PERSONAL, "", file_attachment("ventas.csv", teams.download_url("ventas.csv")))
    shown = await _card_with(teams, "Está bien")
    await client.press(ANA, PERSONAL, shown, "Está bien")
    await _card_with(teams, "Borrar el archivo")
    await eventually(lambda: "Lo revisó Ana" in _words(shown), "the confirmed card")
    await client.say(ANA, PERSONAL, QUESTION)
    proposal = await _card_with(teams, "Aprobar")
    assert "ventas.csv" in _words(proposal)
    await client.press(ANA, PERSONAL, proposal, "Aprobar")

    def answered() -> bool:
        return any("2001,04" in _words(posted).replace(".", "") for posted in teams.in_conversation(PERSONAL.id))

    assert await eventually(answered, "the answer")


async def test_a_table_pasted_in_teams_is_read_as_one(client: TeamsClient, teams: TeamsStandIn) -> None:
    rows = "".join(f"<tr><td>{region}</td><td>{at + 1}</td></tr>" for at, region in enumerate(("Lima", "Cusco")))
    html = f"<div>mira</div><table><tr><th>Región</th><th>Importe</th></tr>{rows}</table>"
    await client.give(ANA, PERSONAL, "mira Región Importe", {"contentType": "text/html", "content": html})
    shown = await _card_with(teams, "Está bien")
    assert "Importe" in _words(shown)


async def _card_with(teams: TeamsStandIn, title: str) -> Posted:
    def look() -> Posted | None:
        found = [posted for posted in teams.in_conversation(PERSONAL.id) if title in _titles(posted)]
        return found[-1] if found else None

    return await eventually(look, f"a card with {title}")


def _titles(posted: Posted) -> set[str]:
    attachments = posted.activity.get("attachments") or [{}]
    is_card = "adaptive" in str(attachments[0].get("contentType", ""))
    return {button["title"] for button in buttons(posted.card)} if is_card else set()


def _words(posted: Posted) -> str:
    return json.dumps(posted.activity, ensure_ascii=False).replace("\xa0", "")
