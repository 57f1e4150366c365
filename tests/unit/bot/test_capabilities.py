import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from typing import Any, Final, get_args

import pytest
import yaml
from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from adapters.channels.console.drawing import drawn, drawn_line
from adapters.channels.console.inbound import keys_of
from adapters.channels.console.local_files import LocalFiles
from adapters.channels.slack import edits as slack_edits
from adapters.channels.slack import streams as slack_streams
from adapters.channels.slack.file_source import SlackFiles
from adapters.channels.slack.modal import form_view
from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.tabs import home_view, prompts_of
from adapters.channels.teams import edits as teams_edits
from adapters.channels.teams import streams as teams_streams
from adapters.channels.teams.messages import card_message, consent_message, link_message, rated_message
from adapters.channels.teams.outbound import TeamsChannel
from agent.values.identity import ChannelName, ExternalUser, TenantId, UserId
from agent.values.outcome import Suggestion
from agent.values.spec import QuerySpec
from agent.values.turn import ActionVerb
from bot.capabilities import CAPABILITIES, Capability
from bot.chat_commands.words import read_command
from bot.ports import DirectMessages, PrivateOffers
from cards.actions import encode_action
from cards.build.forms import change_form
from cards.build.schedule import schedule_button, schedule_form
from cards.elements import Actions, Button, Card, Code, Fold, Paragraph, Span, Table, TableColumn
from cards.forms import Form, form_of_prompt
from cards.render.adaptive import Setting, render_adaptive
from cards.render.block_kit import render_block_kit
from deploy.teams.commands import command_lists
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName, MetricName
from tests.architecture.sources import ROOT
from tests.unit.cards import samples
from tests.unit.cards.cases import PICTURES, cards
from tests.unit.cards.samples import WORDS

Probe = Callable[[], object]
EN: Final = WORDS["en"]
CHANNELS: Final = get_args(ChannelName)
ANA: Final = ExternalUser(channel="slack", tenant=TenantId("T1"), user_id=UserId("U1"))
TWO_TABLES: Final = Card(
    kind="reply", elements=(Table(columns=(TableColumn(label="Channel"),), rows=(("POS",),)),) * 2, fallback="f"
)
LONG: Final = Card(kind="reply", elements=(Paragraph(spans=(Span(text="word " * 400),)),), fallback="f", addressee=ANA)


def card(name: str) -> Card:
    return cards(EN)[name]


def button(of: Card, verb: ActionVerb) -> Button:
    rows = (part.buttons for part in of.elements if isinstance(part, Actions))
    return next(each for row in rows for each in row if each.action.verb == verb)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for held in node.values():
            yield from nodes(held)
    elif isinstance(node, list):
        for held in node:
            yield from nodes(held)


def kinds(payload: Any) -> list[str]:
    return [str(node["type"]) for node in nodes(payload) if "type" in node]


def slack(of: Card) -> list[dict[str, Any]]:
    return render_block_kit(of)[0]


def in_slack(kind: str, of: str) -> Probe:
    return lambda: kind in kinds(slack(card(of)))


def in_teams(kind: str, of: str, setting: Setting | None = None) -> Probe:
    return lambda: kind in kinds(render_adaptive(card(of), PICTURES, setting or Setting()))


def printed(of: Card, colours: bool = False) -> str:
    screen = StringIO()
    console = Console(file=screen, width=200, force_terminal=colours, color_system="standard" if colours else None)
    console.print(drawn(of))
    return screen.getvalue()


def in_console(words: str, of: str) -> Probe:
    return lambda: words in printed(card(of))


def offers(channel: type, protocol: type) -> Probe:
    return lambda: issubclass(channel, protocol)


def lacks(probe: Probe) -> Probe:
    return lambda: not probe()


def said(words: str) -> Probe:
    return lambda: read_command(words)


def manifest(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))  # type: ignore[no-any-return]  # a file


def folded() -> bool:
    more = Button(label="Show SQL", action=button(card("answer"), "show_sql").action)
    fold = Fold(title="SQL", elements=(Code(text="SELECT 1,\n" * 40),), more=more)
    return any("accessory" in block for block in slack(replace(card("reply"), elements=(fold,))))


def executed() -> bool:
    pressed = [node for node in nodes(render_adaptive(card("answer"))) if node.get("type") == "Action.Execute"]
    return bool(pressed) and all(node["fallback"]["type"] == "Action.Submit" for node in pressed)


def form() -> Form:
    spec = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),))
    return change_form(replace(samples.proposal(EN), spec=spec), ["Channel"])


def changing() -> Setting:
    encoded = encode_action(button(card("proposal"), "change").action)
    return Setting(forms={encoded: form()})


def scheduled_in_teams() -> bool:
    offered = schedule_button(samples.RUN, "en")
    setting = Setting(forms={encode_action(offered.action): schedule_form("America/Lima", "en")})
    drawn = replace(card("reply"), elements=(Actions(buttons=(offered,)),))
    return "Input.ChoiceSet" in kinds(render_adaptive(drawn, setting=setting))


def reason_in_slack() -> bool:
    prompt = button(card("proposal"), "reject").prompt
    return prompt is not None and "plain_text_input" in kinds(form_view(form_of_prompt(prompt), "en", ""))


def thumbs_in_teams() -> bool:
    message = rated_message(card("answer"), PICTURES)
    left = json.dumps(message.attachments[0].content)
    return message.channel_data == {"feedbackLoop": {"type": "default"}} and "thumbs_up" not in left


def mentioned() -> bool:
    return "user" in kinds(slack(replace(card("clarification"), addressee=ANA)))


def mentioned_in_teams() -> bool:
    user = UserId("a11ce000-0000-4000-8000-000000000001")
    asked = replace(ANA, channel="teams", user_id=user, display_name="Ana")
    return "<at>Ana</at>" in json.dumps(render_adaptive(replace(card("clarification"), addressee=asked)))


def labelled_in_teams() -> bool:
    written = replace(card("answer"), is_model_written=True)
    return bool(card_message(written, PICTURES).entities) and not card_message(card("answer"), PICTURES).entities


def viewed() -> bool:
    shown = button(card("proposal"), "approve").action
    return "refresh" in render_adaptive(card("proposal"), setting=Setting(viewers=("29:1",), refreshing=shown))


def workbook_in_teams() -> bool:
    file = samples.attachments(EN)[-1]
    offer, link = consent_message(file, {}, "en"), link_message(file, "https://bot.example/f", "en")
    return "consent" in offer.attachments[0].content_type and "Action.OpenUrl" in kinds(link.attachments[0].content)


def teams_bot() -> dict[str, Any]:
    return manifest("teams/manifest.json")["bots"][0]  # type: ignore[no-any-return]  # a file


PROBES: Final[dict[str, tuple[Probe | None, Probe | None, Probe | None]]] = {
    "table": (in_slack("table", "answer"), in_teams("Table", "answer"), in_console("Approval rate", "answer")),
    "second_table": (
        lambda: {"table", "rich_text_preformatted"} <= set(kinds(slack(TWO_TABLES))),
        lambda: kinds(render_adaptive(TWO_TABLES)).count("Table") == 2,
        lambda: printed(TWO_TABLES).count("POS") == 2,
    ),
    "chart": (
        lacks(in_slack("image", "answer")),
        in_teams("Image", "answer"),
        lambda: samples.attachments(EN)[0].alt in printed(card("answer")),
    ),
    "fold": (folded, in_teams("Action.ToggleVisibility", "proposal"), in_console("FROM semantic.", "proposal")),
    "tone": (
        in_slack("rich_text_quote", "refusal"),
        lambda: any(node.get("style") == "warning" for node in nodes(render_adaptive(card("refusal")))),
        lambda: "\x1b[1;3" in printed(card("refusal"), colours=True),
    ),
    "button": (in_slack("button", "proposal"), executed, lambda: keys_of(card("proposal"))),
    "list": (
        in_slack("static_select", "answer"),
        lambda: any(n.get("title") == "Chart type" and "card" in n for n in nodes(render_adaptive(card("answer")))),
        in_console("Chart type: ", "answer"),
    ),
    "change_form": (
        lambda: {"static_select", "plain_text_input"} <= set(kinds(form_view(form(), "en", ""))),
        in_teams("Input.ChoiceSet", "proposal", changing()),
        lambda: button(card("proposal"), "change").prompt,
    ),
    "reason": (
        reason_in_slack,
        in_teams("Input.Text", "proposal"),
        lambda: button(card("proposal"), "reject").prompt,
    ),
    "thumbs": (
        in_slack("feedback_buttons", "answer"),
        thumbs_in_teams,
        lambda: "thumbs_down" in {key.action.verb for key in keys_of(card("answer")).values()},
    ),
    "progress": (
        in_slack("plan", "progress"),
        lambda: "→" in json.dumps(render_adaptive(card("progress")), ensure_ascii=False),
        lambda: "→" in drawn_line(card("progress")).plain,
    ),
    "mention": (mentioned, mentioned_in_teams, None),
    "model_label": (
        lambda: slack(replace(card("answer"), is_model_written=True)) == slack(card("answer")),
        labelled_in_teams,
        None,
    ),
    "private_notice": (
        offers(SlackChannel, PrivateOffers),
        offers(TeamsChannel, PrivateOffers),
        lacks(offers(ConsoleChannel, PrivateOffers)),
    ),
    "asked_elsewhere": (
        offers(SlackChannel, DirectMessages),
        offers(TeamsChannel, DirectMessages),
        lacks(offers(ConsoleChannel, DirectMessages)),
    ),
    "own_view": (offers(SlackChannel, PrivateOffers), viewed, None),
    "home": (lambda: home_view((card("reply"),))["type"] == "home", said("home"), said("home")),
    "commands": (
        lambda: [each["command"] for each in manifest("slack/manifest.yaml")["features"]["slash_commands"]] == ["/ask"],
        said("history"),
        said("history"),
    ),
    "prompts": (
        lambda: prompts_of((Suggestion(label="a", question="b"),)),
        lambda: command_lists(load_catalog(), "en")[0]["commands"],
        said("help"),
    ),
    "ask_about": (
        lambda: "message" in {each["type"] for each in manifest("slack/manifest.yaml")["features"]["shortcuts"]},
        lambda: "composeExtensions" not in manifest("teams/manifest.json"),
        None,
    ),
    "edited": (lambda: slack_edits.Edits, lambda: teams_edits.Edits, None),
    "schedule": (
        lambda: (
            {"static_select", "plain_text_input"}
            <= set(kinds(form_view(schedule_form("America/Lima", "en"), "en", "")))
        ),
        scheduled_in_teams,
        lambda: schedule_button(samples.RUN, "en").prompt,
    ),
    "workbook": (lambda: SlackChannel.attach, workbook_in_teams, lambda: ConsoleChannel.attach),
    "files_in": (
        lambda: SlackFiles.fetch,
        lambda: teams_bot()["supportsFiles"],
        lambda: LocalFiles.fetch,
    ),
    "streaming": (
        lambda: slack_streams.streamed_words(LONG),
        lambda: teams_streams.streamed_words(LONG),
        None,
    ),
}


def test_every_capability_is_looked_for_and_nothing_else_is() -> None:
    names = [capability.name for capability in CAPABILITIES]
    assert len(names) == len(set(names))
    assert set(PROBES) == set(names)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda capability: capability.name)
def test_the_channel_does_what_the_table_says(capability: Capability, channel: ChannelName) -> None:
    probe = PROBES[capability.name][("slack", "teams", "console").index(channel)]
    assert probe is not None or capability.on(channel).way == "none"
    assert probe is None or probe()
