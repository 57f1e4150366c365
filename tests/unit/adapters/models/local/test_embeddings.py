from functools import cache

import pytest

from adapters.models.local.embeddings import LocalEmbedder
from agent.linking.linker import Linker
from tests.fakes.catalog import FixedCatalog
from tests.unit.agent.understanding.asking import ANALYST, payments_only


@cache
def linker() -> Linker:
    return Linker(FixedCatalog(payments_only()), LocalEmbedder(), patience=120)


@pytest.mark.parametrize(
    ("words", "metric"),
    [
        ("money that customers took back through their bank", "chargebacks"),
        ("cuánto cobramos por el servicio", "fees"),
        ("сколько покупок банк не пропустил", "declined_transactions"),
    ],
)
async def test_a_metric_is_found_by_what_is_meant_in_three_languages(words: str, metric: str) -> None:
    found = [each.name for each in await linker().link(words, ANALYST) if each.kind == "metric"]
    assert metric in found[:6], found


async def test_no_texts_have_no_vectors() -> None:
    assert await LocalEmbedder().documents(()) == ()
