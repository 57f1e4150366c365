from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agent.values.identity import PrincipalId
from bot.bootstrap import Product
from tests.fakes.teams.connector import TENANT, TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import GROUP, PERSONAL, Person, TeamsClient
from tests.scenario.conftest import POLICY, MakeSettings, running_bot
from tests.scenario.teams import ANA, CREDENTIALS, Talk, cards, shown, verbs
from tests.scenario.waiting import eventually

RATE = "What was the approval rate of the last seven days by channel?"
LOLA = Person(name="Lola Rios", object_id="101a0000-0000-4000-8000-000000000003")
LIMA = f"""
  lima:
    domains: [payments]
    row_rules:
      - domain: payments
        sources: [semantic.v_daily_payment_metrics]
        column: region
        members: [Lima]
        label: {{en: Lima only, es: Solo Lima, ru: Только Лима}}

people:
  - {{id: lola, name: Lola, roles: [lima], teams: [{{tenant: {TENANT}, object_id: {LOLA.object_id}}}]}}
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8").replace("\npeople:\n", LIMA, 1)
    text = text.replace("{answers: open, external: allow}", "ask")
    path = tmp_path / "asking.yaml"
    standing = "approval:\n  standing: {roles: [analyst], days: 30}\n"
    path.write_text(text.replace("approval:\n", standing), encoding="utf-8")
    return path


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as running:
        yield running
    assert running.faults == []


async def test_an_answer_goes_to_its_asker_alone_and_a_schedule_comes_again(
    settings_of: MakeSettings, teams: TeamsStandIn, policy: Path
) -> None:
    teams.members[GROUP.id] = [{**person.account(), "userRole": "user"} for person in (ANA, LOLA)]
    settings = settings_of(**CREDENTIALS, policy_file=policy)
    async with running_bot(settings, teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        alone = Talk(client=client, conversation=PERSONAL)
        await alone.say(ANA, "help")
        await alone.says("approval")
        talk = Talk(client=client, conversation=GROUP)
        await is_answered_alone_and_shared(talk, alone)
        await comes_again(alone, bot.product)


async def is_answered_alone_and_shared(talk: Talk, alone: Talk) -> None:
    await talk.say(ANA, RATE)
    await talk.press(ANA, await talk.card("approve"), "approve")
    answer = await alone.card("share")
    assert "Approval rate" in shown(answer)
    apart = await talk.says("the answer is in a direct message")
    assert not any("E-commerce" in shown(each) for each in talk.teams.in_conversation(GROUP.id))
    await talk.press(LOLA, apart, "share")
    await talk.press(ANA, apart, "share")
    shared = await talk.says("Shared by Ana")
    assert shared.id == apart.id
    assert "E-commerce" in shown(shared)


async def comes_again(alone: Talk, product: Product) -> None:
    """Chosen in the form that the button unfolds, signed by Ana herself, delivered in her personal chat."""
    answer = await alone.card("schedule")
    await alone.press(ANA, answer, "schedule", often="every Monday", time="at 9:00")
    waits = await alone.card("schedule_approve")
    assert "every Monday at 9:00" in shown(waits)
    await alone.press(ANA, waits, "schedule_approve")
    await eventually(lambda: "schedule_approve" not in verbs(waits), "the card once it is approved")
    [schedule] = await product.stores.schedules.of(PrincipalId("ana"))
    late = product.clock.now() - timedelta(days=9)
    assert await product.stores.schedules.update(replace(schedule, due_at=late), "active")
    assert await product.firing.fire() == 1
    again = await alone.says("scheduled every Monday at 9:00")
    assert again.id in {card.id for card in cards(alone.teams, alone.thread)}
