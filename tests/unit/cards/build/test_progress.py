import pytest

from cards.build.progress import progress_card
from cards.elements import Actions
from tests.unit.cards.samples import RUN


@pytest.mark.parametrize(
    ("step", "done", "seconds", "line"),
    [
        ("queued", (), None, "Queued"),
        ("running", ("understanding", "checking_sql"), 12, "Understanding → Checking SQL → Running (12 s)"),
        ("running", ("waiting",), None, "Waiting for approval → Running"),
        ("checking_sql", ("understanding", "checking_sql", "understanding"), None, "Understanding → Checking SQL"),
    ],
)
def test_one_line_that_moves(step: str, done: tuple[str, ...], seconds: int | None, line: str) -> None:
    assert progress_card(RUN, "en", step, done, seconds).fallback == line


def test_stop_cancels_the_run() -> None:
    card = progress_card(RUN, "en", "running")
    (button,) = (button for item in card.elements if isinstance(item, Actions) for button in item.buttons)
    assert (button.action.verb, button.action.run) == ("cancel", RUN)
