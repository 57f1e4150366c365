import asyncio
from dataclasses import dataclass
from typing import Any, Protocol

from adapters.channels.slack.thread_ids import SlackThread, slack_thread
from adapters.channels.teams.thread_ids import TeamsThread, teams_thread
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.outcome import RunRecord
from bot.bootstrap import Product
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.fakes.teams.connector import TENANT, teams_stand_in
from tests.fakes.teams.people import CHANNEL, TeamsClient, nodes
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.slack import SECRET, SlackPeople, people_of, text_of
from tests.scenario.teams import ANA, PUBLIC, Talk
from tests.scenario.waiting import eventually

SAID = (
    ("What was the approval rate of the last seven days by channel?", ("approve", "export")),
    ("only Visa", ("approve",)),
    ("new question: processed amount by region", ("choose", "approve")),
    ("new question: delete the declined transactions of yesterday", ()),
    ("new question: top 5 merchants by processed amount last month", ("change", "approve")),
    ("new question: fees by month this year", ("reject",)),
)
"""What Ana says in one thread, and what she presses on the cards that come."""

WORDS = {"change": "only Mastercard", "reject": "wrong period"}
STATUSES = ["answered", "answered", "answered", "refused", "answered", "rejected"]


class Side(Protocol):
    """Ana in a channel of one platform."""

    @property
    def thread(self) -> ThreadKey: ...

    async def say(self, text: str) -> None: ...

    async def press(self, verb: str) -> None: ...

    def words(self) -> str: ...

    def workbooks(self) -> int: ...


@dataclass(kw_only=True)
class InSlack:
    people: SlackPeople
    root: str = ""

    @property
    def thread(self) -> ThreadKey:
        return slack_thread(SlackThread(team="T0HOME", channel="C0SALES", root=self.root))

    async def say(self, text: str) -> None:
        self.root = await self.people.mention(text, thread=self.root)

    async def press(self, verb: str) -> None:
        opened = len(self.people.workspace.views)
        await self.people.press(await self.people.card_with(self.root, verb), verb)
        if verb in WORDS:
            await eventually(lambda: len(self.people.workspace.views) > opened, "a dialog")
            await self.people.send_dialog(WORDS[verb])

    def words(self) -> str:
        return "\n".join(text_of(card) for card in self.people.cards(self.root))

    def workbooks(self) -> int:
        return sum(file.name.endswith(".xlsx") for file in self.people.workspace.files.values())


@dataclass(kw_only=True)
class InTeams:
    talk: Talk
    root: str = ""

    @property
    def thread(self) -> ThreadKey:
        return teams_thread(TeamsThread(tenant=TENANT, conversation=CHANNEL.id, root=self.root))

    async def say(self, text: str) -> None:
        said = await self.talk.client.say(ANA, CHANNEL, text, root=self.root)
        self.root = self.root or said
        self.talk.thread = CHANNEL.thread(self.root)

    async def press(self, verb: str) -> None:
        filled = {"text": WORDS[verb]} if verb in WORDS else {}
        await self.talk.press(ANA, await self.talk.card(verb), verb, **filled)

    def words(self) -> str:
        return "\n".join(
            str(node["text"])
            for posted in self.talk.teams.in_conversation(self.talk.thread)
            for node in nodes(posted.activity)
            if "text" in node
        )

    def workbooks(self) -> int:
        posted = self.talk.teams.in_conversation(self.talk.thread)
        return sum(node.get("type") == "Action.OpenUrl" for each in posted for node in nodes(each.activity))


def letters(text: str) -> str:
    """The text without what separates its runs."""
    return "".join(character for character in text if character.isalnum())


async def test_one_thread_ends_the_same_in_slack_and_in_teams(settings_of: MakeSettings) -> None:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_server(workspace) as server, teams_stand_in() as teams:
        settings = settings_of(
            slack_bot_token=BOT_TOKEN,
            slack_signing_secret=SECRET,
            slack_api_url=server.api,
            slack_seconds_between_posts=0,
            **PUBLIC,
        )
        async with running_bot(settings, teams.config().endpoints) as bot, people_of(bot.url, workspace) as people:
            client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
            sides = (InSlack(people=people), InTeams(talk=Talk(client=client, conversation=CHANNEL)))
            for side in sides:
                await converse(side, bot.product)
            slack, in_teams = [await ended(bot.product, side.thread) for side in sides]
    assert [run["status"] for run in slack] == STATUSES
    assert slack == in_teams
    told = [finding for run in slack for finding in run.get("said", ())]
    assert told
    for side in sides:
        words = letters(side.words())
        assert [finding for finding in told if letters(finding) not in words] == []
    assert [side.workbooks() for side in sides] == [STATUSES.count("answered") + 1] * 2, "one was exported again"
    assert (workspace.faults, teams.faults) == ([], [])


async def converse(side: Side, product: Product) -> None:
    for number, (text, pressed) in enumerate(SAID):
        await side.say(text)
        for verb in pressed:
            await side.press(verb)
            if verb == "change":
                await eventually(lambda: "Mastercard" in side.words(), "the changed proposal")
            await idle(product)
        await idle(product)
        assert [run.status for run in await runs_of(product, side.thread)][number:] == [STATUSES[number]]


async def idle(product: Product) -> None:
    """Return once every turn that was taken in is handled to its end."""
    open_jobs = "SELECT count(*) AS open FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
    for _ in range(2000):
        async with product.stores.pool.connection() as connection:
            cursor = await connection.execute(open_jobs)
            if (await cursor.fetchone()) == {"open": 0}:
                return
        await asyncio.sleep(0.02)
    raise AssertionError("turns that never end")


async def runs_of(product: Product, thread: ThreadKey) -> list[RunRecord]:
    """The thread's runs, oldest first."""
    recent = await product.stores.lists.recent(PrincipalId("ana"), 50)
    return [run for run in reversed(recent) if run.thread == thread]


async def ended(product: Product, thread: ThreadKey) -> list[dict[str, Any]]:
    """What each run of the thread came to, whatever its own id."""
    memory = await product.stores.memory.load(thread)
    remembered = {run.run: run for run in memory.runs}
    found = []
    for record in await runs_of(product, thread):
        came = {"question": record.question, "status": record.status, "revision": record.revision}
        kept = remembered.get(record.run)
        if kept is not None and kept.result is not None:
            rows = (await product.stores.results.read(kept.result)).rows
            came |= {"spec": kept.spec, "sql": kept.sql, "rows": rows, "said": (kept.headline, *kept.findings)}
        found.append(came)
    return found
