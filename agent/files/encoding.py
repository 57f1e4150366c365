"""The encoding of a text file, by its bytes."""

import codecs
from collections.abc import Iterator
from pathlib import Path

HEAD = 256 * 1024
PROBE = 64 * 1024
PROBES = 24
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FIRST_HIGH = 0x80
_FIRST_CYRILLIC = 0xC0


def encoding_of(path: Path) -> str | None:
    """UTF-8, UTF-16, Windows-1251 (Cyrillic) or Windows-1252 (Western); None for bytes that are no text.

    A file without high bytes is UTF-8. Pieces from all over the file are looked at.
    """
    pieces = list(_pieces(path))
    marked = next((name for mark, name in _MARKS if pieces[0].startswith(mark)), None)
    if marked:
        return marked
    sample = b"".join(pieces)
    if b"\x00" in sample:
        return _wide(pieces[0])
    if all(_is_utf8(piece) for piece in pieces):
        return "utf-8"
    return _eight_bit(sample)


def _pieces(path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    with path.open("rb") as opened:
        yield opened.read(HEAD)
        for number in range(1, PROBES):
            start = HEAD + (size - HEAD) * number // PROBES
            if size > HEAD:
                opened.seek(start)
                yield opened.read(PROBE)


def _is_utf8(piece: bytes) -> bool:
    """Whether a piece cut anywhere is UTF-8: up to three bytes at either end may belong to a letter that is cut."""
    start = next((at for at in range(min(4, len(piece))) if not 0x80 <= piece[at] < 0xC0), 0)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(piece[start:], final=False)
    except UnicodeDecodeError:
        return False
    return True


def _wide(piece: bytes) -> str | None:
    """UTF-16 without a mark: every second byte of plain letters is zero."""
    even, odd = piece[0::2].count(0), piece[1::2].count(0)
    half = len(piece) // 2
    if half and max(even, odd) > half * 0.3 and min(even, odd) < half * 0.05:
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _eight_bit(sample: bytes) -> str | None:
    """Cyrillic words are runs of high bytes; accented Western letters stand alone between plain ones."""
    if any(byte < 0x20 and byte not in b"\t\n\r\x0b\x0c\x1a\x1b" for byte in set(sample)):
        return None
    high = [byte >= _FIRST_HIGH for byte in sample]
    letters = [byte >= _FIRST_CYRILLIC or byte in b"\xa8\xb8" for byte in sample]
    in_runs = sum(1 for at in range(1, len(sample)) if letters[at] and letters[at - 1])
    return "cp1251" if in_runs > 0.4 * sum(high) else "cp1252"
