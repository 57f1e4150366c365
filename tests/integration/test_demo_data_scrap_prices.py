from decimal import Decimal

import pytest
from psycopg import errors

from bot.demo.scrap_prices import members
from bot.demo.state import DomainData
from tests.engines import Rows, rows_of

COLUMNS = {
    "price_facts": {
        "price_id": "bigint",
        "item_name": "text",
        "item_group": "text",
        "supplier": "text",
        "sheet_period": "character",
        "region": "text",
        "value": "numeric",
        "quantity_t": "numeric",
        "is_blank": "integer",
    },
    "metrics": {"metric_name": "text", "sheet_period": "character", "value": "numeric", "unit": "text"},
}
SELLERS = {
    ("Сплав-21", "Урал"),
    ("Сплав-21", "Центр"),
    ("Втормет Урал", "Урал"),
    ("Втормет Урал", "Сибирь"),
    ("МеталлТрейд", "Центр"),
    ("МеталлТрейд", "Сибирь"),
    ("ЭкоЛом", "Центр"),
    ("ЭкоЛом", "Урал"),
    ("Чермет-Сервис", "Урал"),
    ("Чермет-Сервис", "Сибирь"),
    ("Промресурс", "Сибирь"),
    ("Промресурс", "Центр"),
}
ITEMS = {
    "Лом меди М1": "медь",
    "Лом меди М2": "медь",
    "Лом меди М3 кусковой": "медь",
    "Лом меди М3 стружка": "медь",
    "Лом алюминия А1": "алюминий",
    "Лом алюминия А3": "алюминий",
    "Лом латуни": "латунь",
    "Лом свинца": "свинец",
    "Лом нержавеющей стали 08Х18Н10": "нержавейка",
    "Лом чёрный 3А": "чёрный лом",
    "Лом чёрный 12А": "чёрный лом",
}


def ask(prices: DomainData, query: str) -> Rows:
    return rows_of(prices.reader_url, query)


def test_the_agent_sees_exactly_the_tables_of_the_contract(scrap_prices: DomainData) -> None:
    seen: dict[str, dict[str, str]] = {}
    for schema, table, column, kind in ask(
        scrap_prices,
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY ordinal_position",
    ):
        assert schema == "mart"
        seen.setdefault(table, {})[column] = kind
    assert seen == COLUMNS


def test_every_supplier_sells_every_item_in_its_two_regions_on_every_sheet(scrap_prices: DomainData) -> None:
    assert set(ask(scrap_prices, "SELECT DISTINCT supplier, region FROM mart.price_facts")) == SELLERS
    assert dict(ask(scrap_prices, "SELECT DISTINCT item_name, item_group FROM mart.price_facts")) == ITEMS
    assert ask(
        scrap_prices,
        "SELECT count(*), count(DISTINCT (item_name, supplier, region, sheet_period)), count(DISTINCT sheet_period), "
        "min(sheet_period), max(sheet_period) FROM mart.price_facts",
    ) == [(11 * 12 * 30, 11 * 12 * 30, 30, "2024-05", "2026-10")]


def test_some_cells_are_blank_and_those_have_neither_price_nor_quantity(scrap_prices: DomainData) -> None:
    ((share,),) = ask(scrap_prices, "SELECT avg(is_blank) FROM mart.price_facts")
    assert Decimal("0.07") < share < Decimal("0.09")
    assert ask(
        scrap_prices,
        "SELECT DISTINCT is_blank, value IS NULL, quantity_t IS NULL FROM mart.price_facts ORDER BY is_blank",
    ) == [(0, False, False), (1, True, True)]


def test_every_market_series_has_a_figure_and_its_unit_every_month(scrap_prices: DomainData) -> None:
    series = ask(scrap_prices, "SELECT metric_name, count(*), min(unit), max(unit) FROM mart.metrics GROUP BY 1")
    assert {(name, count, first) for name, count, first, _ in series} == {
        (name, 30, unit) for name, unit in members.UNITS.items()
    }
    assert all(first == last for _, _, first, last in series)


def test_the_purchase_volume_is_the_sum_of_all_quantities(scrap_prices: DomainData) -> None:
    assert ask(
        scrap_prices,
        "SELECT count(*) FROM mart.metrics AS m WHERE metric_name = 'объём закупки' AND value <> "
        "(SELECT round(sum(quantity_t), 2) FROM mart.price_facts AS p WHERE p.sheet_period = m.sheet_period)",
    ) == [(0,)]


def test_dearer_grades_are_dearer_on_every_sheet(scrap_prices: DomainData) -> None:
    rows = ask(
        scrap_prices,
        "SELECT sheet_period, item_name, avg(value) FROM mart.price_facts WHERE item_group = 'медь' GROUP BY 1, 2",
    )
    prices = {(sheet, item): value for sheet, item, value in rows}
    for sheet in {sheet for sheet, _ in prices}:
        grades = [prices[sheet, item] for item, group in ITEMS.items() if group == "медь"]
        assert grades == sorted(grades, reverse=True)


def test_ferrous_scrap_is_dear_in_spring_and_cheap_in_autumn(scrap_prices: DomainData) -> None:
    months: dict[str, Decimal] = dict(
        ask(
            scrap_prices,
            "SELECT sheet_period, avg(value) FROM mart.price_facts WHERE item_name = 'Лом чёрный 3А' GROUP BY 1",
        )
    )
    assert months["2025-04"] > months["2024-11"] * Decimal("1.08")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO mart.metrics VALUES ('x', '2026-10', 1, 'x')",
        "UPDATE mart.price_facts SET value = 0",
        "DELETE FROM mart.metrics",
        "DROP TABLE mart.metrics",
        "CREATE TABLE mart.mine (id int)",
        "CREATE TABLE public.mine (id int)",
        "CREATE TEMPORARY TABLE mine (id int)",
    ],
)
def test_the_agent_can_only_read(scrap_prices: DomainData, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        rows_of(scrap_prices.reader_url, "SET TRANSACTION READ WRITE", statement)


def test_plain_names_mean_the_schema_of_the_domain(scrap_prices: DomainData) -> None:
    assert ask(scrap_prices, "SELECT count(*) FROM price_facts") == [(3_960,)]
