from pathlib import Path

import pytest

from adapters.models.kept_vectors import KeptVectors
from tests.fakes.model import ConceptEmbedder

TEXTS = ("fees", "chargebacks")


def embedder() -> ConceptEmbedder:
    return ConceptEmbedder(concepts={"fees": 0, "chargebacks": 1})


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def break_file_in(folder: Path) -> None:
    (file,) = files_in(folder)
    file.write_bytes(b"broken")


async def test_the_same_texts_are_embedded_once(tmp_path: Path) -> None:
    first, second = embedder(), embedder()
    made = await KeptVectors(first, "m", tmp_path / "vectors").documents(TEXTS)
    kept = await KeptVectors(second, "m", tmp_path / "vectors").documents(TEXTS)
    assert [list(row) for row in kept] == [pytest.approx(row) for row in made]
    assert second.embedded == []


@pytest.mark.parametrize(("model", "texts"), [("n", TEXTS), ("m", ("fees", "refunds")), ("m", TEXTS[::-1])])
async def test_another_model_or_other_texts_are_embedded_anew(
    tmp_path: Path, model: str, texts: tuple[str, ...]
) -> None:
    await KeptVectors(embedder(), "m", tmp_path).documents(TEXTS)
    other = embedder()
    await KeptVectors(other, model, tmp_path).documents(texts)
    assert other.embedded == list(texts)


async def test_an_unreadable_file_is_made_anew(tmp_path: Path) -> None:
    await KeptVectors(embedder(), "m", tmp_path).documents(TEXTS)
    break_file_in(tmp_path)
    again = embedder()
    await KeptVectors(again, "m", tmp_path).documents(TEXTS)
    assert again.embedded == list(TEXTS)


async def test_a_question_is_never_kept(tmp_path: Path) -> None:
    await KeptVectors(embedder(), "m", tmp_path).query("fees")
    assert files_in(tmp_path) == []
