"""A conversation with the demo's people, held with the product itself: the cards of the gallery are what it posts."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agent.errors import QueryTimeout
from agent.values.identity import ExternalUser, TenantId, UserId
from agent.values.outcome import Failure, Proposal
from agent.values.turn import ActionVerb
from bot.failures import outcome_of
from bot.terminal.session import Session
from cards.build.access import access_card
from cards.build.audience import alone_card, apart_card
from cards.build.notices import notice_card, stranger_notice
from cards.build.outcome import outcome_card
from cards.build.progress import progress_card
from cards.elements import Card
from semantic_catalog.model import LOCALES, Locale
from tests.card_gallery.kept import KeepingChannel, Scene

ASKED: Final[dict[Locale, str]] = {
    "en": "What was the approval rate of the last seven days by channel?",
    "es": "¿Cuál fue la tasa de aprobación de los últimos siete días por canal?",
    "ru": "Какой была доля одобренных за последние семь дней по каналам?",
}
WHO: Final = "analyst"
SALES: Final = "Date;Region;Channel;Amount\n" + "".join(
    f"2026-{month:02}-{day:02};{region};{channel};{1000 + 37 * month + at * 211}.50\n"
    for month in range(1, 11)
    for day in (3, 17, 28)
    for at, (region, channel) in enumerate((("Lima", "Web"), ("Cusco", "Shop"), ("Arequipa", "Web")))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A session whose channel keeps what is posted, and a folder for files."""

    session: Session
    channel: KeepingChannel
    folder: Path

    async def say(self, text: str, thread: str, who: str = WHO) -> Card:
        """The last card that the words bring."""
        await self.session.say(text, who, thread)
        return self.channel.cards[-1]

    async def press(self, verb: ActionVerb, thread: str, text: str = "") -> Card:
        """The last card after the newest button of that verb was pressed."""
        action = self.channel.button(verb).action
        await self.session.press(replace(action, text=text or action.text), WHO, thread)
        return self.channel.cards[-1]


async def scenes(talk: Talk) -> tuple[Scene, ...]:
    """Every card once, the proposal and the answer in each language."""
    parts = [
        *[scene for locale in LOCALES for scene in await _answered(talk, locale)],
        *await _changed(talk),
        *await _asked_back(talk),
        *await _repeated(talk),
        *await _not_answered(talk),
        *await _of_a_file(talk),
        *await _of_a_person(talk),
        *await _beside(talk),
    ]
    return tuple(parts)


async def _answered(talk: Talk, locale: Locale) -> list[Scene]:
    thread = f"asked-{locale}"
    proposal = await talk.say(ASKED[locale], thread)
    await talk.press("approve", thread)
    decided, answer = talk.channel.newest("decided"), talk.channel.newest("answer")
    pair = [Scene(name=f"proposal-{locale}", card=proposal), Scene(name=f"answer-{locale}", card=answer)]
    if locale != "en":
        return pair
    return [
        *pair,
        Scene(name="decided", card=decided),
        Scene(name="explained", card=await talk.press("explain", thread)),
        Scene(name="sql", card=await talk.press("show_sql", thread)),
    ]


async def _changed(talk: Talk) -> list[Scene]:
    proposal = await talk.say("Top 10 merchants by processed amount last month", "changed")
    change, reject = talk.channel.button("change"), talk.channel.button("reject")
    forms = [
        Scene(
            name=name, card=proposal, form=await talk.session.product.surfaces.form(button.action, "en"), button=button
        )
        for name, button in (("change", change), ("reject", reject))
    ]
    changed = await talk.press("change", "changed", "limit 5; only Visa")
    rejected = await talk.press("reject", "changed", "wrong period")
    return [*forms, Scene(name="proposal-changed", card=changed), Scene(name="rejected", card=rejected)]


async def _asked_back(talk: Talk) -> list[Scene]:
    asked = await talk.say("approval rate of Visa", "asked-back")
    asked = replace(asked, addressee=ExternalUser(channel="slack", tenant=TenantId("T1"), user_id=UserId("U0ANA")))
    await talk.press("choose", "asked-back")
    return [Scene(name="clarification", card=asked), Scene(name="clarified", card=talk.channel.newest("clarified"))]


async def _repeated(talk: Talk) -> list[Scene]:
    """An answer that comes again by itself."""
    await talk.say("Approval rate by channel last month", "repeated")
    answer = await talk.press("approve", "repeated")
    button = talk.channel.button("schedule")
    form = await talk.session.product.surfaces.form(button.action, "en")
    scheduled = await talk.press("schedule", "repeated", "every Monday at 9:00")
    return [
        Scene(name="schedule", card=answer, form=form, button=button),
        Scene(name="scheduled", card=scheduled),
        Scene(name="schedules", card=await talk.say("my schedules", "repeated")),
    ]


async def _not_answered(talk: Talk) -> list[Scene]:
    refusal = await talk.say("EBITDA margin by business unit last month", "refused", "viewer")
    await talk.say("processed amount by channel in January 2019", "empty")
    empty = await talk.press("approve", "empty")
    step = await talk.session.say("Fees by month this year", WHO, "failed")
    assert step.stop is not None
    assert isinstance(step.stop.outcome, Proposal)
    run, now = step.stop.outcome.run, talk.session.product.clock.now()
    failed = outcome_of(QueryTimeout(seconds=20), run, "en", now)
    assert isinstance(failed, Failure)
    return [
        Scene(name="refusal", card=refusal),
        Scene(name="no-data", card=empty),
        Scene(name="failure", card=outcome_card(failed)),
        Scene(
            name="progress", card=progress_card(run, "en", "running", ("understanding", "checking_sql", "waiting"), 12)
        ),
    ]


async def _of_a_file(talk: Talk) -> list[Scene]:
    path = talk.folder / "sales.csv"
    path.write_text(SALES, encoding="utf-8")
    before = len(talk.channel.cards)
    await talk.session.give(path, WHO, "file", "amount by region")
    given, *_, confirmed = talk.channel.cards[before:]
    return [Scene(name="file", card=given), Scene(name="file-confirmed", card=confirmed)]


async def _of_a_person(talk: Talk) -> list[Scene]:
    await talk.say("remember that sales means processed amount", "own")
    named = {
        "help": await talk.say("help", "own"),
        "history": await talk.say("history", "own"),
        "memory": await talk.say("my memory", "own"),
        "waiting": await talk.say("my approvals", "own"),
        "forget-me": await talk.say("forget me", "own"),
        "reply": await talk.say("what can you do?", "own"),
        "admin-who": await talk.say("admin who asked what", "own", "admin"),
        "admin-budgets": await talk.say("admin budgets", "own", "admin"),
    }
    person = ExternalUser(channel="console", tenant=TenantId("local"), user_id=UserId(WHO))
    (home,) = await talk.session.product.surfaces.home(person, "en")
    return [*(Scene(name=name, card=card) for name, card in named.items()), Scene(name="home", card=home, is_home=True)]


async def _beside(talk: Talk) -> list[Scene]:
    """What stands beside a conversation: notices, and what reaches people alone."""
    step = await talk.session.say("Average price of lead by supplier last month", "buyer", "beside")
    assert step.stop is not None
    proposal = step.stop.outcome
    assert isinstance(proposal, Proposal)
    asked = access_card(
        who="Victor Viewer",
        question="EBITDA margin by business unit last month",
        reason="Board meeting on Thursday",
        sql="",
        run=proposal.run,
        locale="en",
    )
    await talk.say("Approval rate by region last month", "alone")
    await talk.press("approve", "alone")
    answer = talk.channel.newest("answer")
    return [
        Scene(name="stranger", card=notice_card("en", stranger_notice("en", proposal.approvers)), alone=True),
        Scene(name="access", card=asked),
        Scene(
            name="answered-apart", card=apart_card("answered_alone", "Ana Analyst", proposal.run, "en", shareable=True)
        ),
        Scene(name="answer-alone", card=alone_card(answer, proposal.run, shareable=True), alone=True),
    ]
