from datetime import date
from pathlib import Path

import pytest

from adapters.warehouses.duckdb.filling import write_tables
from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse
from agent.files.domain import domain_of, grouping
from agent.files.read import read_file
from agent.sql.compile.compile import compile_spec, render
from agent.understanding.interpreter import CatalogInterpreter
from agent.values.file import FileColumn, FileRefused, FileTable
from agent.values.identity import Principal, PrincipalId, RoleName, ThreadKey
from agent.values.memory import Question, ThreadMemory
from semantic_catalog.model import Catalog, CatalogVersion, Domain, DomainName, Locale
from tests.fakes.catalog import FixedCatalog, NamedMembers

CSV = (
    "Order;Day;Region;Amount;Units;Discount\n"
    "1001;05/10/2026;Lima;1.200,50;3;5 %\n1002;17/10/2026;Cusco;800,00;2;10 %\n"
    "1003;20/10/2026;Lima;99,50;1;0 %\n"
)
FILE = DomainName("file")
COUNTED: dict[Locale, str] = {"en": "Number of rows", "es": "Número de filas", "ru": "Число строк"}
ASKER = Principal(id=PrincipalId("ana"), roles=(RoleName("analyst"),), domains=(FILE,))


@pytest.fixture
def loaded(tmp_path: Path) -> tuple[Domain, DuckDbWarehouse]:
    path = tmp_path / "orders.csv"
    path.write_text(CSV, encoding="utf-8")
    sheets = read_file(path, path.name)
    assert not isinstance(sheets, FileRefused)
    write_tables(tmp_path / "orders.duckdb", sheets)
    domain = domain_of(FILE, "orders.csv", tuple(s.table for s in sheets), COUNTED, "America/Lima", "en")
    return domain, DuckDbWarehouse(tmp_path / "orders.duckdb")


def test_numbers_are_measures_texts_are_dimensions_and_days_date_the_rows(
    loaded: tuple[Domain, DuckDbWarehouse],
) -> None:
    domain, _ = loaded
    (entity,) = domain.entities
    assert [metric.name for metric in domain.metrics] == ["count_of_rows", "amount", "units", "discount"]
    assert [dimension.name for dimension in domain.dimensions] == ["c_order", "region"]
    assert [measure.aggregation for measure in entity.measures] == ["count", "sum", "sum", "avg"]
    assert entity.time is not None
    assert (entity.source, entity.time.column, entity.time.kind) == ("main.orders", "day", "date")


async def test_a_question_in_words_runs_on_the_file(loaded: tuple[Domain, DuckDbWarehouse]) -> None:
    domain, warehouse = loaded
    catalog = Catalog(version=CatalogVersion("1"), domains=(domain,))
    interpreter = CatalogInterpreter(FixedCatalog(catalog), NamedMembers({"region": ("Lima", "Cusco")}))
    question = Question(
        text="amount by region in October 2026",
        locale="en",
        today=date(2026, 11, 1),
        memory=ThreadMemory(thread=ThreadKey("console:t")),
    )
    meaning = await interpreter.interpret(question, ASKER)
    assert meaning.spec is not None, meaning
    compiled = compile_spec(meaning.spec, domain, "en", date(2026, 11, 1))
    assert "orders" in render(compiled.tree, "duckdb")
    assert await warehouse.members("main.orders", "region", 10) == ("Cusco", "Lima")
    await warehouse.close()


def test_tables_of_one_workbook_keep_their_names_apart() -> None:
    columns = (
        FileColumn(name="region", label="Region", type="text", members=2, filled=9),
        FileColumn(name="amount", label="Amount", type="decimal", members=9, filled=9),
    )
    tables = tuple(FileTable(name=name, label=name, columns=columns, row_count=9) for name in ("north", "south"))
    both = domain_of(FILE, "book.xlsx", tables, COUNTED, "UTC", "en")
    assert [metric.name for metric in both.metrics] == [
        "north_count_of_rows",
        "north_amount",
        "south_count_of_rows",
        "south_amount",
    ]
    assert [dimension.name for dimension in both.dimensions] == ["north_region", "south_region"]


@pytest.mark.parametrize(
    ("column", "groups"),
    [
        (FileColumn(name="note", label="Note", type="text", members=900, filled=900), False),
        (FileColumn(name="city", label="City", type="text", members=15, filled=900), True),
        (FileColumn(name="empty", label="Empty", type="text", members=0, filled=0), False),
        (FileColumn(name="year", label="Year", type="integer", members=3, filled=900), True),
        (FileColumn(name="amount", label="Amount", type="integer", members=3, filled=900), False),
    ],
)
def test_rows_are_grouped_by_what_repeats(column: FileColumn, groups: bool) -> None:
    table = FileTable(name="t", label="t", columns=(column,), row_count=900)
    assert bool(grouping(table)) == groups
