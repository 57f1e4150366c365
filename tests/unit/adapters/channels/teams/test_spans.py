from collections.abc import AsyncIterator

from adapters.channels.teams.spans import spans_of
from cards.elements import Attachment

CONTENT = bytes(range(10))


async def _parts() -> AsyncIterator[bytes]:
    for start in range(0, 10, 3):
        yield CONTENT[start : start + 3]


WHOLE = Attachment(key="w", name="w.xlsx", media_type="", title="", content=CONTENT)
LONG = Attachment(key="w", name="w.xlsx", media_type="", title="", length=10, parts=_parts)


async def test_pieces_are_of_one_size_but_for_the_last_whatever_the_parts() -> None:
    wanted = [("bytes 0-3/10", CONTENT[:4]), ("bytes 4-7/10", CONTENT[4:8]), ("bytes 8-9/10", CONTENT[8:])]
    assert [span async for span in spans_of(LONG, 4)] == wanted
    assert [span async for span in spans_of(WHOLE, 4)] == wanted


async def test_a_file_that_fits_is_one_piece() -> None:
    assert [span async for span in spans_of(WHOLE, 10)] == [("bytes 0-9/10", CONTENT)]
