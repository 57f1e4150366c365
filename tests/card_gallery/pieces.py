"""Scenes as what Slack and Teams are sent, with what the page around it needs."""

import base64
from collections.abc import Iterator
from typing import Any, Final

from adapters.channels.slack.modal import form_view
from adapters.channels.slack.tabs import home_view
from adapters.channels.teams.messages import card_message, is_rated, rated_message
from adapters.channels.teams.pictures import data_address, is_picture
from cards.actions import encode_action
from cards.elements import Attachment
from cards.render.adaptive import Setting
from cards.render.block_kit import render_block_kit
from tests.card_gallery.kept import Scene

Json = dict[str, Any]
USERS: Final = [{"id": "U0ANA", "name": "Ana Analyst"}]
UNFOLDING: Final = ("change", "schedule")
ALONE: Final = "Only visible to you"


def pieces(scenes: tuple[Scene, ...]) -> list[Json]:
    """One piece a scene and channel; what a channel has no place for is left out."""
    return [piece for scene in scenes for piece in (*_in_slack(scene), *_in_teams(scene))]


def _in_slack(scene: Scene) -> Iterator[Json]:
    frame = {"name": f"slack-{scene.name}", "channel": "slack", "users": USERS, "files": []}
    if scene.form is not None:
        yield {**frame, "view": form_view(scene.form, scene.card.locale, "")}
    elif scene.is_home:
        yield {**frame, "blocks": home_view((scene.card,))["blocks"], "home": True}
    else:
        blocks, _ = render_block_kit(scene.card)
        files = [_file(file) for file in scene.card.attachments]
        yield {**frame, "blocks": blocks, "files": files, "private": ALONE if scene.alone else ""}


def _file(file: Attachment) -> Json:
    """A file of the thread, which Slack shows below the card."""
    named = {"name": file.name, "title": file.title, "kind": "Excel Spreadsheet"}
    return {**named, "picture": _address(file)} if is_picture(file) else named


def _address(file: Attachment) -> str:
    return f"data:image/png;base64,{base64.b64encode(file.content).decode()}"


def _in_teams(scene: Scene) -> Iterator[Json]:
    """A form unfolds inside its card; a person's page is a card like any other."""
    pictures = {file.key: data_address(file.content) for file in scene.card.attachments if is_picture(file)}
    button = scene.button
    forms = (
        {encode_action(button.action): scene.form} if button and scene.form and button.action.verb in UNFOLDING else {}
    )
    build = rated_message if is_rated(scene.card) else card_message
    message = build(scene.card, pictures, Setting(forms=forms))
    yield {
        "name": f"teams-{scene.name}",
        "channel": "teams",
        "card": message.attachments[0].content,
        "open": [button.label] if button else [],
        "rated": bool(message.channel_data),
    }
