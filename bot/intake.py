"""What happens inside a platform's time limit: store the turn and say what a click means. No graph runs here."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

import structlog

from agent.errors import CacheUnavailable, StoreUnavailable
from agent.policy.model import Policy
from agent.policy.resolve import resolve
from agent.ports import Clock
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.outcome import Clarification, Proposal, RunRecord
from agent.values.turn import ActionVerb, Turn
from bot.authority import Click, standing_of
from bot.chat_commands.words import command_of
from bot.deciding import decision_of, turned_down_notice
from bot.files.scope import ScopedPolicy, ThreadScope, in_scope, no_files
from bot.inbox import Inbox
from bot.memberships import GroupedPolicy
from bot.operating.watch import TurnWatch
from bot.ports import AuditLog, RunStore
from bot.rates import TurnRates
from bot.soon import soon
from cards.build.access import access_button
from cards.build.clarification import clarified_card
from cards.build.decided import decided_card
from cards.build.notices import (
    stale_notice,
    stranger_choice_notice,
    too_many_notice,
    unknown_person_notice,
)
from cards.elements import Acknowledgement
from semantic_catalog.model import Locale

REPEATED_WITHIN = timedelta(hours=1)
"""Slack repeats a delivery for about six minutes, Teams for less."""

STORE_WITHIN_SECONDS = 2.2
"""Slack and Teams want their answer within 3 seconds, a busy process and the way there included."""

log = structlog.get_logger()


class EventGate(Protocol):
    """A fast memory of events; the inbox is the durable one."""

    async def first_time(self, event_id: str) -> bool:
        """Whether the event is new. Raises `CacheUnavailable`."""
        ...

    async def remember(self, event_id: str, keep: timedelta) -> None:
        """The inbox has the event. Raises `CacheUnavailable`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Takes turns in; every channel adapter hands its turns to `receive`."""

    watch: TurnWatch
    inbox: Inbox
    gate: EventGate
    runs: RunStore
    audit: AuditLog
    policy: GroupedPolicy
    clock: Clock
    rates: TurnRates
    default_locale: Locale
    has_room: Callable[[ActionVerb, RunRecord], Awaitable[bool]]
    scope_of: Callable[[ThreadKey, PrincipalId], Awaitable[ThreadScope]] = no_files

    async def receive(self, turn: Turn) -> Acknowledgement:
        """Store the turn once and say what its click means.

        A click that may not count, or one message too many in a minute, is answered with a notice for its author
        alone and goes no further. Raises `StoreUnavailable`: the platform must then deliver again.
        """
        with self.watch.received(turn) as traced:
            return await self._take(traced)

    async def _take(self, turn: Turn) -> Acknowledgement:
        try:
            async with asyncio.timeout(STORE_WITHIN_SECONDS):
                return await self._receive(turn)
        except TimeoutError:
            # Nothing of it is lost: the platform hears in time that it must deliver again.
            raise StoreUnavailable("not stored in time") from None

    async def _receive(self, turn: Turn) -> Acknowledgement:
        turn = passing_the_line(turn)
        # Asked side by side, as each round trip counts: a repetition is no second use of a rate.
        is_new, excess = await asyncio.gather(self._is_new(turn.event_id), self._too_many(turn))
        if not is_new:
            return Acknowledgement()
        shown = excess or await self._preview(turn)
        if not shown.notice:
            await self.inbox.put(turn)
        await self._remember(turn.event_id)
        return shown

    async def _is_new(self, event_id: str) -> bool:
        try:
            return await soon(self.gate.first_time(event_id))
        except CacheUnavailable:
            log.warning("dedupe_without_cache")
            return True

    async def _too_many(self, turn: Turn) -> Acknowledgement | None:
        """A notice to somebody who asks too often, or where too many do. Pressed buttons are not counted: they decide
        what is open.
        """
        if turn.kind not in ("message", "command", "file"):
            return None
        excess = await self.rates.excess(turn)
        if excess is None:
            return None
        self.watch.limited(f"{excess.rate.name}_minute")
        return Acknowledgement(notice=too_many_notice(turn.locale or self.default_locale, excess))

    async def _remember(self, event_id: str) -> None:
        try:
            await soon(self.gate.remember(event_id, REPEATED_WITHIN))
        except CacheUnavailable:
            log.warning("dedupe_without_cache")

    async def _preview(self, turn: Turn) -> Acknowledgement:
        """The card as it will stand, for the person who clicked. It decides nothing: the turn's handling does."""
        if turn.action is None or turn.action.run is None or turn.kind not in ("decision", "choice"):
            return Acknowledgement()
        if self.policy.names_groups():
            # Whether the click counts may hang on groups that changed a moment ago: only its handling asks for them.
            return Acknowledgement()
        principal = resolve(self.policy.current(), turn.author)
        record = await self.runs.get(turn.action.run)
        if principal is None:
            locale = record.locale if record else self.default_locale
            offers = (access_button(record.run, locale),) if record else ()
            return Acknowledgement(notice=unknown_person_notice(locale, turn.author.user_id), offers=offers)
        with in_scope(await self.scope_of(ThreadKey(record.thread) if record else turn.thread, principal.id)):
            principal = self._policy_now().principal(principal.id) or principal
            shown = (self._choice if turn.kind == "choice" else self._decision)(turn, principal, record)
        if shown.card is not None and record is not None and not await self._has_room(turn.action.verb, record):
            # The card stays open: its handling says why.
            return Acknowledgement()
        if shown.notice and record is not None:
            once = f"turned_down:{turn.event_id}"
            await self.audit.append(record.run, "turned_down", principal.id, {"verb": turn.action.verb}, once)
        return shown

    async def _has_room(self, verb: ActionVerb, record: RunRecord) -> bool:
        try:
            return await soon(self.has_room(verb, record))
        except CacheUnavailable:
            return True

    def _policy_now(self) -> Policy:
        """The policy in force, with the files of the turn's thread."""
        return ScopedPolicy(base=self.policy).current()

    def _choice(self, turn: Turn, principal: Principal, record: RunRecord | None) -> Acknowledgement:
        assert turn.action is not None
        locale = record.locale if record else principal.locale or self.default_locale
        if record is None or record.status != "needs_clarification" or not isinstance(record.pending, Clarification):
            return Acknowledgement(notice=stale_notice(locale))
        if record.asker != principal.id:
            return Acknowledgement(notice=stranger_choice_notice(locale))
        return Acknowledgement(card=clarified_card(record.pending, turn.action.value))

    def _decision(self, turn: Turn, principal: Principal, record: RunRecord | None) -> Acknowledgement:
        assert turn.action is not None
        now = self.clock.now()
        standing = standing_of(Click(action=turn.action, principal=principal, at=now), record, self._policy_now())
        locale = record.locale if record else principal.locale or self.default_locale
        if record is None or not isinstance(record.pending, Proposal) or standing == "stale":
            return Acknowledgement(notice=stale_notice(locale))
        if standing in ("stranger", "not_for_kinds"):
            offers = (access_button(record.run, locale),) if standing == "stranger" else ()
            return Acknowledgement(notice=turned_down_notice(standing, record, locale), offers=offers)
        decision = decision_of(turn, principal, now, record.revision)
        if standing == "expired":
            decision = replace(decision, kind="expire")
        return Acknowledgement(card=decided_card(record.pending, decision))


def passing_the_line(turn: Turn) -> Turn:
    """The wish to stop must reach the run that holds the thread: it does not wait behind it."""
    command = command_of(turn)
    return replace(turn, kind="cancel") if command and command.name == "stop" and turn.action is None else turn
