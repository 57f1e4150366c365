import pytest

from agent.values.identity import RunId
from bot.links import DownloadLinks

LINKS = DownloadLinks(
    base_url="https://bot.example/", secret=b"k" * 32, lifetime_seconds=60, seconds_now=lambda: 1000.0
)


def _token(links: DownloadLinks) -> str:
    return links.link_for(RunId("RUN7"), "workbook").rpartition("/")[2]


def test_a_link_names_the_file_it_was_made_for() -> None:
    assert LINKS.link_for(RunId("RUN7"), "workbook").startswith("https://bot.example/files/")
    assert LINKS.read(_token(LINKS)) == ("RUN7", "workbook")


def test_a_link_stops_working_when_its_time_is_over() -> None:
    later = DownloadLinks(base_url="", secret=b"k" * 32, lifetime_seconds=60, seconds_now=lambda: 1060.0)
    assert later.read(_token(LINKS)) is None


@pytest.mark.parametrize("position", [0, 20, 50])
def test_a_changed_link_is_refused(position: int) -> None:
    token = _token(LINKS)
    changed = token[:position] + ("A" if token[position] != "A" else "B") + token[position + 1 :]
    assert LINKS.read(changed) is None


@pytest.mark.parametrize("token", ["", "x", "%%%", "é", "AAAA" * 30])
def test_nonsense_is_refused(token: str) -> None:
    assert LINKS.read(token) is None


def test_a_link_signed_with_another_key_is_refused() -> None:
    other = DownloadLinks(base_url="", secret=b"q" * 32, lifetime_seconds=60, seconds_now=lambda: 1000.0)
    assert LINKS.read(_token(other)) is None
