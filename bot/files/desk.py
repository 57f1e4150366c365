"""A thread's files: shown to be confirmed, changed, deleted, and offered to whoever may ask about them."""

import tempfile
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from agent.files.changes import Misread, read_changes, says
from agent.policy.model import Policy
from agent.reading import today_of
from agent.values.file import FileId, FileRefused, ThreadFile
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from agent.values.spec import Understanding
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.files.loaded import FileCache
from bot.files.offering import offered
from bot.files.reception import Reception, file_id
from bot.files.scope import ThreadScope, in_scope
from bot.identifiers import run_id
from bot.ports import FileStore
from bot.run_desk import RunDesk, place_of
from bot.run_events import RunEvent
from cards.build.file import Sharing, confirmed_card, deleted_card, file_refused_card, unconfirmed_card
from cards.elements import Card
from semantic_catalog.model import Locale

FILE_VERBS = frozenset({"file_confirm", "file_change", "file_delete"})
DELETED_SLOT = "files_deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFiles:
    """What people do with the files of a thread. Every method may be repeated for the same turn."""

    desk: RunDesk
    store: FileStore
    cache: FileCache
    reception: Reception

    async def scope(self, thread: ThreadKey, person: PrincipalId) -> ThreadScope:
        """What the thread offers that person: its confirmed files, where the policy lets them ask about each."""
        found = await self.store.of_thread(thread, self._now())
        shared = self._policy().files == "thread"
        may_ask = [file for file in found if file.giver == person or (shared and file.beside is None)]
        seen = [file for file in may_ask if file.status == "confirmed"]
        originals = {file.id: file for file in found}
        return ThreadScope(
            files=[offered(file, originals, self.cache, shared=shared) for file in seen if _is_whole(file, originals)]
        )

    async def scope_of(self, turn: Turn, person: PrincipalId) -> ThreadScope:
        """What the turn may be about: the files of its thread, or of the thread of the run whose button it pressed."""
        record = await self.desk.runs.get(turn.action.run) if turn.action and turn.action.run else None
        return await self.scope(ThreadKey(record.thread) if record else turn.thread, person)

    async def takes(self, turn: Turn, principal: Principal) -> bool:
        """Whether nothing is left to ask: the message was about the files themselves, or its question waits for one.

        Its files are taken in; it may say to delete those of the thread, or ask before they were confirmed.
        """
        if turn.kind == "file":
            taken = await self.receive(turn, principal)
            return not turn.text or any(isinstance(file, ThreadFile) for file in taken)
        return await self.deletes_by_words(turn, principal) or await self.must_wait(turn, principal)

    async def press(self, turn: Turn, principal: Principal) -> str:
        """Do what the button of a file's card says; the question to ask now, empty for none."""
        assert turn.action is not None
        match turn.action.verb:
            case "file_confirm":
                return await self.confirm(turn, principal)
            case "file_change":
                await self.change(turn, principal)
            case _:
                await self.delete(turn, principal)
        return ""

    async def receive(self, turn: Turn, principal: Principal) -> tuple[ThreadFile | FileRefused, ...]:
        """Take the turn's files in and show each, to be confirmed or with the reason why it is not read."""
        locale = await self.language_of(turn, principal)
        return tuple([await self._take(turn, place, principal, locale) for place in range(len(turn.files))])

    async def confirm(self, turn: Turn, principal: Principal) -> str:
        """Offer the file in its thread from now on; returns the question that came with it, to be asked."""
        file = await self._own(turn, principal)
        if file is None:
            return ""
        confirmed = replace(file, status="confirmed", confirmed_by=turn.event_id)
        await self.store.update(confirmed)
        await self._note(turn, principal, "file_confirmed", file.id, {})
        who = turn.author.display_name or principal.display_name or principal.id
        await self._redraw(file, confirmed_card(confirmed, who, self._sharing(confirmed), file.locale))
        # Pressed again, the button asks nothing again; the same press handled again does.
        is_first = file.confirmed_by in ("", turn.event_id)
        return file.question if is_first and not await self._waits(file) else ""

    async def _waits(self, file: ThreadFile) -> bool:
        """Whether another file of the same message is still to be confirmed: their question waits for the last."""
        together = [each for each in await self.store.of_thread(file.thread, self._now()) if each.run == file.run]
        return any(each.status == "to_confirm" for each in together)

    async def change(self, turn: Turn, principal: Principal) -> None:
        """Read the file again as the person says, and show it to be confirmed again."""
        assert turn.action is not None
        file = await self._own(turn, principal)
        if file is None:
            return
        changes = read_changes(turn.action.text, file.tables, file.changes)
        if isinstance(changes, Misread):
            await self._redraw(file, self._card(file, changes.line))
            return
        with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
            content = Path(folder) / "content"
            if not await self.store.fetch(file.id, content):
                await self.desk.notify(turn, say(file.locale, "file.gone"))
                return
            tables = await self.cache.read(content, file.name, changes)
        if isinstance(tables, FileRefused):
            await self._redraw(file, file_refused_card(file.name, tables, file.locale))
            return
        again = replace(file, tables=tables, changes=changes, version=file.version + 1, status="to_confirm")
        await self.store.update(again)
        await self._forget_beside(file)
        await self._note(turn, principal, "file_changed", file.id, {})
        await self._redraw(again, self._card(again))

    async def delete(self, turn: Turn, principal: Principal) -> None:
        """Delete the file of the pressed button with everything read from it."""
        file = await self._own(turn, principal)
        if file is not None:
            await self._delete(turn, principal, (file,))

    async def deletes_by_words(self, turn: Turn, principal: Principal) -> bool:
        """Delete the person's files of the thread where the message says so; whether it does."""
        if turn.kind not in ("message", "command") or not says("delete", turn.text):
            return False
        own = [
            file
            for file in await self.store.of_thread(turn.thread, self._now())
            if file.giver == principal.id and not file.beside
        ]
        if not own:
            await self.desk.notify(turn, say(self._locale(turn, principal), "file.nothing_to_delete"))
            return True
        await self._delete(turn, principal, tuple(own))
        card = deleted_card(tuple(file.name for file in own), self._locale(turn, principal))
        await self._show(turn, DELETED_SLOT, card)
        return True

    async def must_wait(self, turn: Turn, principal: Principal) -> bool:
        """Whether the message asks about a file that its author has not confirmed yet; they are told so."""
        found = await self.store.of_thread(turn.thread, self._now())
        own = [file for file in found if file.status == "to_confirm" and file.giver == principal.id]
        if not own or turn.kind not in ("message", "command"):
            return False
        with in_scope(ThreadScope(files=[offered(file, {}, self.cache, shared=False) for file in own])):
            meaning = await self._meaning(turn, self.desk.deps.principal(principal.id))
        file = next((file for file in own if file.domain == meaning.domain), None)
        if file is None:
            return False
        button = say(file.locale, "file.looks_right")
        await self.desk.notify(turn, say(file.locale, "file.wait_for_check", name=file.name, button=button))
        return True

    async def forget_person(self, person: PrincipalId) -> int:
        """Delete every file of a person, in every thread; how many went."""
        own = await self.store.of_giver(person, self._now())
        for file in own:
            await self._gone(file)
        return len(own)

    async def language_of(self, turn: Turn, principal: Principal) -> Locale:
        """The language of the message that the files came with; without words the person's own."""
        if not turn.text:
            return self._locale(turn, principal)
        return (await self._meaning(turn, principal)).language

    async def _meaning(self, turn: Turn, principal: Principal) -> Understanding:
        """The message by itself, by rules."""
        question = Question(
            text=turn.text,
            locale=turn.locale,
            today=today_of(self.desk.deps),
            memory=ThreadMemory(thread=turn.thread),
            rules_only=True,
        )
        return await self.desk.deps.interpreter.interpret(question, principal)

    async def _take(self, turn: Turn, place: int, principal: Principal, locale: Locale) -> ThreadFile | FileRefused:
        file = await self.reception.take(turn, place, principal, locale)
        if isinstance(file, FileRefused):
            facts = {"refused": str(file.reason)}
            card = file_refused_card(turn.files[place].name, file, locale)
        else:
            facts = {"size": str(file.size)}
            card = self._card(file)
        await self._note(turn, principal, "file_given", file_id(turn, place), facts)
        await self._show(turn, _slot(file_id(turn, place)), card)
        return file

    async def _delete(self, turn: Turn, principal: Principal, files: tuple[ThreadFile, ...]) -> None:
        for file in files:
            await self._note(turn, principal, "file_deleted", file.id, {})
            await self._gone(file)

    async def _gone(self, file: ThreadFile) -> None:
        await self._forget_beside(file)
        await self.store.delete(file.id)
        await self.cache.forget(file.id)
        await self._redraw(file, deleted_card((file.name,), file.locale))

    async def _forget_beside(self, file: ThreadFile) -> None:
        """Delete the governed answers that were put beside the file."""
        for other in await self.store.of_thread(file.thread, self._now()):
            if other.beside and other.beside.file == file.id:
                await self.store.delete(other.id)
                await self.cache.forget(other.id)

    async def _own(self, turn: Turn, principal: Principal) -> ThreadFile | None:
        """The file of the pressed button; None, with a notice to who pressed, for one that is gone or another's."""
        assert turn.action is not None
        file = await self.store.get(FileId(turn.action.value), self._now())
        if file is None or file.thread != turn.thread:
            await self.desk.notify(turn, say(self._locale(turn, principal), "file.gone"))
            return None
        if file.giver != principal.id:
            await self.desk.notify(turn, say(self._locale(turn, principal), "file.not_yours"))
            return None
        return file

    def _card(self, file: ThreadFile, misread: str = "") -> Card:
        return unconfirmed_card(file, self._sharing(file), file.locale, misread)

    def _sharing(self, file: ThreadFile) -> Sharing:
        return Sharing(is_shared=self._policy().files == "thread", until=file.expires_at.date())

    async def _show(self, turn: Turn, slot: str, card: Card) -> None:
        run = run_id(turn.event_id)
        await self.desk.delivery.show(self.desk.channel(turn), place_of(turn), run, slot, card)

    async def _redraw(self, file: ThreadFile, card: Card) -> None:
        await self.desk.delivery.redraw(self.desk.channels, file.run, _slot(file.id), card)

    async def _note(self, turn: Turn, principal: Principal, name: str, file: FileId, facts: dict[str, str]) -> None:
        """The audit log names the file by its id: its name may say as much as its rows."""
        once = f"{name}:{file}:{turn.event_id}"
        event = RunEvent(name=name, by=principal.id, facts={"file": file, **facts}, once=once)
        await self.desk.note(run_id(turn.event_id), event)

    def _locale(self, turn: Turn, principal: Principal) -> Locale:
        return turn.locale or principal.locale or self.desk.default_locale

    def _policy(self) -> Policy:
        return self.desk.deps.policy_now()

    def _now(self) -> datetime:
        return self.desk.deps.clock.now()


def _slot(file: FileId) -> str:
    return f"given:{file}"


def _is_whole(file: ThreadFile, originals: dict[FileId, ThreadFile]) -> bool:
    """Whether what a governed answer was put beside is still here."""
    return file.beside is None or file.beside.file in originals
