"""Commands of the administrator's role. Every one is in the audit log, those that were refused too."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from agent.policy.errors import PolicyError
from agent.values.governance import Decision
from agent.values.identity import Principal, RunId
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import Turn
from agent.values.views import AskedToday, ModelChecked, Undelivered
from agent.wording.texts import say
from bot.agents_file import AgentsFileInvalid
from bot.chat_commands.budgets import BudgetReader
from bot.chat_commands.saying import Said
from bot.chat_commands.words import Command
from bot.deciding import Deciding
from bot.home import HomeReader
from bot.identifiers import run_id
from bot.models import EmbeddingsNotInstalled
from bot.ports import RunLists
from bot.run_desk import RunDesk
from bot.run_events import RunEvent
from bot.switchboard import Switchboard
from bot.warehouses import EngineNotInstalled
from cards.build.admin import admin_help_card, asked_today_card, budgets_card, models_card, undelivered_card
from cards.build.commands import said_card
from semantic_catalog.errors import CatalogError
from semantic_catalog.model import Domain, Locale
from semantic_catalog.words import fold_phrase

FAULTY_FILES = (CatalogError, PolicyError, AgentsFileInvalid, EngineNotInstalled, EmbeddingsNotInstalled)
"""What reading catalog, policy or models again can raise, all of them told to the administrator."""

_MOST_READ = 10_000
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """Reloads, checks, pauses, lists and closes. `check_models` asks every configured model."""

    desk: RunDesk
    reader: HomeReader
    lists: RunLists
    deciding: Deciding
    switchboard: Switchboard
    faults: Callable[[], Collection[str]]
    check_models: Callable[[], Awaitable[tuple[ModelChecked, ...]]]
    budgets: BudgetReader

    async def handle(self, command: Command, turn: Turn, person: Principal, locale: Locale) -> Said:
        """Do it, if the person is an administrator; others are told that they are not."""
        if not person.is_admin:
            await self._note(turn, person, "admin_refused", command, "")
            return _said("command.admin_refused", locale)
        said, about = await self._done(command, person, locale)
        await self._note(turn, person, "admin", command, about)
        return said

    async def _done(self, command: Command, person: Principal, locale: Locale) -> tuple[Said, str]:
        """The answer, and what the command was about, for the audit log."""
        match command.name:
            case "admin_reload_catalog" | "admin_reload_policy" | "admin_reload_models":
                return await self._reloaded(command, person, locale)
            case "admin_pause" | "admin_resume":
                return await self._switched(command, person, locale)
            case "admin_expire":
                return await self._expired(command.argument, person, locale)
            case _:
                return await self._listed(command, person, locale), ""

    async def _listed(self, command: Command, person: Principal, locale: Locale) -> Said:
        match command.name:
            case "admin_models_check":
                return Said(card=models_card(await self.check_models(), locale), private=True)
            case "admin_who":
                asked = await self._asked_today(person, locale)
                return Said(card=asked_today_card(asked, self.reader.timezone, locale), private=True)
            case "admin_budgets":
                return Said(card=budgets_card(await self.budgets.today(person), locale), private=True)
            case "admin_undelivered":
                dead = await self._undelivered(person)
                return Said(card=undelivered_card(dead, self.reader.timezone, locale), private=True)
            case _:
                return Said(card=admin_help_card(locale, tuple(sorted(self.faults()))), private=True)

    async def _reloaded(self, command: Command, person: Principal, locale: Locale) -> tuple[Said, str]:
        what = command.name.removeprefix("admin_reload_")
        try:
            version = await self.switchboard.reload(what, person.id)
            return _said(f"command.admin_reloaded_{what}", locale, version=version[:12]), version
        except FAULTY_FILES as error:
            return _said("command.admin_not_reloaded", locale, faults=str(error)), "faulty"

    async def _switched(self, command: Command, person: Principal, locale: Locale) -> tuple[Said, str]:
        domains = [d for d in self.desk.deps.catalog_now().domains if d.name in person.domains]
        domain = next((each for each in domains if _is_called(each, command.argument)), None)
        if domain is None:
            labels = ", ".join(each.names.in_locale(locale) for each in domains)
            return _said("command.admin_which_domain", locale, domains=labels), ""
        label = domain.names.in_locale(locale)
        if command.name == "admin_pause":
            await self.switchboard.pause(domain.name, person.id)
            return Said(card=said_card(say(locale, "command.admin_paused", domain=label), locale)), domain.name
        await self.switchboard.look(at_once=True)
        if not self.switchboard.is_paused(domain.name):
            return _said("command.admin_not_paused", locale, domain=label), domain.name
        await self.switchboard.resume(domain.name)
        return Said(card=said_card(say(locale, "command.admin_resumed", domain=label), locale)), domain.name

    async def _expired(self, argument: str, person: Principal, locale: Locale) -> tuple[Said, str]:
        run = RunId(argument.strip().upper())
        record = await self.desk.runs.get(run)
        proposal = record.pending if record and record.status == "awaiting_approval" else None
        if record is None or not isinstance(proposal, Proposal) or proposal.query.domain not in person.domains:
            return _said("command.admin_expire_unknown", locale), ""
        decision = Decision(
            kind="cancel",
            by=person.id,
            at=self.desk.deps.clock.now(),
            fingerprint=proposal.fingerprint,
            by_name=person.display_name or person.id,
            revision=proposal.revision,
        )
        if not await self.deciding.close(record, decision):
            return _said("command.admin_expire_unknown", locale), run
        return _said("command.admin_expired", locale, run=run), run

    async def _asked_today(self, person: Principal, locale: Locale) -> tuple[AskedToday, ...]:
        labels = {domain.name: domain.names.in_locale(locale) for domain in self.desk.deps.catalog_now().domains}
        records = [r for r in await self._today(_MOST_READ) if r.domain is None or r.domain in person.domains]
        return tuple(
            AskedToday(
                who=self._name(record),
                at=record.created_at,
                domain=labels.get(record.domain, str(record.domain)) if record.domain else "",
                status=record.status,
                run=record.run,
            )
            for record in records[:_MOST_SHOWN]
        )

    async def _undelivered(self, person: Principal) -> tuple[Undelivered, ...]:
        """Of domains that the administrator may see; without words, and without the place."""
        found = []
        for letter in await self.desk.letters.dead(_MOST_SHOWN):
            record = await self.desk.runs.get(letter.run)
            if record is not None and (record.domain is None or record.domain in person.domains):
                who = self._name(record)
                found.append(Undelivered(who=who, at=letter.queued_at, run=letter.run, fault=letter.fault))
        return tuple(found)

    async def _today(self, limit: int) -> tuple[RunRecord, ...]:
        return await self.lists.since(self._midnight(), limit)

    def _midnight(self) -> datetime:
        zone = self.reader.timezone
        return datetime.combine(self.desk.deps.clock.today(zone), time.min, ZoneInfo(zone))

    def _name(self, record: RunRecord) -> str:
        known = self.desk.deps.policy_now().principal(record.asker)
        return (known.display_name if known else "") or record.asker

    async def _note(self, turn: Turn, person: Principal, name: str, command: Command, about: str) -> None:
        facts = {"command": command.name, "about": about}
        await self.desk.note(run_id(turn.event_id), RunEvent(name=name, by=person.id, facts=facts, once=name))


def _is_called(domain: Domain, words: str) -> bool:
    names = (domain.name, *domain.names.label.values(), *(w for known in domain.names.synonyms.values() for w in known))
    return fold_phrase(words) in {fold_phrase(name) for name in names}


def _said(key: str, locale: Locale, **params: str) -> Said:
    return Said(card=said_card(say(locale, key, **params), locale), private=True)
