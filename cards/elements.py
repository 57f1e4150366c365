"""The closed union every card is made of. A renderer draws these and nothing else."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Literal

from agent.values.identity import ExternalUser, RunId
from agent.values.turn import CardAction
from semantic_catalog.model import Locale

CardKind = Literal[
    "proposal",
    "decided",
    "answer",
    "clarification",
    "clarified",
    "progress",
    "refusal",
    "no_data",
    "failure",
    "reply",
    "notice",
]
PlotKind = Literal["line", "bar", "lying", "pie"]
Tone = Literal["info", "success", "warning", "danger"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of literal text. Nothing in `text` is markup: renderers escape it."""

    text: str
    bold: bool = False
    code: bool = False


RichText = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The card's title: what it is about."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A sentence or two."""

    spans: RichText


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A line that must be seen first: a decision, a doubt, a refusal."""

    tone: Tone
    spans: RichText


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Label and value, one line each."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """A short list, numbered from 1 where its items are spoken of by number."""

    items: tuple[RichText, ...]
    numbered: bool = False

    def marked(self) -> tuple[tuple[str, RichText], ...]:
        """Each item behind what stands before it where a channel draws no lists."""
        return tuple((f"{at}. " if self.numbered else "• ", item) for at, item in enumerate(self.items, start=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Text to be read letter by letter."""

    text: str
    language: Literal["sql", "text"] = "sql"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Details on demand: closed until the reader opens it, where the channel can fold.

    `more` is the button behind which everything is, for channels that can only cut what is long.
    """

    title: str
    elements: tuple["Paragraph | Facts | Bullets | Code | Small", ...]
    more: "Button | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A table's column: its label, and whether its cells are numbers (right aligned)."""

    label: str
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells already written in the reader's locale. `note` says what is left out."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A chart's numbers, for channels that draw charts themselves: a value per label in each named series.

    `lying` bars run from left to right. A pie has one series, without gaps.
    """

    kind: PlotKind
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image of the card's attachments, by its `key`, with its alternative text.

    `plot` is what the image shows, where that is a plain chart.
    """

    attachment: str
    alt: str
    plot: Plot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """A line of small print: the receipt line, who may approve, expiry."""

    spans: RichText


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a button asks before it sends: one text box. The typed text becomes the action's `text`."""

    title: str
    label: str
    submit: str
    placeholder: str = ""
    required: bool = False
    initial: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button. With a prompt, the channel asks for text first (modal, inline input or a question).

    Neighbours with the same `listed_as` are one choice, which channels draw as a list of that name.
    """

    label: str
    action: CardAction
    style: Literal["default", "primary", "danger"] = "default"
    prompt: Prompt | None = None
    hint: str = ""
    listed_as: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """A row of buttons. `hint` of a button is its one-line meaning, drawn above the row.

    Where a channel draws many buttons of one verb as a list to choose from, `placeholder` says what is chosen.
    """

    buttons: tuple[Button, ...]
    placeholder: str = ""


FoldElement = Paragraph | Facts | Bullets | Code | Small
Element = Heading | Paragraph | Notice | Facts | Bullets | Code | Fold | Table | Picture | Small | Actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that belongs to a card: a chart or a workbook. `key` is unique within the `run`.

    Its bytes are the `content`, or, of a file that is not to be in memory whole, the `length` bytes that `parts` brings
    each time it is called.
    """

    key: str
    name: str
    media_type: str
    title: str
    content: bytes = b""
    alt: str = ""
    run: RunId | None = None
    length: int = 0
    parts: Callable[[], AsyncIterator[bytes]] | None = field(default=None, compare=False, repr=False)

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return len(self.content) if self.parts is None else self.length

    async def read(self) -> AsyncIterator[bytes]:
        """The bytes, some at a time."""
        if self.parts is None:
            yield self.content
            return
        async for part in self.parts():
            yield part


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of what is being worked on."""

    label: str
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What words of a model rest on: the source's name, and what was read of it."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One message. `fallback` is the whole card in one line, for notifications and old clients.

    `locale` is the language of its words, and of the words a renderer has to add (what was cut). `addressee` is whom
    the card speaks to: a question back names them where others read along. `steps` say the same as the first paragraph
    of a progress card, for channels that draw steps. `is_model_written` says that a language model wrote the card's
    first paragraph, which rests on `citations`.
    """

    kind: CardKind
    elements: tuple[Element, ...]
    fallback: str
    attachments: tuple[Attachment, ...] = ()
    locale: Locale = "en"
    addressee: ExternalUser | None = None
    steps: tuple[Step, ...] = ()
    is_model_written: bool = False
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """What intake answers at once to a click: the card to show the person who clicked, or a private notice.

    `offers` are buttons beside the notice, where the channel can show them.
    """

    card: Card | None = None
    notice: str = ""
    offers: tuple[Button, ...] = ()
