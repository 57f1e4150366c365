from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from aiohttp import ClientSession, web

from adapters.channels.slack.app import create_slack_app
from adapters.channels.slack.clients import SlackClients
from agent.values.identity import ExternalUser, RunId, ThreadKey
from agent.values.outcome import Suggestion
from agent.values.turn import CardAction
from cards.build.prompts import prompt_of
from cards.elements import Actions, Button, Card, Heading, Table, TableColumn
from cards.forms import Form, form_of_prompt
from semantic_catalog.model import Locale
from tests.fakes.clock import FrozenClock
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.server import serving
from tests.fakes.slack.workspace import Json, Trouble, Workspace
from tests.scenario.waiting import eventually
from tests.unit.adapters.channels.slack.conftest import SECRET, Inbox

QUESTIONS = ("Approval rate by channel last month", "Top 10 merchants by processed amount last month")


@dataclass(frozen=True)
class Offered:
    """A product with a page, prompts and forms."""

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        prompt = prompt_of(action, locale)
        return None if prompt is None else form_of_prompt(prompt)

    async def prompts(self, user: ExternalUser, locale: Locale) -> tuple[Suggestion, ...]:
        return tuple(Suggestion(label=f"{text} ({user.user_id}, {locale})", question=text) for text in QUESTIONS * 4)

    async def home(self, user: ExternalUser, locale: Locale) -> tuple[Card, ...]:
        ask = Button(label="Ask", action=CardAction(verb="ask", value=QUESTIONS[0]))
        retry = Button(label="Again", action=CardAction(verb="retry", run=RunId("7F3K")))
        table = Table(columns=(TableColumn(label="a"),), rows=(("<!channel>",),))
        page = Card(
            kind="reply",
            elements=(Heading(text=f"{user.user_id} {locale}"), table, Actions(buttons=(ask, retry))),
            fallback="f",
        )
        return (page, page)

    def is_command(self, text: str) -> bool:
        return text == "help"


@pytest.fixture
async def slack(clients: SlackClients, inbox: Inbox) -> AsyncIterator[Deliveries]:
    app = create_slack_app(clients, SECRET, inbox.receive, inbox.follows, FrozenClock(), "en", Offered())
    site = web.Application()
    site.add_routes(app.routes())
    async with serving(site) as url, ClientSession() as session:
        yield Deliveries(session=session, url=url, secret=SECRET)
        await app.close()


def opened(tab: str) -> Json:
    return sample("app_home_opened", event__tab=tab, event__user="U0ANA", event__channel="D0ANA")


async def test_the_agent_surface_offers_a_person_their_own_prompts(slack: Deliveries, workspace: Workspace) -> None:
    assert (await slack.event(opened("messages"))).status == 200
    prompts = await eventually(lambda: workspace.prompts.get("D0ANA"), "prompts")
    assert [prompt["message"] for prompt in prompts] == [*QUESTIONS, *QUESTIONS]
    assert "U0ANA" in prompts[0]["title"]
    assert "thread_ts" not in workspace.called("assistant.threads.setSuggestedPrompts")[0]


async def test_prompts_that_slack_does_not_take_harm_nothing(slack: Deliveries, workspace: Workspace) -> None:
    workspace.trouble("assistant.threads.setSuggestedPrompts", Trouble(error="missing_scope"))
    assert (await slack.event(opened("messages"))).status == 200
    await eventually(lambda: workspace.called("assistant.threads.setSuggestedPrompts"), "the call")
    assert workspace.prompts == {}


async def test_home_is_published_with_ids_of_its_own_and_no_table(slack: Deliveries, workspace: Workspace) -> None:
    assert (await slack.event(opened("home"))).status == 200
    view = await eventually(lambda: workspace.homes.get("U0ANA"), "the Home tab")
    kinds = [block["type"] for block in view["blocks"]]
    assert kinds == ["header", "rich_text", "actions"] * 2
    ids = [
        element["action_id"] for block in view["blocks"] if block["type"] == "actions" for element in block["elements"]
    ]
    assert ids == ["ask:0:en", "retry:1:en", "ask:2:en", "retry:3:en"]


async def test_a_question_pressed_in_home_is_asked_in_the_direct_conversation(
    slack: Deliveries, workspace: Workspace, inbox: Inbox
) -> None:
    await slack.event(opened("home"))
    view = await eventually(lambda: workspace.homes.get("U0ANA"), "the Home tab")
    button = view["blocks"][2]["elements"][0]
    pressed = {
        "type": "block_actions",
        "team": {"id": "T0HOME"},
        "user": {"id": "U0ANA", "team_id": "T0HOME"},
        "container": {"type": "view", "view_id": view["id"]},
        "view": view,
        "trigger_id": workspace.trigger(),
        "actions": [{**button, "action_ts": "1793545200.9"}],
    }
    assert (await slack.interaction(pressed)).status == 200
    [turn] = await eventually(lambda: inbox.turns, "the question")
    assert turn.action is not None
    assert (turn.action.verb, turn.action.value, turn.audience.kind) == ("ask", QUESTIONS[0], "dm")
    root = turn.thread.rpartition(":")[2]
    assert QUESTIONS[0] in workspace.message("D0ANA", root)["text"]


async def test_ask_about_this_starts_from_the_message_and_stays_in_its_thread(
    slack: Deliveries, workspace: Workspace, inbox: Inbox
) -> None:
    shortcut = {
        "type": "message_action",
        "callback_id": "ask_about_this",
        "trigger_id": workspace.trigger(),
        "team": {"id": "T0HOME"},
        "user": {"id": "U0BOB"},
        "channel": {"id": "C0SALES", "name": "sales"},
        "message": {"ts": "1793545100.000100", "text": "approval rate &lt;by channel&gt;"},
    }
    assert (await slack.interaction(shortcut)).status == 200
    [view] = await eventually(lambda: workspace.views, "a dialog")
    assert view["blocks"][0]["element"]["initial_value"] == "approval rate <by channel>"
    assert (await slack.interaction(sent(view, "approval rate by channel"))).status == 200
    [turn] = inbox.turns
    assert (turn.kind, turn.text) == ("message", "approval rate by channel")
    assert turn.thread == ThreadKey("slack:T0HOME:C0SALES:1793545100.000100")


async def test_a_question_from_anywhere_opens_a_thread_for_two(
    slack: Deliveries, workspace: Workspace, inbox: Inbox
) -> None:
    shortcut = {
        "type": "shortcut",
        "callback_id": "ask_your_data",
        "trigger_id": workspace.trigger(),
        "team": {"id": "T0HOME"},
        "user": {"id": "U0ANA"},
    }
    await slack.interaction(shortcut)
    [view] = await eventually(lambda: workspace.views, "a dialog")
    await slack.interaction({**sent(view, QUESTIONS[0]), "user": {"id": "U0ANA"}})
    [turn] = inbox.turns
    assert (turn.audience.kind, turn.thread.split(":")[2]) == ("dm", "D0ANA")
    inbox.is_down = True
    answer = await slack.interaction({**sent(view, QUESTIONS[1]), "user": {"id": "U0ANA"}})
    assert answer.payload["response_action"] == "errors"


async def test_words_that_are_no_question_are_answered_alone(
    slack: Deliveries, workspace: Workspace, inbox: Inbox
) -> None:
    answer = await slack.command(sample("slash_command", text="help", user_id="U0ANA"))
    assert answer.payload["response_type"] == "ephemeral"
    [turn] = inbox.turns
    assert (turn.kind, turn.text, turn.audience.kind) == ("command", "help", "dm")
    assert workspace.conversations["C0SALES"].messages[1:] == []


async def test_the_status_is_shown_while_a_question_is_worked_on(slack: Deliveries, workspace: Workspace) -> None:
    said = workspace.say("C0SALES", {"user": "U0BOB", "text": "<@U0BOT> approval rate"})
    await slack.event(sample("app_mention", event__ts=said["ts"], event__channel="C0SALES", event__user="U0BOB"))
    [status] = await eventually(lambda: workspace.statuses, "a status")
    assert (status["thread_ts"], status["status"]) == (said["ts"], "is working on it")


async def test_an_edited_question_is_offered_again_to_its_author_alone(
    slack: Deliveries, workspace: Workspace, inbox: Inbox
) -> None:
    inbox.followed.add(ThreadKey("slack:T0HOME:C0SALES:1793545100.000100"))
    edited = edit_of("approval rate", "approval rate by brand")
    assert (await slack.event(edited)).status == 200
    [notice] = await eventually(lambda: workspace.ephemerals, "a notice")
    assert notice["user"] == "U0ANA"
    [again] = [block for block in notice["blocks"] if block["type"] == "actions"]
    assert '"p":"approval rate by brand"' in again["elements"][0]["value"]
    assert inbox.turns == []


@pytest.mark.parametrize("after", ["approval rate", ""])
async def test_an_edit_that_changes_no_words_is_nothing(
    slack: Deliveries, workspace: Workspace, inbox: Inbox, after: str
) -> None:
    inbox.followed.add(ThreadKey("slack:T0HOME:C0SALES:1793545100.000100"))
    await slack.event(edit_of("approval rate", after))
    assert (workspace.called("chat.postEphemeral"), inbox.turns) == ([], [])


async def test_an_edit_elsewhere_is_nothing(slack: Deliveries, workspace: Workspace, inbox: Inbox) -> None:
    await slack.event(edit_of("approval rate", "approval rate by brand"))
    assert (workspace.called("chat.postEphemeral"), inbox.turns) == ([], [])


def edit_of(before: str, after: str) -> Json:
    said = {"type": "message", "user": "U0ANA", "ts": "1793545100.000100"}
    return sample(
        "message_changed",
        event__channel="C0SALES",
        event__message={**said, "text": after},
        event__previous_message={**said, "text": before},
    )


def sent(view: Json, question: str) -> Json:
    return {
        "type": "view_submission",
        "team": {"id": "T0HOME"},
        "user": {"id": "U0BOB"},
        "view": {**view, "state": {"values": {"text": {"value": {"type": "plain_text_input", "value": question}}}}},
    }
