from collections.abc import Iterator
from typing import Any

import pytest
from microsoft_teams.cards import core
from pydantic import BaseModel
from slack_sdk.models.blocks import Block

from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit
from tests.unit.cards.cases import NAMES, PICTURES, cards
from tests.unit.cards.samples import WORDS

TEAMS_MODELS: dict[str, type[BaseModel]] = {
    "AdaptiveCard": core.AdaptiveCard,
    "TextBlock": core.TextBlock,
    "RichTextBlock": core.RichTextBlock,
    "TextRun": core.TextRun,
    "Container": core.Container,
    "FactSet": core.FactSet,
    "Table": core.Table,
    "TableRow": core.TableRow,
    "TableCell": core.TableCell,
    "CodeBlock": core.CodeBlock,
    "Image": core.Image,
    "ActionSet": core.ActionSet,
    "Input.Text": core.TextInput,
    "Action.Execute": core.ExecuteAction,
    "Action.Submit": core.SubmitAction,
    "Action.ShowCard": core.ShowCardAction,
    "Action.ToggleVisibility": core.ToggleVisibilityAction,
}


@pytest.mark.parametrize("name", NAMES)
def test_slack_sdk_knows_every_block(name: str) -> None:
    blocks, _ = render_block_kit(cards(WORDS["en"])[name], PICTURES)
    for block in blocks:
        parsed = Block.parse(block)
        assert parsed is not None
        parsed.validate_json()


@pytest.mark.parametrize("name", NAMES)
def test_the_teams_models_know_every_node_and_field(name: str) -> None:
    for node in typed_nodes(render_adaptive(cards(WORDS["en"])[name], PICTURES)):
        parsed = TEAMS_MODELS[node["type"]].model_validate(node)
        # The models spell `$schema` without its dollar.
        assert set(parsed.model_extra or {}) <= {"$schema"}, node["type"]


def typed_nodes(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "type" in node:
            yield node
        for held in node.values():
            yield from typed_nodes(held)
    elif isinstance(node, list):
        for item in node:
            yield from typed_nodes(item)
