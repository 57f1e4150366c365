"""`python -m tests.gallery`: draws the gallery into `out/gallery`, a PNG and a line of alternative text a chart."""

import sys
from pathlib import Path

from cards.chart import alt_text, draw_chart
from tests.gallery.pieces import pieces

FOLDER = Path("out/gallery")


def draw_all(folder: Path) -> int:
    """Draw every piece; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    words = []
    for piece in pieces():
        (folder / f"{piece.name}.png").write_bytes(draw_chart(piece.spec, piece.table, piece.locale))
        words.append(f"{piece.name}: {alt_text(piece.spec, piece.table, piece.locale)}\n")
    (folder / "alternative-texts.txt").write_text("".join(words), encoding="utf-8")
    return len(words)


if __name__ == "__main__":
    sys.stdout.write(f"{draw_all(FOLDER)} charts in {FOLDER}\n")
