"""Buttons of an answer that need no run of their own."""

from dataclasses import dataclass, replace

from agent.receipts import receipt_of_run
from agent.values.identity import Principal, RunId, ThreadKey
from agent.values.outcome import Proposal
from agent.values.turn import Turn
from agent.wording.numbers import count
from agent.wording.texts import say
from bot.answer_files import WORKBOOK
from bot.asking import Asking
from bot.driver import RunStop
from bot.next_steps import NextSteps
from bot.personal import PersonalMemories, with_words
from bot.ports import FeedbackStore
from bot.run_desk import RunDesk, place_of, run_of
from bot.run_events import RunEvent
from cards.build.home import known_text
from cards.build.next_steps import explained_card
from cards.build.notices import feedback_notice, stale_notice
from cards.build.sql import LONG_SQL, sql_card, sql_file
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Follow-up questions, retries, thumbs, 'show SQL', explanations and exports."""

    desk: RunDesk
    asking: Asking
    store: FeedbackStore
    personal: PersonalMemories

    @property
    def next_steps(self) -> NextSteps:
        """The buttons that go on from an answer."""
        return NextSteps(desk=self.desk, asking=self.asking)

    async def handle(self, turn: Turn, principal: Principal) -> RunStop | None:
        """Do what the button says. A follow-up question opens a run of its own."""
        assert turn.action is not None
        match turn.action.verb:
            case "ask":
                return await self.asking.ask(turn, principal, turn.action.value)
            case "retry":
                return await self._retry(turn, principal)
            case "thumbs_up" | "thumbs_down":
                await self._thumb(turn, principal)
            case "show_sql":
                await self._show_sql(turn, principal)
            case "explain":
                await self._explain(turn, principal)
            case "export":
                await self._export(turn, principal)
            case "chart_type" | "drill_down":
                return await self.next_steps.take(turn, principal)
            case _:
                await self.desk.notify(turn, stale_notice(self._locale(principal)))
        return None

    async def _retry(self, turn: Turn, principal: Principal) -> RunStop | None:
        failed = await self.desk.runs.get(run_of(turn))
        if failed is None or failed.asker != principal.id:
            await self.desk.notify(turn, stale_notice(self._locale(principal)))
            return None
        return await self.asking.ask(turn, principal, failed.question)

    async def _thumb(self, turn: Turn, principal: Principal) -> None:
        """Keep the opinion. The asker's thumbs-up confirms what the answer took their words for: it is remembered."""
        assert turn.action is not None
        run, verb, locale = run_of(turn), turn.action.verb, self._locale(principal)
        now = self.desk.deps.clock.now()
        await self.store.give(run, principal.id, verb, turn.action.text, now)
        await self.desk.note(run, RunEvent(name=verb, by=principal.id, facts={}, once=f"{verb}:{turn.event_id}"))
        record = await self.desk.runs.get(run)
        is_own = record is not None and record.asker == principal.id
        confirmed = with_words(record.settled) if record and is_own and verb == "thumbs_up" else ()
        kept = await self.personal.remember(principal, confirmed, "thumbs_up")
        texts = [feedback_notice(locale)]
        if kept:
            said = "; ".join(known_text(item, locale) for item in kept)
            texts.append(say(locale, "command.remembered", text=said))
        await self.desk.notify(turn, " ".join(texts))

    async def _explain(self, turn: Turn, principal: Principal) -> None:
        """How the answer came about, in words: what was measured, over which time and rows, and what was assumed."""
        memory = await self.desk.deps.memory.load(turn.thread)
        shown = next((kept for kept in memory.runs if kept.run == run_of(turn)), None)
        if shown is None or shown.spec is None or shown.query is None or shown.asker != principal.id:
            await self.desk.notify(turn, stale_notice(self._locale(principal)))
            return
        receipt = receipt_of_run(shown, shown.spec, self.desk.deps)
        card = explained_card(receipt, shown.locale)
        await self.desk.delivery.show(self.desk.channel(turn), place_of(turn), run_of(turn), "explained", card)

    async def _export(self, turn: Turn, principal: Principal) -> None:
        """The answer's workbook again, with every row that is kept, to its asker; the notice says what it lacks."""
        record, run = await self.desk.runs.get(run_of(turn)), run_of(turn)
        locale = record.locale if record else self._locale(principal)
        if record is None or record.asker != principal.id:
            await self.desk.notify(turn, say(locale, "answer.export_stranger"))
            return
        workbook = await self.desk.delivery.artifacts.get(run, WORKBOOK)
        if workbook is None:
            await self.desk.notify(turn, say(locale, "answer.export_gone"))
            return
        again = replace(workbook, key=f"export:{turn.event_id}")
        await self.desk.delivery.artifacts.put(run, again)
        await self.desk.delivery.attach(self.desk.channel(turn), place_of(turn), run, again)
        await self._say_it_was_cut(turn, run)

    async def _say_it_was_cut(self, turn: Turn, run: RunId) -> None:
        memory = await self.desk.deps.memory.load(turn.thread)
        kept = next((each for each in memory.runs if each.run == run), None)
        if kept is not None and kept.result is not None and kept.result.truncated:
            rows = kept.result.row_count
            said = say(kept.locale, "answer.export_cut", count=rows, rows=count(rows, kept.locale))
            await self.desk.notify(turn, said)

    async def _show_sql(self, turn: Turn, principal: Principal) -> None:
        """The SQL of a proposal or of an answer of the thread; long SQL comes as a file too."""
        shown = await self._sql_of(turn)
        if shown is None:
            await self.desk.notify(turn, stale_notice(self._locale(principal)))
            return
        sql, locale = shown
        delivery, channel, place, run = self.desk.delivery, self.desk.channel(turn), place_of(turn), run_of(turn)
        await delivery.show(channel, place, run, f"sql:{turn.event_id}", sql_card(sql, locale))
        if len(sql) > LONG_SQL:
            file = sql_file(sql, run, turn.event_id)
            await delivery.artifacts.put(run, file)
            await delivery.attach(channel, place, run, file)

    async def _sql_of(self, turn: Turn) -> tuple[str, Locale] | None:
        record = await self.desk.runs.get(run_of(turn))
        if record is not None and isinstance(record.pending, Proposal):
            return record.pending.query.sql, record.locale
        memory = await self.desk.deps.memory.load(ThreadKey(record.thread) if record else turn.thread)
        found = next((kept for kept in memory.runs if kept.run == run_of(turn)), None)
        return None if found is None else (found.sql, found.locale)

    def _locale(self, principal: Principal) -> Locale:
        return principal.locale or self.desk.default_locale
