"""What people do: ask, approve (some twice, some without the right to), change, choose, take back."""

import asyncio
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from tests.chaos.ledger import ENDED, Ledger
from tests.chaos.plans import CHANGE, Plan
from tests.chaos.rooms import Room, Shown

LOOK_EVERY_SECONDS = 0.3
LATE_SECONDS = 2.0
STOPPED_WITHIN_SECONDS = 1.5
Found = TypeVar("Found")


@dataclass(kw_only=True)
class Talk:
    """One conversation, held by its plan. `to_strangers` is what those were shown who pressed without the right to."""

    plan: Plan
    room: Room
    ledger: Ledger
    chance: random.Random
    clicks: dict[str, int] = field(default_factory=lambda: {"click doubled": 0, "click by stranger": 0})
    to_strangers: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether every question of it has ended."""
        statuses = self.ledger.statuses_at(self.room.place)
        return len(statuses) >= len(self.plan.questions) and ENDED.issuperset(statuses)

    async def hold(self) -> None:
        """To its end, as far as people have to do with it."""
        await asyncio.gather(*(self.room.say(self.plan.asker, asked.text) for asked in self.plan.questions))
        match self.plan.kind:
            case "approved" | "for_another" | "paired":
                await self._approve_all(len(self.plan.questions))
            case "changed":
                await self._change()
            case "clarified":
                await self._choose()
            case "modelled" | "unread":
                await self._approve_or_give_up()
            case "stopped":
                await self._approve_and_stop()
            case "taken_back":
                if await self._open_card():
                    await self.room.say(self.plan.asker, "stop")

    async def _approve_all(self, count: int) -> None:
        pressed: list[str] = []
        while len(pressed) < count and (card := await self._open_card(pressed)):
            pressed.append(card.id)
            await self._approve(card)

    async def _change(self) -> None:
        first = await self._open_card()
        if first is None:
            return
        await self.room.say(self.plan.asker, CHANGE)
        second = await self._open_card([first.id])
        if second is not None:
            await asyncio.gather(self._approve(second), self.room.press(self.plan.signer, first.id, "approve"))

    async def _choose(self) -> None:
        asked = await self._seen(lambda: _with(self.room.shown(), "choose"))
        if asked is None:
            return
        presses = [self.room.press(self.plan.asker, asked.id, "choose") for _ in range(1 + self.plan.is_doubled)]
        await asyncio.gather(*presses)
        await self._approve_all(1)

    async def _approve_or_give_up(self) -> None:
        """The model may have read it; where nobody has, what is asked back is not answered."""
        card = await self._seen(lambda: _with(self.room.shown(), "approve"), until=ENDED | {"needs_clarification"})
        if card is not None:
            await self._approve(card)
        elif self.ledger.statuses_at(self.room.place) == ["needs_clarification"]:
            await self.room.say(self.plan.asker, "stop")

    async def _approve_and_stop(self) -> None:
        card = await self._open_card()
        if card is None:
            return
        await self.room.press(self.plan.signer, card.id, "approve")
        await asyncio.sleep(self.chance.uniform(0, STOPPED_WITHIN_SECONDS))
        await self.room.say(self.plan.asker, "stop")

    async def _approve(self, card: Shown) -> None:
        clicks = [self.room.press(self.plan.signer, card.id, "approve") for _ in range(1 + self.plan.is_doubled)]
        self.clicks["click doubled"] += self.plan.is_doubled
        if self.plan.has_stranger:
            self.clicks["click by stranger"] += 1
            clicks.append(self._press_as_stranger(card))
        if self.plan.is_pressed_late:
            self.clicks["click doubled"] += 1
            clicks.append(self._press_late(card))
        await asyncio.gather(*clicks)

    async def _press_as_stranger(self, card: Shown) -> str:
        self.to_strangers.append(await self.room.press("bob", card.id, "approve"))
        return self.to_strangers[-1]

    async def _press_late(self, card: Shown) -> str:
        await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS))
        return await self.room.press(self.plan.signer, card.id, "approve")

    async def _open_card(self, besides: Iterable[str] = ()) -> Shown | None:
        known = frozenset(besides)
        return await self._seen(lambda: _with(self.room.shown(), "approve", known))

    async def _seen(self, look: Callable[[], Found | None], until: frozenset[str] = ENDED) -> Found | None:
        """What `look` finds; None once every question of the room has ended without it."""
        while (found := look()) is None:
            statuses = self.ledger.statuses_at(self.room.place)
            if len(statuses) >= len(self.plan.questions) and until.issuperset(statuses):
                return None
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        return found


def _with(shown: Iterable[Shown], verb: str, besides: frozenset[str] = frozenset()) -> Shown | None:
    """The newest message with such a button."""
    return next((each for each in reversed(tuple(shown)) if verb in each.verbs and each.id not in besides), None)
