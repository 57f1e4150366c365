"""The terminal as a channel: cards are printed, files are written into a folder."""

import asyncio
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.text import Text

from adapters.channels.console.drawing import drawn, drawn_line
from agent.values.identity import ChannelName, ExternalUser, RunId
from agent.values.turn import CardRef, Place
from cards.elements import Attachment, Card
from cards.errors import DeliveryRefused
from cards.render.clean import clean


class ConsoleChannel:
    """Draws on one terminal. What is printed stays, so a redrawn card is printed as the line that changed."""

    def __init__(self, console: Console, out: Path) -> None:
        self._console = console
        self._out = out
        self._posted: dict[str, CardRef] = {}
        self._files: dict[RunId, dict[str, Path]] = {}
        self._status: Status | None = None
        self._last_card: Card | None = None

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        return "console"

    @property
    def last_card(self) -> Card | None:
        """The newest card that was drawn: its buttons are the ones that keys press."""
        return self._last_card

    def files_of(self, run: RunId) -> dict[str, Path]:
        """Where the run's files were written, by the attachment's key."""
        return dict(self._files.get(run, {}))

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Print a card; the same key prints it once."""
        ref = self._posted.get(key)
        if ref is None:
            ref = self._posted[key] = CardRef(thread=place.thread, message_id=key)
            self._draw(card)
        return ref

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        """Print what a card has become: one line for a decision, the whole card otherwise."""
        self._draw(card)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Write the file and print its path. Raises `DeliveryRefused` when it cannot be written."""
        path = self._out / _file_name(attachment, run)
        try:
            await _write(path, attachment)
        except OSError as error:
            raise DeliveryRefused(f"write file: {type(error).__name__}") from error
        self._files.setdefault(run, {})[attachment.key] = path
        self._console.print(Text(str(path), style="underline"))
        return CardRef(thread=place.thread, message_id=f"{run}:{attachment.key}")

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:  # noqa: ARG002  # the port's arguments
        """Print the words, addressed to the person."""
        self._stop_status()
        self._console.print(Text(f"@{clean(user.display_name or user.user_id)}: {clean(text)}", style="yellow"))

    def _draw(self, card: Card) -> None:
        if card.kind == "progress":
            self._show_status(drawn_line(card))
            return
        self._stop_status()
        self._last_card = card
        self._console.print(drawn_line(card) if card.kind in ("decided", "clarified") else drawn(card))

    def _show_status(self, line: Text) -> None:
        if self._status is None:
            self._status = self._console.status(line)
            self._status.start()
        else:
            self._status.update(line)

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


def _file_name(attachment: Attachment, run: RunId) -> str:
    """The attachment's own name, kept inside the folder."""
    name = Path(attachment.name.replace("\\", "/")).name
    return name if name not in ("", ".", "..") else f"{run}-{attachment.key}"


async def _write(path: Path, attachment: Attachment) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as opened:
        async for part in attachment.read():
            await asyncio.to_thread(opened.write, part)
