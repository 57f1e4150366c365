import asyncio
from dataclasses import replace

import pytest

from agent.linking.documents import Document
from agent.linking.linker import Linker
from agent.values.identity import Principal
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName
from tests.fakes.catalog import FixedCatalog
from tests.fakes.model import ConceptEmbedder
from tests.unit.agent.linking.wide import WIDE, wide_catalog
from tests.unit.agent.understanding.asking import ANALYST, PAYMENTS

EVERYBODY = replace(ANALYST, domains=(PAYMENTS, DomainName("erp_finance"), DomainName("scrap_prices"), WIDE))


def linker(embedder: ConceptEmbedder | None = None) -> Linker:
    return Linker(FixedCatalog(load_catalog()), embedder)


async def names(words: str, kind: str, principal: Principal = EVERYBODY, most: int = 60) -> list[str]:
    found = await linker().link(words, principal, most=most)
    return [each.name for each in found if each.kind == kind]


@pytest.mark.parametrize(
    ("words", "metric"),
    [
        ("what is our approval rate", "approval_rate"),
        ("aproval rates", "approval_rate"),
        ("tasas de aprobación", "approval_rate"),
        ("доля одобренных операций", "approval_rate"),
        ("chargebacks", "chargebacks"),
        ("выручку", "revenue"),
    ],
)
async def test_a_metric_is_found_in_any_language_inflected_or_misspelt(words: str, metric: str) -> None:
    assert metric in (await names(words, "metric"))[:3]


async def test_a_member_a_column_and_an_example_are_found_too() -> None:
    assert "Visa" in await names("visa cards", "member")
    assert "merchant_id" in await names("merchant id", "column")
    assert any("approval rate" in question for question in await names("approval rate by channel", "example"))


async def test_only_what_the_principal_may_see_is_found() -> None:
    own = await linker().link("revenue approval rate price", ANALYST)
    assert {each.domain for each in own} == {PAYMENTS}
    narrow = replace(ANALYST, entities=())
    assert [each for each in await linker().link("merchant", narrow) if each.kind in ("table", "column")] == []


async def test_a_denied_column_is_not_found() -> None:
    denied = replace(ANALYST, denied_columns=(("semantic.v_daily_payment_metrics", "FEE_AMOUNT"),))
    found = await linker().link("fee amount", denied)
    columns = [(each.within, each.name) for each in found if each.kind == "column"]
    assert ("v_daily_payment_metrics", "fee_amount") not in columns
    assert ("v_monthly_payment_metrics", "fee_amount") in columns


async def test_nothing_near_finds_nothing() -> None:
    assert await linker().link("xyzzyqwv", EVERYBODY) == ()


async def test_the_order_does_not_depend_on_the_run() -> None:
    assert await linker().link("amount by channel", EVERYBODY) == await linker().link("amount by channel", EVERYBODY)


async def test_meaning_finds_what_no_word_does() -> None:
    embedder = ConceptEmbedder(concepts={"quarrels": 0, "chargebacks": 0, "chargeback": 0})
    by_words = await linker().link("quarrels", ANALYST)
    by_meaning = await linker(embedder).link("quarrels", ANALYST)
    assert "chargebacks" not in [each.name for each in by_words]
    assert "chargebacks" in [each.name for each in by_meaning]


async def test_documents_are_embedded_once_for_a_catalog() -> None:
    embedder = ConceptEmbedder(concepts={"fees": 0})
    linking = linker(embedder)
    await linking.link("fees", ANALYST)
    first = len(embedder.embedded)
    await linking.link("fees", ANALYST)
    assert len(embedder.embedded) == first + 1


@pytest.mark.parametrize("words", ["approval rate"])
async def test_an_embedder_that_is_away_is_done_without(words: str) -> None:
    found = await linker(ConceptEmbedder(concepts={}, away=True)).link(words, ANALYST)
    assert "approval_rate" in [each.name for each in found]


async def test_one_table_of_a_thousand_is_found() -> None:
    linking = Linker(FixedCatalog(wide_catalog()))
    found = await linking.link("invoice facts 471", EVERYBODY)
    assert next(each.name for each in found if each.kind == "table") == "invoice_471"
    assert len(found) == 60


async def test_a_column_finds_its_table_among_a_thousand() -> None:
    linking = Linker(FixedCatalog(wide_catalog()))
    found: tuple[Document, ...] = await linking.link("payroll field 7 of 933", EVERYBODY, most=10)
    assert ("payroll_933", "payroll_field_7_933") in [(each.within, each.name) for each in found]


class SlowEmbedder(ConceptEmbedder):
    def __init__(self) -> None:
        super().__init__(concepts={"quarrels": 0, "chargebacks": 0, "chargeback": 0})
        self.may_go_on = asyncio.Event()

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        await self.may_go_on.wait()
        return await super().documents(texts)


async def test_while_vectors_are_made_words_link_alone_and_then_meaning_joins() -> None:
    embedder = SlowEmbedder()
    linking = Linker(FixedCatalog(load_catalog()), embedder, patience=0)
    assert await linking.link("quarrels", ANALYST) == await linker().link("quarrels", ANALYST)
    embedder.may_go_on.set()
    patient = Linker(FixedCatalog(load_catalog()), embedder, patience=60)
    assert "chargebacks" in [each.name for each in await patient.link("quarrels", ANALYST)][:5]
    await linking.close()


async def test_what_is_still_being_embedded_is_given_up_at_the_end() -> None:
    linking = Linker(FixedCatalog(load_catalog()), SlowEmbedder(), patience=0)
    await linking.link("fees", ANALYST)
    await linking.close()
    assert await linking.link("fees", ANALYST)
