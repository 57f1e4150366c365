"""What people do: ask, approve (some twice, some without the right to), take back, or say what no rule reads."""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, TypeVar

from tests.chaos.ledger import Ledger
from tests.chaos.people import SlackSide, TeamsSide
from tests.fakes.slack.workspace import Json
from tests.fakes.teams.people import Conversation, Person, buttons
from tests.fakes.teams.posted import Posted
from tests.scenario.slack import buttons_of

Kind = Literal["approved", "taken_back", "unread"]
Platform = Literal["slack", "teams"]
METRICS = ("processed amount", "approval rate", "average ticket", "declined transactions")
FIRST_DAY = date(2026, 8, 1)
DAYS = 90
UNREAD = "zorble the flimmers of quux {number}"
KINDS: tuple[Kind, ...] = ("approved",) * 7 + ("taken_back", "unread", "approved")
LOOK_EVERY_SECONDS = 0.1
Found = TypeVar("Found")

ANA = Person(name="Ana")
BOB = Person(name="Bob", object_id="b0b00000-0000-4000-8000-000000000002")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One conversation. No two of a run ask the same; `place` is its thread's id at the platform."""

    number: int
    platform: Platform
    kind: Kind
    question: str
    is_doubled: bool
    has_stranger: bool
    place: str = ""


def plans(chance: random.Random, count: int) -> Iterator[Plan]:
    """So many conversations, one in three of them in Teams."""
    asked = [f"{metric} by channel on {_words(day)}" for metric in METRICS for day in _days()]
    chance.shuffle(asked)
    for number, question in enumerate(asked[:count]):
        kind = chance.choice(KINDS)
        yield Plan(
            number=number,
            platform="teams" if number % 3 == 2 else "slack",
            kind=kind,
            question=UNREAD.format(number=number) if kind == "unread" else question,
            is_doubled=chance.random() < 0.5,
            has_stranger=chance.random() < 0.3,
        )


async def in_slack(side: SlackSide, plan: Plan, ledger: Ledger) -> Plan:
    """Have the conversation to its end; the plan with its thread."""
    root = await side.say(plan.question)
    placed = replace(plan, place=root)
    if plan.kind == "unread":
        return placed

    def look() -> Json | None:
        held = side.workspace.thread(side.channel, root)
        return next((message for message in held if buttons_of(message, "approve")), None)

    card = await _seen(look, ledger, root)
    if card is None:
        return placed
    if plan.kind == "taken_back":
        await side.say("stop", thread=root)
        return placed
    button = buttons_of(card, "approve")[0]
    clicks = [side.press(card, button) for _ in range(1 + plan.is_doubled)]
    clicks += [side.press(card, button, user="U0BOB") for _ in range(plan.has_stranger)]
    await asyncio.gather(*clicks)
    return placed


async def in_teams(side: TeamsSide, plan: Plan, ledger: Ledger) -> Plan:
    """Have the conversation to its end; the plan with its conversation."""
    channel = Conversation(scope="channel", id=f"19:{_name(plan)}@thread.tacv2")
    root = await side.say(ANA, channel, plan.question)
    placed = replace(plan, place=_name(plan))
    if plan.kind == "unread":
        return placed

    def look() -> Posted | None:
        held = side.teams.in_conversation(channel.thread(root))
        return next((message for message in held if _is_open(message)), None)

    card = await _seen(look, ledger, _name(plan))
    if card is None:
        return placed
    if plan.kind == "taken_back":
        await side.say(ANA, channel, "stop", root=root)
        return placed
    clicks = [side.press(ANA, channel, card, "Approve") for _ in range(1 + plan.is_doubled)]
    clicks += [side.press(BOB, channel, card, "Approve") for _ in range(plan.has_stranger)]
    await asyncio.gather(*clicks)
    return placed


async def _seen(look: Callable[[], Found | None], ledger: Ledger, place: str) -> Found | None:
    """What `look` finds; None once the question has ended without it."""
    while (found := look()) is None:
        if ledger.has_ended(place):
            return None
        await asyncio.sleep(LOOK_EVERY_SECONDS)
    return found


def _is_open(message: Posted) -> bool:
    attached = message.activity.get("attachments") or []
    return bool(attached) and any(found["title"] == "Approve" for found in buttons(attached[0]["content"]))


def _days() -> Iterator[date]:
    return (FIRST_DAY + timedelta(days=number) for number in range(DAYS))


def _words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _name(plan: Plan) -> str:
    """The part of a conversation's id in Teams that no way of writing it changes."""
    return f"chaos{plan.number:04d}"
