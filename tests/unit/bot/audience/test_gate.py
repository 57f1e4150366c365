from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.values.governance import CheckedQuery
from agent.values.identity import ExternalUser, PrincipalId, TenantId, ThreadKey, UserId
from agent.values.readership import ALONE, UNKNOWN, Readership
from agent.values.turn import Place
from bot.audience.gate import AudienceGate, Standing, asked_at
from bot.audience.said import Said
from bot.memberships import GroupedPolicy
from bot.sources import PolicyFile
from cards.errors import DeliveryRefused
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName
from tests.fakes.catalog import FixedCatalog
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryIdentities

PAYMENTS = DomainName("payments")
ASKER = PrincipalId("ana")
CHANNEL = Place(thread=ThreadKey("slack:T1:C1:1.0"), address="")
TERMINAL = Place(thread=ThreadKey("console:main"), address="")
SQL = """
    SELECT channel, SUM(processed_amount) AS amount FROM semantic.v_daily_payment_metrics
    WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY channel
"""
POLICY = """\
version: 1
name: acme
roles:
  analyst: {domains: [payments], may_approve: own}
  lima:
    domains: [payments]
    row_rules:
      - domain: payments
        sources: [semantic.v_daily_payment_metrics]
        column: region
        members: [Lima]
        label: {en: L, es: L, ru: Л}
people:
  - {id: ana, name: Ana, roles: [analyst], slack: [{team: T1, user: U-ana}]}
  - {id: bob, name: Bob, roles: [analyst], slack: [{team: T1, user: U-bob}]}
  - {id: lola, name: Lola, roles: [lima], slack: [{team: T1, user: U-lola}]}
audience: AUDIENCE
"""


@dataclass(slots=True)
class Members:
    """Implements `ChannelMembers`; None: the platform does not say."""

    found: Readership | None
    asked: int = 0

    async def readers(self, place: Place, most: int) -> Readership:  # noqa: ARG002
        self.asked += 1
        if self.found is None:
            raise DeliveryRefused("conversations.members: missing_scope")
        return self.found


def reading(*names: str, is_whole: bool = True, is_external: bool = False) -> Readership:
    people = tuple(ExternalUser(channel="slack", tenant=TenantId("T1"), user_id=UserId(f"U-{name}")) for name in names)
    return Readership(people=people, is_whole=is_whole, is_external=is_external)


def gate(tmp_path: Path, audience: str, members: Members) -> AudienceGate:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace("AUDIENCE", audience), encoding="utf-8")
    policy = GroupedPolicy(PolicyFile(path), {}, InMemoryIdentities())
    return AudienceGate(
        members={"slack": members},
        people=policy,
        policy=policy,
        catalog=FixedCatalog(load_catalog()),
        clock=FrozenClock(),
        most_readers=50,
    )


def said(who: AudienceGate) -> Said:
    catalog, asker = load_catalog(), who.policy.current().principal(ASKER)
    assert asker is not None
    scope = scope_for(catalog.domain(PAYMENTS), asker, catalog.version)
    query = check_query(SQL, scope, origin="edited", today=who.clock.today("America/Lima"))
    assert isinstance(query, CheckedQuery), query
    return Said(domain=PAYMENTS, query=query)


@pytest.mark.parametrize(
    ("audience", "readers", "expected"),
    [
        ("ask", reading("ana", "bob"), "here"),
        ("ask", reading("ana", "lola"), "alone"),
        ("ask", reading("ana", "stranger"), "alone"),
        ("ask", reading("ana", "bob", is_whole=False), "alone"),
        ("ask", UNKNOWN, "alone"),
        ("ask", None, "alone"),
        ("ask", ALONE, "here"),
        ("ask", reading("ana", "bob", is_external=True), "alone_always"),
        ("{answers: ask, external: allow}", reading("ana", "bob", is_external=True), "here"),
        ("private", reading("ana", "bob"), "alone_always"),
        ("private", ALONE, "here"),
        ("open", reading("ana", "stranger"), "here"),
        ("open", reading("ana", is_external=True), "alone_always"),
        ("{answers: open, external: allow}", None, "here"),
        ("{answers: private, domains: {payments: open}}", reading("stranger"), "here"),
        ("{answers: open, domains: {payments: private}}", reading("bob"), "alone_always"),
    ],
)
async def test_where_an_answer_stands(
    tmp_path: Path, audience: str, readers: Readership | None, expected: Standing
) -> None:
    who = gate(tmp_path, audience, Members(readers))
    assert await who.standing(CHANNEL, said(who), ASKER) == expected


async def test_nobody_is_looked_up_for_what_tells_nothing_or_may_stand_anywhere(tmp_path: Path) -> None:
    members = Members(None)
    asking = gate(tmp_path, "ask", members)
    assert await asking.standing(CHANNEL, None, ASKER) == "here"
    assert await asking.standing(TERMINAL, said(asking), ASKER) == "here"
    opened = gate(tmp_path, "{answers: open, external: allow}", members)
    assert await opened.standing(CHANNEL, said(opened), ASKER) == "here"
    assert members.asked == 0


async def test_questions_back_that_list_members_are_for_who_sees_their_rows(tmp_path: Path) -> None:
    listed = Said(domain=PAYMENTS)
    assert await gate(tmp_path, "ask", Members(reading("bob"))).standing(CHANNEL, listed, ASKER) == "here"
    assert await gate(tmp_path, "ask", Members(reading("lola"))).standing(CHANNEL, listed, ASKER) == "alone"


async def test_outsiders_are_refused_unless_the_policy_allows_them(tmp_path: Path) -> None:
    outside = Members(reading("ana", is_external=True))
    with asked_at(CHANNEL):
        assert await gate(tmp_path, "open", outside).refuses(PAYMENTS)
        assert not await gate(tmp_path, "{answers: ask, external: allow}", outside).refuses(PAYMENTS)
        assert not await gate(tmp_path, "ask", Members(reading("ana", "bob"))).refuses(PAYMENTS)
    assert not await gate(tmp_path, "ask", outside).refuses(PAYMENTS), "no run is driven"
