import base64
from io import BytesIO

import pytest
from PIL import Image

from adapters.channels.teams.pictures import data_address
from cards.limits import TEAMS


def _png(image: Image.Image) -> bytes:
    written = BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _decoded(address: str) -> tuple[bytes, Image.Image]:
    content = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    return content, Image.open(BytesIO(content))


@pytest.mark.parametrize("size", [(1100, 500), (300, 1200), (300, 200)])
def test_a_chart_fits_into_a_card(size: tuple[int, int]) -> None:
    content, picture = _decoded(data_address(_png(Image.effect_noise(size, 90).convert("RGBA"))))
    assert len(content) <= TEAMS.picture_data
    assert max(picture.size) <= 1024
    assert picture.format == "PNG"
    assert abs(picture.width / picture.height - size[0] / size[1]) < 0.02


def test_a_small_picture_keeps_its_size_and_colours() -> None:
    _, picture = _decoded(data_address(_png(Image.new("RGB", (300, 200), (22, 50, 79)))))
    assert picture.size == (300, 200)
    assert picture.convert("RGB").getpixel((5, 5)) == (22, 50, 79)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_has_no_address(content: bytes) -> None:
    assert data_address(content) == ""
