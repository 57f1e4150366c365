import pytest

from bot.demo.scrap_prices import members as generated
from semantic_catalog.load import load_catalog
from semantic_catalog.model import LOCALES, DimensionName, Domain, DomainName, EntityName, MeasureName, MetricName
from semantic_catalog.words import fold_phrase

COLUMNS = {
    "mart.price_facts": "price_id item_name item_group supplier sheet_period region value quantity_t is_blank",
    "mart.metrics": "metric_name sheet_period value unit",
}
SERIES = {
    "usd_rate": "курс USD",
    "lme_copper": "LME медь",
    "lme_aluminium": "LME алюминий",
    "scrap_index": "индекс лома",
    "purchase_volume": "объём закупки",
}


@pytest.fixture(scope="module")
def scrap() -> Domain:
    return load_catalog().domain(DomainName("scrap_prices"))


def test_tables_have_exactly_the_columns_of_the_contract(scrap: Domain) -> None:
    assert {entity.source: " ".join(c.name for c in entity.columns) for entity in scrap.entities} == COLUMNS


@pytest.mark.parametrize(
    ("dimension", "expected"),
    [
        ("item", {item.name for item in generated.ITEMS}),
        ("item_group", {item.group for item in generated.ITEMS}),
        ("supplier", {supplier.name for supplier in generated.SUPPLIERS}),
        ("region", set(generated.REGION_PRICES)),
    ],
)
def test_members_are_those_that_are_sold(scrap: Domain, dimension: str, expected: set[str]) -> None:
    assert {member.value for member in scrap.dimension(DimensionName(dimension)).members} == expected


def test_blank_cells_count_in_nothing_but_their_number(scrap: Domain) -> None:
    measures = {m.name: m for m in scrap.entity(EntityName("price_facts")).measures}
    blank = measures.pop(MeasureName("blank_cells"))
    assert (blank.expression, blank.aggregation, blank.filter) == ("is_blank", "sum", None)
    assert {measure.filter for measure in measures.values()} == {"is_blank = 0"}


def test_an_average_price_is_the_average_of_cells(scrap: Domain) -> None:
    measure = scrap.entity(EntityName("price_facts")).measure(MeasureName("average_price"))
    assert measure is not None
    assert (measure.expression, measure.aggregation) == ("value", "avg")


def test_each_market_series_is_read_by_its_name_and_cannot_be_split(scrap: Domain) -> None:
    measures = {measure.name: measure.filter for measure in scrap.entity(EntityName("metric_series")).measures}
    assert measures == {name: f"metric_name = '{stored}'" for name, stored in SERIES.items()}
    assert all(scrap.metric(MetricName(name)).dimensions == () for name in SERIES)


@pytest.mark.parametrize("spelling", ["сплав 21", "сплав21", "Сплав-21", "СПЛАВ-21"])
def test_a_supplier_is_known_whatever_its_hyphen_and_case(scrap: Domain, spelling: str) -> None:
    supplier = next(m for m in scrap.dimension(DimensionName("supplier")).members if m.value == "Сплав-21")
    names = (supplier.names.label["ru"], *supplier.names.synonyms["ru"])
    assert fold_phrase(spelling) in {fold_phrase(name) for name in names}


def test_copper_alone_is_the_group_and_no_item(scrap: Domain) -> None:
    known = {
        (dimension.name, member.value)
        for dimension in scrap.dimensions
        for member in dimension.members
        for words in member.names.synonyms.values()
        if {"все виды меди", "all copper"} & set(words)
    }
    assert known == {("item_group", "медь")}


def test_m3_alone_names_no_item(scrap: Domain) -> None:
    for member in scrap.dimension(DimensionName("item")).members:
        for words in member.names.synonyms.values():
            assert not {"м3", "m3"} & {fold_phrase(word) for word in words}


def test_every_metric_and_dimension_has_synonyms_and_a_description_in_every_language(scrap: Domain) -> None:
    for names in (*(metric.names for metric in scrap.metrics), *(held.names for held in scrap.dimensions)):
        for locale in LOCALES:
            assert names.synonyms.get(locale)
            assert names.description.get(locale)


def test_each_language_has_examples_enough(scrap: Domain) -> None:
    for locale in LOCALES:
        assert len([example for example in scrap.examples if example.locale == locale]) >= 10
    assert len(scrap.trusted_queries) >= 4
