from functools import cache
from hashlib import sha256

import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from agent.values.spec import ChartKind
from cards.chart import alt_text
from cards.charts.kind import drawable_kind
from cards.charts.read import read_chart_data
from tests.gallery.pieces import Piece, pieces
from tests.unit.cards.test_chart import drawn, edge_is_clean

KINDS: tuple[ChartKind, ...] = ("bar", "horizontal_bar", "stacked", "line", "area", "pie", "treemap", "combo")


@cache
def gallery() -> dict[str, Image.Image]:
    """Every piece, drawn once."""
    return {piece.name: drawn(piece.spec, piece.table, piece.locale) for piece in pieces()}


def pixels_of(name: str) -> str:
    return sha256(gallery()[name].tobytes()).hexdigest()[:16]


def test_the_gallery_looks_as_it_did_when_it_was_last_looked_at(snapshot: SnapshotAssertion) -> None:
    assert {name: pixels_of(name) for name in gallery()} == snapshot


def test_the_gallery_says_in_words_what_it_shows(snapshot: SnapshotAssertion) -> None:
    assert {piece.name: alt_text(piece.spec, piece.table, piece.locale) for piece in pieces()} == snapshot


@pytest.mark.parametrize("piece", pieces(), ids=lambda piece: piece.name)
def test_nothing_of_the_gallery_leaves_its_sheet(piece: Piece) -> None:
    assert edge_is_clean(gallery()[piece.name])


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_in_the_gallery_as_itself_in_several_languages(kind: ChartKind) -> None:
    shown = [
        piece.locale
        for piece in pieces()
        if piece.spec.kind == kind
        and drawable_kind(kind, read_chart_data(piece.spec, piece.table, piece.locale)) == kind
    ]
    assert set(shown) >= {"en", "es"}


def test_names_are_unique() -> None:
    names = [piece.name for piece in pieces()]
    assert len(names) == len(set(names))
