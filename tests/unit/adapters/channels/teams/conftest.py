"""A Teams, and a bot in it."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn, teams_stand_in


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as stand_in:
        yield stand_in


@pytest.fixture
async def bot(teams: TeamsStandIn) -> AsyncIterator[RunningBot]:
    async with running_bot(teams) as running:
        yield running
