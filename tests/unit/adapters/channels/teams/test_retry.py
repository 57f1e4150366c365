from types import SimpleNamespace

import pytest
from msrest.exceptions import ClientException

from adapters.channels.teams.config import Patience
from adapters.channels.teams.retry import pause_before, with_retries


class Refused(ClientException):
    """An answer of Teams that is none."""

    def __init__(self, status: int) -> None:
        super().__init__("refused")
        self.response = SimpleNamespace(status_code=status, headers={})


PATIENCE = Patience(first_pause=0.5, longest_pause=15)


@pytest.mark.parametrize(
    ("attempt", "asked", "least"),
    [(1, None, 0.5), (2, None, 1.0), (3, None, 2.0), (9, None, 15), (1, 7, 7), (1, 99, 15)],
)
def test_pauses_double_and_follow_what_teams_asks(attempt: int, asked: float | None, least: float) -> None:
    for _ in range(50):
        assert least <= pause_before(attempt, asked, PATIENCE) <= least + 0.5


def test_pauses_differ_so_that_not_all_come_back_at_once() -> None:
    assert len({pause_before(1, None, PATIENCE) for _ in range(20)}) > 1


async def test_every_try_is_told_with_its_status() -> None:
    statuses, told = [429, 503], list[tuple[str, int]]()

    async def send() -> str:
        if not statuses:
            return "sent"
        raise Refused(statuses.pop(0))

    def seen(method: str, status: int, seconds: float) -> None:
        assert seconds >= 0
        told.append((method, status))

    assert await with_retries("post", send, Patience(first_pause=0, longest_pause=0), seen) == "sent"
    assert told == [("post", 429), ("post", 503), ("post", 200)]
