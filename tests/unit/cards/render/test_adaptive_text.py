import pytest

from cards.render.adaptive_text import escape


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Approval rate", "Approval rate"),
        ("[x](http://evil)", r"\[x\](http://evil)"),
        ("*a* _b_ `c` ~d~ \\", r"\*a\* \_b\_ \`c\` \~d\~ \\"),
        ("<at>All</at>", "&lt;at>All&lt;/at>"),
        ("1. first", r"1\. first"),
        ("- dash", r"\- dash"),
        ("# title", r"\# title"),
        ("3.5 %", "3.5 %"),
        ("−4.1 points", "−4.1 points"),
    ],
)
def test_markdown_is_shown_as_written(text: str, expected: str) -> None:
    assert escape(text) == expected
