import pytest

from semantic_catalog.dialects import with_dialect
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName


def test_only_the_named_domain_changes_its_dialect_and_the_version_tells() -> None:
    catalog = load_catalog()
    moved = with_dialect(catalog, DomainName("erp_finance"), "postgres")
    assert {domain.name: domain.dialect for domain in moved.domains} == {
        "erp_finance": "postgres",
        "payments": "postgres",
        "scrap_prices": "postgres",
    }
    assert moved.version != catalog.version
    assert moved.domain(DomainName("payments")) == catalog.domain(DomainName("payments"))


def test_the_same_dialect_is_the_same_catalog() -> None:
    catalog = load_catalog()
    assert with_dialect(catalog, DomainName("payments"), "postgres") is catalog


def test_moving_twice_gives_one_version_whatever_process_does_it() -> None:
    first, second = (with_dialect(load_catalog(), DomainName("erp_finance"), "duckdb").version for _ in range(2))
    assert first == second


def test_a_domain_that_does_not_exist_is_told() -> None:
    with pytest.raises(KeyError):
        with_dialect(load_catalog(), DomainName("weather"), "mysql")
