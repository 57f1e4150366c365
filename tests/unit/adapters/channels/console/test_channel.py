import io
from pathlib import Path

import pytest
from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from adapters.channels.console.thread_ids import console_thread
from agent.values.identity import ExternalUser, RunId, TenantId, UserId
from agent.values.turn import Place
from bot.ports import Channel
from cards.elements import Attachment
from cards.errors import DeliveryRefused
from tests.unit.cards.cases import NAMES, cards
from tests.unit.cards.hostile import TEXTS, hostile_words
from tests.unit.cards.samples import RUN, WORDS, attachments

PLACE = Place(thread=console_thread("demo"), address="")


class Terminal:
    """A console that writes into memory, and the channel on it."""

    def __init__(self, out: Path) -> None:
        self.console = Console(file=io.StringIO(), width=100, force_terminal=False)
        self.channel = ConsoleChannel(self.console, out)

    @property
    def shown(self) -> str:
        """Everything printed so far."""
        written = self.console.file
        assert isinstance(written, io.StringIO)
        return written.getvalue()


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "out")


def test_it_is_a_channel(terminal: Terminal) -> None:
    channel: Channel = terminal.channel
    assert channel.name == "console"


async def test_a_card_is_printed_with_the_keys_of_its_buttons(terminal: Terminal) -> None:
    card = cards(WORDS["en"])["proposal"]
    await terminal.channel.post(PLACE, card, "7F3K:proposal")
    assert "Approval rate by channel, last 7 days" in terminal.shown
    assert "FROM semantic.v_daily_payment_metrics" in terminal.shown
    assert "[a] Approve   [c] Change…   [r] Reject…" in terminal.shown
    assert terminal.channel.last_card == card


async def test_a_repeated_post_is_one_card(terminal: Terminal) -> None:
    card = cards(WORDS["en"])["failure"]
    first = await terminal.channel.post(PLACE, card, "k")
    again = await terminal.channel.post(PLACE, card, "k")
    assert first == again
    assert terminal.shown.count("Reference 7F3K") == 1


async def test_a_decision_is_one_line_and_takes_the_keys_away(terminal: Terminal) -> None:
    ref = await terminal.channel.post(PLACE, cards(WORDS["en"])["proposal"], "k")
    before = len(terminal.shown)
    await terminal.channel.update(PLACE, ref, cards(WORDS["en"])["decided_approve"])
    assert terminal.shown[before:] == "✓ Approved by Luis at 10:02\n"
    assert terminal.channel.last_card == cards(WORDS["en"])["decided_approve"]


async def test_progress_becomes_the_answer_and_never_stays_behind(terminal: Terminal) -> None:
    ref = await terminal.channel.post(PLACE, cards(WORDS["en"])["progress"], "k")
    await terminal.channel.update(PLACE, ref, cards(WORDS["en"])["progress"])
    await terminal.channel.update(PLACE, ref, cards(WORDS["en"])["answer"])
    assert "Running" not in terminal.shown
    assert "Approval rate was 86.9 %" in terminal.shown


async def test_files_are_written_and_their_paths_printed(terminal: Terminal, tmp_path: Path) -> None:
    for attachment in attachments(WORDS["en"]):
        await terminal.channel.attach(PLACE, RUN, attachment)
    files = terminal.channel.files_of(RUN)
    assert {key: path.read_bytes() for key, path in files.items()} == {"chart": b"\x89PNG", "workbook": b"PK"}
    assert all(path.parent == tmp_path / "out" for path in files.values())
    assert "chart-7F3K.png" in terminal.shown.replace("\n", "")
    assert terminal.channel.files_of(RunId("other")) == {}


@pytest.mark.parametrize("name", ["../../evil.png", "/etc/evil.png", "..\\evil.png", "..", ""])
async def test_a_file_stays_in_its_folder(terminal: Terminal, tmp_path: Path, name: str) -> None:
    attachment = Attachment(key="chart", name=name, media_type="image/png", title="t", content=b"x")
    await terminal.channel.attach(PLACE, RUN, attachment)
    assert terminal.channel.files_of(RUN)["chart"].resolve().parent == (tmp_path / "out").resolve()


async def test_a_folder_that_cannot_be_written_is_a_refused_delivery(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    with pytest.raises(DeliveryRefused):
        await Terminal(tmp_path / "out").channel.attach(PLACE, RUN, attachments(WORDS["en"])[0])


async def test_a_notice_is_addressed_to_its_person(terminal: Terminal) -> None:
    user = ExternalUser(channel="console", tenant=TenantId("local"), user_id=UserId("eva"), display_name="Eva")
    await terminal.channel.notify(PLACE, user, "You can’t approve this.")
    assert terminal.shown == "@Eva: You can’t approve this.\n"


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", NAMES)
async def test_no_text_drives_the_terminal(terminal: Terminal, kind: str, name: str) -> None:
    await terminal.channel.post(PLACE, cards(hostile_words("en", TEXTS[kind]))[name], "k")
    assert "\x1b" not in terminal.shown
    assert "\x07" not in terminal.shown
    assert "\u202e" not in terminal.shown


async def test_markup_in_a_text_is_printed_as_it_is(terminal: Terminal) -> None:
    await terminal.channel.post(PLACE, cards(hostile_words("en", "[red]x[/red]"))["reply"], "k")
    assert "[red]x[/red]" in terminal.shown
