import pytest

from cards.render.clean import clean, clip, one_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("tab\tstays", "tab\tstays"),
        ("\u202egnp.exe", "<U+202E>gnp.exe"),
        ("\x1b[31mred", "<U+001B>[31mred"),
        ("שלום", "שלום"),
        ("👩‍💻", "👩‍💻"),
    ],
)
def test_what_hides_or_reorders_is_written_out(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a   d", 3, "a…"), ("ab", 1, "…"), ("ab", 0, "")],
)
def test_a_cut_shows(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


def test_one_line_keeps_no_break_spaces() -> None:
    assert one_line("  86.9\u00a0%\n\tof all ") == "86.9\u00a0% of all"
