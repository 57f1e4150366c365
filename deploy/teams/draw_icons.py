"""Draws the two icons of the app package: a card of rows, countersigned with a tick.

python -m deploy.teams.draw_icons
"""

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).resolve().parent
NAVY = (22, 50, 79, 255)
WHITE = (255, 255, 255, 255)
GREEN = (64, 190, 128, 255)
CLEAR = (0, 0, 0, 0)

# Drawn larger and reduced, so that edges are smooth.
_OVERSIZE = 8


def draw_color() -> Image.Image:
    """192 × 192 pixels, opaque."""
    return _drawn(192, NAVY, WHITE, GREEN, margin=0.2)


def draw_outline() -> Image.Image:
    """32 × 32 pixels, white on a transparent ground, as Teams asks."""
    return _drawn(32, CLEAR, WHITE, WHITE, margin=0.04)


def _drawn(
    size: int, ground: tuple[int, ...], line: tuple[int, ...], tick: tuple[int, ...], *, margin: float
) -> Image.Image:
    large = size * _OVERSIZE
    image = Image.new("RGBA", (large, large), ground)
    pen = ImageDraw.Draw(image)
    span = 1 - 2 * margin

    def at(x: float, y: float) -> tuple[float, float]:
        return (margin + x * span) * large, (margin + y * span) * large

    width = round(large * span * 0.075)
    pen.rounded_rectangle((*at(0.05, 0.02), *at(0.95, 0.98)), radius=large * span * 0.12, outline=line, width=width)
    for height in (0.26, 0.44):
        pen.line((*at(0.24, height), *at(0.76, height)), fill=line, width=width)
    pen.line((at(0.26, 0.7), at(0.42, 0.84), at(0.76, 0.58)), fill=tick, width=round(width * 1.3), joint="curve")
    return image.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    draw_color().save(FOLDER / "color.png", optimize=True)
    draw_outline().save(FOLDER / "outline.png", optimize=True)
