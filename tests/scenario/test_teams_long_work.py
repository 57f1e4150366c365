import asyncio
from itertools import pairwise
from pathlib import Path

from bot.serving import working
from tests.fakes.teams.connector import teams_stand_in
from tests.fakes.teams.people import GROUP, TeamsClient
from tests.scenario.conftest import POLICY, MakeSettings, running_bot
from tests.scenario.teams import ANA, BOB, PUBLIC, Talk, shown, verbs
from tests.scenario.test_approval_outages import ENDLESS, QUESTION

LEAST_SECONDS = 1.9
"""Between two edits of what somebody watches; a decision or an answer waits for none of them."""


def patient(folder: Path) -> Path:
    caps = "limits: {max_plan_rows: 1000000000000, max_plan_cost: 1000000000000, sql_timeout_seconds: 120}"
    text = POLICY.read_text(encoding="utf-8").replace("may_approve: any}", f"may_approve: any, {caps}}}")
    path = folder / "patient.yaml"
    path.write_text(text.replace("expires_after_hours: 24", "tiers: {edited: asker}"), encoding="utf-8")
    return path


async def test_long_work_types_shows_its_steps_and_is_stopped_by_its_asker_alone(
    settings_of: MakeSettings, tmp_path: Path
) -> None:
    settings = settings_of(**PUBLIC, policy_file=patient(tmp_path))
    async with teams_stand_in() as teams, running_bot(settings, teams.config().endpoints) as bot:
        talk = Talk(client=TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages"), conversation=GROUP)
        await talk.say(ANA, QUESTION)
        first = await talk.card("approve")
        await talk.press(ANA, first, "change", sql=ENDLESS)
        proposal = await talk.card("approve", (first.id,))
        typed = len(teams.typing)
        await talk.press(ANA, proposal, "approve")
        progress = await talk.card("cancel")
        await talk.press(BOB, progress, "cancel")
        await asyncio.sleep(4)
        assert "cancel" in verbs(progress), "only the asker stops it"
        assert len(teams.typing) - typed >= 2
        watched = [at for at, card in zip(progress.times, progress.versions, strict=True) if "cancel" in str(card)]
        assert all(later - earlier >= LEAST_SECONDS for earlier, later in pairwise(watched))
        await talk.press(ANA, progress, "cancel")
        stopped = await talk.says("Cancelled")
        assert stopped.id == progress.id
        assert "approve" not in verbs(stopped), shown(stopped)


async def test_a_question_that_no_worker_takes_yet_says_so_in_the_message_that_becomes_its_proposal(
    settings_of: MakeSettings,
) -> None:
    async with (
        teams_stand_in() as teams,
        running_bot(settings_of(**PUBLIC), teams.config().endpoints, worker=False) as bot,
    ):
        talk = Talk(client=TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages"), conversation=GROUP)
        async with working(bot.product, worker=False):
            await talk.say(ANA, QUESTION)
            queued = await talk.says("Queued, you are next")
        async with working(bot.product):
            assert (await talk.card("approve")).id == queued.id
