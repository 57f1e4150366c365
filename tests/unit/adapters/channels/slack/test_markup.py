import pytest

from adapters.channels.slack.markup import mentions, words_of


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("<@U0BOT> approval rate", "approval rate"),
        ("<@U0BOT|countersign>: approval rate", "approval rate"),
        ("hey <@U0BOT>, approval rate", "hey approval rate"),
        ("approval rate <@U0BOT>", "approval rate"),
        ("<@U0BOT>\nselect 1\nfrom x", "select 1\nfrom x"),
        ("<@U0BOT>  two  spaces", "two  spaces"),
        ("<@U0BOT><@U0BOT> twice", "twice"),
        ("ask <@U0ANA|ana> and <@U0BOB>", "ask @ana and @U0BOB"),
        ("see <#C0SALES|sales> or <#C0OPS>", "see #sales or #C0OPS"),
        ("<!here> <!subteam^S1|@finance> <!subteam^S1>", "@here @finance @subteam"),
        ("<!date^1793545200^{date}|1 Nov 2026>", "1 Nov 2026"),
        ("<https://a.example/?a=1&amp;b=2> <https://a.example|here>", "https://a.example/?a=1&b=2 here"),
        ("<mailto:a@b.example|a@b.example> <mailto:a@b.example>", "a@b.example a@b.example"),
        ("amount &gt; 5 &amp;&amp; amount &lt; 9", "amount > 5 && amount < 9"),
        ("&amp;lt; stays &lt;@U0BOT&gt;", "&lt; stays <@U0BOT>"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("", ""),
    ],
)
def test_markup_reads_as_words(written: str, words: str) -> None:
    assert words_of(written, "U0BOT") == words


def test_without_a_bot_nothing_is_taken_out() -> None:
    assert words_of("<@U0BOT> hi", "") == "@U0BOT hi"


@pytest.mark.parametrize(("text", "named"), [("a <@U0BOT|x> b", True), ("<@U0BOTTOM>", False), ("@U0BOT", False)])
def test_a_mention_names_exactly_one_user(text: str, named: bool) -> None:
    assert mentions(text, "U0BOT") is named
