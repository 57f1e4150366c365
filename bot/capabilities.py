"""What each channel shows, and what stands in place of what it lacks: one table, read by the documentation."""

from dataclasses import dataclass
from typing import Final, Literal

from agent.values.identity import ChannelName
from cards.limits import SLACK, TEAMS

Way = Literal["own", "instead", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Whether the channel has the thing of its `own`, something else `instead`, or `none`; `how` says it in words."""

    way: Way
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One thing that people see or do. `name` is unique."""

    name: str
    what: str
    slack: Shown
    teams: Shown
    console: Shown

    def on(self, channel: ChannelName) -> Shown:
        """How that channel does it."""
        return {"slack": self.slack, "teams": self.teams, "console": self.console}[channel]


def _own(how: str) -> Shown:
    return Shown(way="own", how=how)


def _instead(how: str) -> Shown:
    return Shown(way="instead", how=how)


def _none(how: str) -> Shown:
    return Shown(way="none", how=how)


_CARDS: Final = (
    Capability(
        name="table",
        what="The answer's rows",
        slack=_own(f"a table block: {SLACK.table_rows - 1} rows, {SLACK.table_columns} columns"),
        teams=_own(f"a Table: {TEAMS.table_rows} rows, {TEAMS.table_columns} columns; aligned text on older clients"),
        console=_own("a table"),
    ),
    Capability(
        name="second_table",
        what="A second table on one card",
        slack=_instead("aligned text: Slack takes one table a message"),
        teams=_own("a Table"),
        console=_own("a table"),
    ),
    Capability(
        name="chart",
        what="The chart",
        slack=_instead("a picture among the files of the thread, below the card"),
        teams=_own("a picture in the card; drawn by the client itself with TEAMS_NATIVE_CHARTS"),
        console=_instead("a PNG file, with its path and its words"),
    ),
    Capability(
        name="fold",
        what="SQL and other details, closed until asked for",
        slack=_instead("the first lines, and Show SQL for all of them"),
        teams=_own("a button that unfolds a code block"),
        console=_instead("shown in full"),
    ),
    Capability(
        name="tone",
        what="Doubts, refusals and decisions that stand out",
        slack=_instead("a quotation; Slack's blocks have no colours"),
        teams=_own("a coloured container"),
        console=_own("colour"),
    ),
    Capability(
        name="button",
        what="Buttons",
        slack=_own("buttons"),
        teams=_own("Action.Execute, with Action.Submit on older clients"),
        console=_own("a key for each button"),
    ),
    Capability(
        name="list",
        what="One of several: chart type, drill down",
        slack=_own("a select"),
        teams=_instead("a button that unfolds the choices"),
        console=_instead("a line of keys under their name"),
    ),
    Capability(
        name="change_form",
        what="Change: period, rows, split, words, SQL",
        slack=_own("a dialog"),
        teams=_own("a form that unfolds in the card"),
        console=_instead("one line of words or SQL"),
    ),
    Capability(
        name="reason",
        what="Reject with a reason",
        slack=_own("a dialog"),
        teams=_own("a box that unfolds in the card"),
        console=_own("a line"),
    ),
    Capability(
        name="thumbs",
        what="👍 and 👎, with a reason",
        slack=_own("Slack's feedback buttons; 👎 opens a dialog"),
        teams=_own("Teams' feedback below the message, with its own form"),
        console=_instead("keys"),
    ),
    Capability(
        name="progress",
        what="The steps of the work",
        slack=_own("a plan with tasks; a line of text where the workspace takes no plans"),
        teams=_instead("one line on a card that moves, with typing"),
        console=_instead("a status line"),
    ),
    Capability(
        name="mention",
        what="The asker is named in a question back",
        slack=_own("a mention, which notifies them"),
        teams=_own("a mention in the card, which notifies them"),
        console=_none("one person is there"),
    ),
    Capability(
        name="model_label",
        what="Words of a language model are marked",
        slack=_none("Slack has no such label"),
        teams=_own("the AI label, with citations"),
        console=_none("a terminal has no such label"),
    ),
)

_PEOPLE: Final = (
    Capability(
        name="private_notice",
        what="A word to one person in front of others",
        slack=_own("a message that only they see, with buttons"),
        teams=_own("the answer to their click, or their personal chat"),
        console=_instead("printed with their name"),
    ),
    Capability(
        name="asked_elsewhere",
        what="Approvers who are not in the thread",
        slack=_own("the same card in a direct message, redrawn everywhere"),
        teams=_own("the same card in their personal chat, redrawn everywhere"),
        console=_none("`countersign chat --as` another role"),
    ),
    Capability(
        name="own_view",
        what="A card that differs by who looks",
        slack=_instead("a private notice when somebody without the right presses"),
        teams=_own("a view of one's own, in conversations of up to 60 people"),
        console=_none("one person looks"),
    ),
    Capability(
        name="home",
        what="A page of one's own",
        slack=_own("the Home tab"),
        teams=_instead("the word `home`"),
        console=_instead("the word `home`"),
    ),
    Capability(
        name="commands",
        what="Commands",
        slack=_own("`/ask`, and words"),
        teams=_instead("words, offered beside the box for messages"),
        console=_instead("words"),
    ),
    Capability(
        name="prompts",
        what="Questions to begin with",
        slack=_own("suggested prompts, made for each person"),
        teams=_instead("the catalog's, the same for everybody: prompts of the app's package"),
        console=_instead("the word `help`"),
    ),
    Capability(
        name="ask_about",
        what="Ask about somebody's message",
        slack=_own("the shortcut Ask about this"),
        teams=_none("copy it into a message to the bot"),
        console=_none("copy it"),
    ),
    Capability(
        name="edited",
        what="A question edited after it was asked",
        slack=_own("an offer to ask again"),
        teams=_own("an offer to ask again"),
        console=_none("a typed line cannot be edited"),
    ),
)

_FILES: Final = (
    Capability(
        name="schedule",
        what="Send me this again: when, and on which condition",
        slack=_own("a dialog"),
        teams=_own("a form that unfolds in the card"),
        console=_instead("one line of words"),
    ),
    Capability(
        name="workbook",
        what="The workbook, and its export",
        slack=_own("a file in the thread"),
        teams=_own("an offer to one's OneDrive in a personal chat, a link that expires elsewhere"),
        console=_own("a file, with its path"),
    ),
    Capability(
        name="files_in",
        what="Files and tables given",
        slack=_own("uploads, anywhere the bot is"),
        teams=_own("uploads in a personal chat, tables pasted anywhere"),
        console=_own("`countersign ask --file`"),
    ),
    Capability(
        name="streaming",
        what="Long explanations word by word",
        slack=_own("streamed where Slack streams"),
        teams=_own("streamed in personal chats"),
        console=_none("printed at once"),
    ),
)

CAPABILITIES: Final = (*_CARDS, *_PEOPLE, *_FILES)
