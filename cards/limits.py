"""What each platform takes in one message: one table per platform. Lengths count characters, sizes bytes."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackLimits:
    """Block Kit. `message` is all text in the blocks together; `table` the text of one table."""

    blocks: int = 50
    header: int = 150
    section: int = 3000
    message: int = 11_500
    fallback: int = 3900
    buttons: int = 25
    button_label: int = 75
    button_value: int = 2000
    options: int = 100
    option_value: int = 150
    action_id: int = 255
    view_blocks: int = 100
    prompts: int = 4
    streamed: int = 12_000
    table_rows: int = 100
    table_columns: int = 20
    table: int = 10_000
    image_alt: int = 2000
    image_url: int = 3000
    modal_title: int = 24
    modal_submit: int = 24
    modal_label: int = 2000
    modal_placeholder: int = 150
    modal_input: int = 3000
    modal_metadata: int = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsLimits:
    """Adaptive Cards in Teams. `card` is the card's JSON in UTF-16 without its pictures."""

    card: int = 28_000
    actions: int = 6
    text: int = 4000
    label: int = 60
    table_rows: int = 50
    table_columns: int = 12
    input: int = 3000
    choices: int = 60
    viewers: int = 60
    picture_data: int = 70_000


SLACK: Final = SlackLimits()
TEAMS: Final = TeamsLimits()
