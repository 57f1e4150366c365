import pytest

from adapters.channels.slack.thread_ids import NotASlackThread, SlackThread, read_slack_thread, slack_thread
from agent.values.identity import ThreadKey

THREAD = SlackThread(team="T0HOME", channel="C0SALES", root="1793545100.000100")


def test_a_thread_survives_its_key() -> None:
    key = slack_thread(THREAD)
    assert key == "slack:T0HOME:C0SALES:1793545100.000100"
    assert read_slack_thread(key) == THREAD


@pytest.mark.parametrize(
    ("team", "channel", "root"),
    [
        ("", "C0SALES", "1.1"),
        ("T0HOME", "", "1.1"),
        ("T0HOME", "C0SALES", ""),
        ("T0:HOME", "C0SALES", "1.1"),
        ("T0HOME", "sales", "1.1"),
        ("T0HOME", "C0SALES", "1"),
        ("T0HOME", "C0SALES", "1.1\n"),
        ("T0HOME", "C0SALES", "١.١"),
    ],
)
def test_a_thread_with_a_missing_or_odd_part_has_no_key(team: str, channel: str, root: str) -> None:
    with pytest.raises(NotASlackThread):
        slack_thread(SlackThread(team=team, channel=channel, root=root))


@pytest.mark.parametrize(
    "key", ["", "slack:", "console:main", "teams:t:c", "slack:T0:C0", "slack:T0:C0:1.1:2", "xslack:T0:C0:1.1"]
)
def test_other_keys_are_not_read(key: str) -> None:
    with pytest.raises(NotASlackThread):
        read_slack_thread(ThreadKey(key))
