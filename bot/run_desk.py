"""What every run goes through, whoever moved it: drive the graph, keep where it stands, tell the thread."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import structlog

from agent.deps import Deps
from agent.values.governance import Decision
from agent.values.identity import ChannelName, PrincipalId, RunId, ThreadKey
from agent.values.outcome import Clarification, Outcome, Proposal, Reply, RunRecord
from agent.values.turn import Place, Turn
from bot.audience.alone import DeliveryAlone, apart_slot
from bot.audience.gate import AudienceGate, Standing, asked_at
from bot.audience.said import said_by
from bot.delivery import Delivery, Reader, slot_of
from bot.driver import RunDriver, RunStop
from bot.identifiers import run_id
from bot.letters import Letter, Letters, pause_after
from bot.memories import remember
from bot.personal import settled_by_default, told_apart
from bot.ports import AuditLog, Channel, PrivateOffers, RunStore
from bot.posting import Post
from bot.progress import RunProgress
from bot.run_events import BOT, RunEvent, delayed_event, event_of, events_of
from bot.run_places import at_home
from bot.run_places import channel_of as channel_of
from bot.schedules.alerts import as_scheduled, nothing_to_report
from bot.signers import Signers
from bot.spending import spent_by
from bot.statuses import WAITING, status_of
from cards.build.decided import decided_card, overtaken_card
from cards.build.outcome import outcome_card
from cards.elements import Button, Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDesk:
    """One process's way to move runs. Every method may be repeated for the same turn after a crash."""

    deps: Deps
    driver: RunDriver
    runs: RunStore
    audit: AuditLog
    delivery: Delivery
    progress: RunProgress
    channels: Mapping[ChannelName, Channel]
    default_locale: Locale
    signers: Signers
    gate: AudienceGate
    alone: DeliveryAlone
    letters: Letters

    async def drive(self, turn: Turn, record: RunRecord, go: Callable[[], Awaitable[RunStop]]) -> RunStop:
        """Let the graph run, then settle where it stopped: in the run's own thread, wherever the turn came from."""
        turn = await self.home(turn, record)
        shown_as = progress_post(turn)
        async with self.progress.shown(self.channel(turn), place_of(turn), record.run, shown_as, record.locale):
            with asked_at(place_of(turn)), spent_by(record, turn.event_id, self.deps):
                stop = await go()
        await self.settle(turn, record, stop)
        return stop

    async def settle(self, turn: Turn, record: RunRecord, stop: RunStop) -> None:
        """Keep the run's state before its card is posted, so that a click always finds it; then deliver and close."""
        silent = await nothing_to_report(stop, self.deps)
        if silent is not None:
            await self._stay_silent(turn, record, stop, silent)
            return
        stop = as_scheduled(stop)
        outcome = stop.outcome
        settled = replace(
            record,
            status=status_of(outcome),
            locale=outcome.locale,
            settled=told_apart(record.settled, settled_by_default(stop.state)),
            **_waiting_fields(outcome),
        )
        await self.runs.update(settled)
        # Both are known to be done when they are done again; each waits for the disk.
        await asyncio.gather(
            remember(outcome, stop.state, self.deps.memory, self.deps.clock),
            self.audit.append_all(record.run, events_of(stop)),
        )
        standing = await self.gate.standing(place_of(turn), said_by(outcome, stop.state), record.asker)
        arrived = True
        if standing == "here":
            arrived = await self._deliver(turn, outcome, record.asker)
        else:
            await self._deliver_alone(turn, stop, record.asker, standing)
        if isinstance(outcome, Proposal | Clarification) and not await self.still_waits(outcome):
            # Whoever stops it passes the line of the thread, and found no card to close.
            await self.close_unseen(turn, outcome)
        elif isinstance(outcome, Proposal) and arrived:
            await self.signers.ask(outcome, place_of(turn), slot_of(outcome), hidden=standing != "here")
        if settled.status not in WAITING:
            await self.driver.forget(turn.thread, record.run)

    async def still_waits(self, outcome: Proposal | Clarification) -> bool:
        """Whether the run waits for just that: it was neither decided, answered nor taken back meanwhile."""
        record = await self.runs.get(outcome.run)
        if record is None or record.pending is None or record.status != status_of(outcome):
            return False
        return slot_of(record.pending) == slot_of(outcome)

    async def close_unseen(self, turn: Turn, outcome: Proposal | Clarification) -> None:
        """Say what became of something that was over before anybody saw its card, where that card would stand."""
        card = overtaken_card(outcome, await self.runs.decision(outcome.run), self.deps.clock.now())
        await self.delivery.show(
            self.channel(turn), place_of(turn), outcome.run, slot_of(outcome), card, progress_post(turn)
        )

    async def _stay_silent(self, turn: Turn, record: RunRecord, stop: RunStop, silent: Reply) -> None:
        """A scheduled run whose condition does not hold says nothing, unless somebody signed for it just now."""
        await self.runs.update(replace(record, status=status_of(silent), locale=silent.locale))
        unmet = RunEvent(name="condition_not_met", by=BOT, facts={}, once="condition_not_met")
        await self.audit.append_all(record.run, (*events_of(stop), unmet))
        if record.pending is not None:
            await self._deliver(turn, silent, record.asker)
        await self.driver.forget(turn.thread, record.run)

    async def tell(self, turn: Turn, outcome: Outcome) -> None:
        """Deliver an outcome that no graph produced, and close its run if there is one."""
        record = await self.runs.get(outcome.run)
        if record is not None:
            await self.runs.update(replace(record, status=status_of(outcome)))
            turn = await self.home(turn, record)
        await self.note(outcome.run, event_of(outcome))
        letter = Letter(turn=turn, outcome=outcome, asker=record.asker if record else None)
        try:
            await self._deliver(turn, outcome, letter.asker)
        except DeliveryRefused as error:
            log.warning("not_delivered", run=outcome.run, detail=error.detail)
            await self.letters.bury(letter, error.detail)
        if record is not None:
            await self.driver.forget(ThreadKey(record.thread), record.run)

    async def delay(self, turn: Turn, failure: Outcome, *, can_be_told: bool = True) -> None:
        """Say what keeps the turn waiting, in the message that becomes its outcome later. Its run stays open.

        Nothing is said on a platform that takes nothing now, and the less what would stand there for ever.
        """
        await self.note(failure.run, delayed_event(failure))
        if not can_be_told:
            return
        shown_as = progress_post(turn)
        await self.delivery.show(self.channel(turn), place_of(turn), shown_as.run, shown_as.slot, outcome_card(failure))

    async def home(self, turn: Turn, record: RunRecord) -> Turn:
        """The turn as if it had come in where the run lives."""
        if turn.thread == record.thread or record.pending is None:
            return at_home(turn, record, None)
        slot = slot_of(record.pending)
        # Of a card that stands with its asker alone, the line in its place is where the run lives.
        posted = await self.delivery.cards.get(record.run, apart_slot(slot))
        posted = posted or await self.delivery.cards.get(record.run, slot)
        return at_home(turn, record, posted[1] if posted else None)

    async def note(self, run: RunId, event: RunEvent) -> None:
        """Write an event of the run into the audit log, once."""
        await self.audit.append(run, event.name, event.by, event.facts, event.once)

    async def redraw(self, record: RunRecord, card: Card) -> None:
        """Redraw the card of what the run waited for, everywhere it was posted."""
        if record.pending is not None:
            await self.delivery.redraw(self.channels, record.run, slot_of(record.pending), card)

    async def close_card(self, turn: Turn, record: RunRecord, decision: Decision) -> None:
        """Redraw a decided proposal everywhere, the card that was pressed included; later, where that fails for now."""
        letter = Letter(turn=turn, outcome=_proposal_of(record), asker=record.asker, decision=decision)
        try:
            await self.close_card_now(letter)
        except DeliveryUnavailable as error:
            await self.letters.put(letter, error.detail, pause_after(error, 0))

    async def close_card_now(self, letter: Letter) -> None:
        """The same, at once. Raises `DeliveryUnavailable`."""
        proposal, decision = letter.outcome, letter.decision
        assert isinstance(proposal, Proposal)
        assert decision is not None
        card, slot = decided_card(proposal, decision), slot_of(proposal)
        pressed = letter.turn.card_ref
        # Of a card that may stand twice only one is known; the other one shows itself when it is pressed.
        also = ((pressed, place_of(letter.turn)),) if pressed and pressed.thread == letter.turn.thread else ()
        await self.delivery.redraw(self.channels, proposal.run, slot, card, also)

    async def _deliver(self, turn: Turn, outcome: Outcome, asker: PrincipalId | None) -> bool:
        """Deliver now, or queue behind what the thread waits for; whether it arrived. Raises `DeliveryRefused`."""
        letter = Letter(turn=turn, outcome=outcome, asker=asker)
        if await self.letters.waits(turn.thread):
            await self.letters.put(letter, "behind another", 0)
            return False
        try:
            await self.deliver_now(letter)
        except DeliveryUnavailable as error:
            log.warning("delivery_queued", run=outcome.run, detail=error.detail)
            await self.letters.put(letter, error.detail, pause_after(error, 0))
            return False
        return True

    async def deliver_now(self, letter: Letter) -> None:
        """Deliver an outcome, once. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        turn, outcome = letter.turn, letter.outcome
        reader = Reader(asker=letter.asker, user=turn.author, is_alone=turn.audience.kind == "dm")
        with self.deps.measures.step("deliver", turn.trace):
            await self.delivery.deliver(self.channel(turn), place_of(turn), progress_post(turn), outcome, reader)
        await self._note_delivery(turn, outcome, "delivered")

    async def _deliver_alone(self, turn: Turn, stop: RunStop, asker: PrincipalId, standing: Standing) -> None:
        place, shown_as = place_of(turn), progress_post(turn)
        with self.deps.measures.step("deliver", turn.trace):
            reached = await self.alone.deliver(place, shown_as, stop.outcome, asker, standing, stop.state)
        await self._note_delivery(turn, stop.outcome, "delivered_alone" if reached else "not_delivered")

    async def _note_delivery(self, turn: Turn, outcome: Outcome, name: str) -> None:
        slot = slot_of(outcome)
        facts = {"channel": turn.channel, "card": slot}
        await self.note(outcome.run, RunEvent(name=name, by=BOT, facts=facts, once=f"delivered:{slot}"))

    async def notify(self, turn: Turn, text: str, offers: tuple[Button, ...] = ()) -> None:
        """Tell the turn's author something that the others do not see, with buttons where the channel has them."""
        channel, place = self.channel(turn), place_of(turn)
        if offers and isinstance(channel, PrivateOffers):
            await channel.offer(place, turn.author, text, offers, turn.locale or self.default_locale)
        else:
            await channel.notify(place, turn.author, text)

    def channel(self, turn: Turn) -> Channel:
        """The channel the turn came from."""
        return self.channels[turn.channel]


def place_of(turn: Turn) -> Place:
    """Where the turn's cards go."""
    return Place(thread=turn.thread, address=turn.address)


def run_of(turn: Turn) -> RunId:
    """The run a turn is about: the one its button names, else the one it opens."""
    return turn.action.run if turn.action and turn.action.run else run_id(turn.event_id)


def progress_slot(turn: Turn) -> str:
    """The slot of the message that shows what this turn is doing; it becomes the turn's outcome."""
    return f"progress:{turn.event_id}"


def progress_post(turn: Turn) -> Post:
    """Under what that message is remembered: known before anybody knows which run the turn belongs to."""
    return Post(run=run_id(turn.event_id), slot=progress_slot(turn))


def _proposal_of(record: RunRecord) -> Proposal:
    assert isinstance(record.pending, Proposal)
    return record.pending


def _waiting_fields(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Proposal():
            return {
                "pending": outcome,
                "fingerprint": outcome.fingerprint,
                "revision": outcome.revision,
                "expires_at": outcome.expires_at,
                "domain": outcome.query.domain,
                "catalog_version": outcome.query.catalog_version,
            }
        case Clarification():
            return {"pending": outcome}
        case _:
            return {}
