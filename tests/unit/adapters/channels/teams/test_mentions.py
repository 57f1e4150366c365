import pytest

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.mentions import mentions_bot, words_of

BOT = {"id": "28:bot", "name": "Data"}
OTHER = {"id": "29:ana", "name": "Ana"}


def _message(text: str, *mentions: tuple[dict[str, str], str]) -> InboundActivity:
    entities = [{"type": "mention", "mentioned": who, "text": written} for who, written in mentions]
    return InboundActivity.model_validate({"type": "message", "text": text, "recipient": BOT, "entities": entities})


@pytest.mark.parametrize(
    ("text", "mentions", "words"),
    [
        ("<at>Data</at> show data Data", [(BOT, "<at>Data</at>")], "show data Data"),
        ("<at>Data</at>&nbsp;  sales &amp; refunds\n", [(BOT, "<at>Data</at>")], "sales & refunds"),
        ('<at id="0">Data</at> sales', [(BOT, "<at>Data</at>")], "sales"),
        ('<at id="0">Data</at> sales', [(BOT, '<at id="0">Data</at>')], "sales"),
        ("sales <at>Data</at> by day", [(BOT, "<at>Data</at>")], "sales by day"),
        ("<at>Data</at> <at>Data</at> sales", [(BOT, "<at>Data</at>")], "Data sales"),
        ("<at>Data</at> <at>Data</at> sales", [(BOT, "<at>Data</at>"), (BOT, "<at>Data</at>")], "sales"),
        ("<at>Data</at> sales of <at>Ana</at>", [(BOT, "<at>Data</at>"), (OTHER, "<at>Ana</at>")], "sales of Ana"),
        ("a &lt;at&gt;b&lt;/at&gt; c", [], "a <at>b</at> c"),
        ("amount &lt; 5", [], "amount < 5"),
        ("first\nsecond", [], "first\nsecond"),
        ("<at>Data</at>", [(BOT, "<at>Data</at>")], ""),
        ("sales", [(BOT, "")], "sales"),
    ],
)
def test_the_words_are_what_the_person_wrote(text: str, mentions: list[tuple[dict[str, str], str]], words: str) -> None:
    assert words_of(_message(text, *mentions)) == words


def test_only_its_own_mention_names_the_bot() -> None:
    assert mentions_bot(_message("<at>Data</at>", (BOT, "<at>Data</at>")))
    assert not mentions_bot(_message("<at>Ana</at>", (OTHER, "<at>Ana</at>")))
    assert not mentions_bot(_message("Data"))
