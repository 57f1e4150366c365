import pytest

from semantic_catalog.words import fold_phrase


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Tasa de  Aprobación", "tasa de aprobacion"),
        ("e-commerce", "e commerce"),
        ("Объём платежей", "объем платежей"),
        ("Край", "край"),
        ("10.4 Fraud – Card Absent", "10.4 fraud card absent"),
        ("v_daily_payment_metrics", "v daily payment metrics"),
        ("¿Cuánto?", "cuanto"),
        ("Margen bruto %", "margen bruto %"),
        ("", ""),
    ],
)
def test_spellings_of_one_phrase_become_equal(text: str, folded: str) -> None:
    assert fold_phrase(text) == folded
