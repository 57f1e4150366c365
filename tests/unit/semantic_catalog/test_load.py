import shutil
from pathlib import Path

import pytest

from agent.codec import decode, encode
from semantic_catalog.load import load_catalog
from semantic_catalog.model import (
    Catalog,
    Domain,
    DomainName,
    EntityDimension,
    EntityName,
    MeasureName,
    RequiredFilter,
    RequiredJoin,
)

VALID = Path(__file__).parents[2] / "cases" / "catalog" / "valid"


@pytest.fixture(scope="module")
def shop() -> Domain:
    return load_catalog(VALID).domain(DomainName("shop"))


def test_sections_may_be_a_file_or_a_folder_of_files(shop: Domain) -> None:
    assert [entity.name for entity in shop.entities] == ["customers", "orders"]
    assert len(shop.metrics) == 6


def test_short_forms_fill_the_first_two_fields(shop: Domain) -> None:
    customers, orders = shop.entities
    assert customers.dimensions == (EntityDimension(dimension=shop.dimensions[1].name, column="customer_name"),)
    assert customers.required_filters == (RequiredFilter(column="version", value=0),)
    assert orders.required_joins == (RequiredJoin(entity=EntityName("customers"), column="customer_id"),)
    assert [(column.name, column.type) for column in orders.columns][:2] == [
        ("order_id", "bigint"),
        ("ordered_on", "date"),
    ]
    assert shop.relationships[0].on == (("customer_id", "customer_id"),)


def test_text_that_yaml_would_take_for_something_else_stays_text(shop: Domain) -> None:
    member = shop.dimensions[0].members[2]
    assert (member.value, member.names.label["en"]) == ("05", "no")


def test_text_written_once_holds_in_every_locale(shop: Domain) -> None:
    web = shop.dimensions[0].members[0].names
    assert web.label == {"en": "Web", "es": "Web", "ru": "Web"}
    assert web.synonyms["ru"] == ("online",)


def test_filter_of_a_measure_is_read(shop: Domain) -> None:
    cost = shop.entity(EntityName("orders")).measure(MeasureName("cost"))
    assert cost is not None
    assert cost.filter == "channel <> 'test'"


def test_version_is_that_of_the_contents_not_of_the_place(tmp_path: Path) -> None:
    shutil.copytree(VALID, tmp_path / "copy")
    assert load_catalog(tmp_path / "copy").version == load_catalog(VALID).version


def test_version_changes_with_any_file(tmp_path: Path) -> None:
    shutil.copytree(VALID, tmp_path / "copy")
    with (tmp_path / "copy" / "shop" / "quality.yaml").open("a", encoding="utf-8") as quality:
        quality.write("# reviewed\n")
    assert load_catalog(tmp_path / "copy").version != load_catalog(VALID).version


def test_catalog_survives_plain_json() -> None:
    catalog = load_catalog()
    assert decode(Catalog, encode(catalog)) == catalog
