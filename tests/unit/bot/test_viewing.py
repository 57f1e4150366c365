from collections.abc import Collection
from dataclasses import replace

import pytest

from agent.policy.model import Policy
from agent.values.governance import Decision
from agent.values.identity import ExternalUser, PrincipalId, RunId, TenantId, ThreadKey, UserId
from agent.values.turn import CardAction, CardRef
from bot.dialogs import Dialogs
from bot.files.scope import no_files
from bot.memberships import GroupedPolicy
from bot.viewing import CardViews
from cards.elements import Actions, Card
from cards.forms import Form
from semantic_catalog.model import Locale
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryIdentities, InMemoryRunStore
from tests.unit.agent.policy.test_resolve import person, policy
from tests.unit.bot.test_authority import PROPOSAL, RECORD
from tests.unit.cards import samples

SHOWN = CardAction(verb="approve", run=samples.RUN, fingerprint=PROPOSAL.fingerprint, value="2")
CLOCK = FrozenClock(samples.NOW)


class Fixed:
    def current(self) -> Policy:
        return policy(person("ana", "none"), person("olga", "any"), person("bob", "none"))


class Messages:
    async def run_of(self, message: CardRef) -> RunId | None:
        return samples.RUN if message.message_id == "17" else None


class NoDialogs(Dialogs):
    async def form(self, action: CardAction, locale: Locale) -> Form | None:  # noqa: ARG002
        return None


@pytest.fixture
def runs() -> InMemoryRunStore:
    return InMemoryRunStore()


@pytest.fixture
def views(runs: InMemoryRunStore) -> CardViews:
    return CardViews(
        dialogs=NoDialogs(runs=runs, catalog=None),  # type: ignore[arg-type]  # it asks for none
        runs=runs,
        messages=Messages(),
        policy=GroupedPolicy(Fixed(), {}, InMemoryIdentities()),
        clock=CLOCK,
        scope_of=no_files,
    )


def user(name: str) -> ExternalUser:
    return ExternalUser(channel="teams", tenant=TenantId("tenant"), user_id=UserId(f"object-{name}"))


def verbs(card: Card | None) -> Collection[str]:
    assert card is not None
    return {button.action.verb for part in card.elements if isinstance(part, Actions) for button in part.buttons}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("olga", {"approve", "change", "reject"}),
        ("ana", {"change", "reject", "request_access"}),
        ("bob", {"request_access"}),
        ("mallory", {"request_access"}),
    ],
)
async def test_everybody_sees_the_buttons_that_count_for_them(
    views: CardViews, runs: InMemoryRunStore, name: str, expected: set[str]
) -> None:
    await runs.create(RECORD)
    assert verbs(await views.view(SHOWN, user(name))) == expected
    assert await runs.decision(samples.RUN) is None


async def test_what_was_decided_is_seen_as_decided(views: CardViews, runs: InMemoryRunStore) -> None:
    await runs.create(replace(RECORD, fingerprint=PROPOSAL.fingerprint, expires_at=PROPOSAL.expires_at))
    decision = Decision(
        kind="approve",
        by=PrincipalId("olga"),
        at=samples.NOW,
        fingerprint=PROPOSAL.fingerprint,
        by_name="Olga",
        revision=PROPOSAL.revision,
    )
    assert await runs.decide(samples.RUN, decision)
    await runs.update(replace(RECORD, status="running"))
    card = await views.view(SHOWN, user("bob"))
    assert card is not None
    assert (card.kind, verbs(card)) == ("decided", set())


@pytest.mark.parametrize(
    "shown", [replace(SHOWN, fingerprint="another"), replace(SHOWN, run=RunId("OTHER")), replace(SHOWN, run=None)]
)
async def test_what_is_not_known_any_more_has_no_view(
    views: CardViews, runs: InMemoryRunStore, shown: CardAction
) -> None:
    await runs.create(RECORD)
    assert await views.view(shown, user("olga")) is None


async def test_a_run_without_a_proposal_has_no_view(views: CardViews, runs: InMemoryRunStore) -> None:
    await runs.create(replace(RECORD, pending=None))
    assert await views.view(SHOWN, user("olga")) is None


async def test_a_message_belongs_to_its_run(views: CardViews) -> None:
    ref = CardRef(thread=samples_thread(), message_id="17")
    assert await views.run_of(ref) == samples.RUN
    assert await views.run_of(replace(ref, message_id="18")) is None


def samples_thread() -> ThreadKey:
    return ThreadKey("teams:t:19%3Ag")
