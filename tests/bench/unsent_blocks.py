"""Slack's drawing of a turn without Slack: every card becomes its blocks, and they are sent nowhere."""

from pathlib import Path

from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from agent.values.turn import CardRef, Place
from cards.elements import Card
from cards.render.block_kit import render_block_kit


class UnsentBlocks(ConsoleChannel):
    """A console's channel whose cards are drawn as in Slack. Files are written into the folder."""

    def __init__(self, out: Path) -> None:
        super().__init__(Console(quiet=True), out)

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Draw the card."""
        render_block_kit(card)
        return CardRef(thread=place.thread, message_id=key)

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        """Draw what the card has become."""
        render_block_kit(card)
