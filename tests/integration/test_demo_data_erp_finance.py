from datetime import date
from decimal import Decimal

import asyncmy.errors
import pytest
from psycopg import errors

from bot.demo.erp_finance import members
from bot.demo.erp_finance.load import load_postgres
from bot.demo.parameters import DemoParameters
from bot.demo.state import DomainData
from tests.engines import Rows, rows_of
from tests.services import END_DATE

COLUMNS = {
    "fin_actuals": ["period", "company", "cebe", "cost_center", "account", "amount", "currency"],
    "fin_plan": ["period", "company", "cebe", "account", "version", "amount"],
    "trm_accounts": ["account", "account_name", "account_group", "statement_line", "sign"],
    "cebes": ["cebe", "cebe_name", "business_unit", "region", "manager_role"],
    "companies": ["company", "company_name", "country"],
    "cost_centers": ["cost_center", "cost_center_name", "cebe"],
}
WITHOUT_COST_CENTRE = {"Revenue", "Depreciation", "Interest", "Taxes"}
REPORTED = "FROM fin_actuals AS f JOIN trm_accounts AS t ON t.account = f.account"
PLANNED = "FROM fin_plan AS p JOIN trm_accounts AS t ON t.account = p.account"


@pytest.fixture(scope="module", params=["of_the_demo", "postgres"])
def books(request: pytest.FixtureRequest, erp_finance: DomainData, erp_finance_postgres: DomainData) -> DomainData:
    return erp_finance if request.param == "of_the_demo" else erp_finance_postgres


def ask(books: DomainData, query: str) -> Rows:
    return rows_of(books.reader_url, query)


def test_the_agent_sees_exactly_the_tables_of_the_contract_by_their_plain_names(books: DomainData) -> None:
    seen: dict[str, list[str]] = {}
    for table, column in ask(
        books,
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY table_name, ordinal_position",
    ):
        seen.setdefault(table, []).append(column)
    assert seen == COLUMNS
    for table in COLUMNS:
        assert ask(books, f"SELECT count(*) FROM {table}")[0][0] > 0


def test_the_sizes_are_those_of_the_contract(books: DomainData) -> None:
    ((actuals,),) = ask(books, "SELECT count(*) FROM fin_actuals")
    ((plans,),) = ask(books, "SELECT count(*) FROM fin_plan")
    ((accounts,),) = ask(books, "SELECT count(*) FROM trm_accounts")
    assert 6_500 <= actuals <= 7_500
    assert 13_000 <= plans <= 15_000
    assert 36 <= accounts <= 46


def test_the_books_cover_thirty_months_and_the_plan_runs_on_to_december(books: DomainData) -> None:
    months = "SELECT min(period), max(period), count(DISTINCT period)"
    assert ask(books, f"{months} FROM fin_actuals") == [("2024-05", "2026-10", 30)]
    assert ask(books, f"{months} FROM fin_plan") == [("2024-05", "2026-12", 32)]
    assert ask(books, "SELECT version, count(DISTINCT period) FROM fin_plan GROUP BY version ORDER BY version") == [
        (0, 32),
        (1, 32),
    ]


def test_the_members_are_those_of_the_contract(books: DomainData) -> None:
    assert ask(books, "SELECT company, company_name FROM companies ORDER BY 1") == [
        ("1000", "Andina Foods"),
        ("2000", "Andina Logistics"),
    ]
    assert ask(books, "SELECT cebe, cebe_name, business_unit, region FROM cebes ORDER BY 1") == [
        ("CB100", "Bakery", "Consumer", "Lima"),
        ("CB110", "Dairy", "Consumer", "Arequipa"),
        ("CB120", "Beverages", "Consumer", "Trujillo"),
        ("CB200", "Trucking", "Logistics", "Lima"),
        ("CB210", "Warehousing", "Logistics", "Arequipa"),
        ("CB300", "Headquarters", "Corporate", "Lima"),
    ]
    assert ask(books, "SELECT cost_center, cost_center_name, cebe FROM cost_centers ORDER BY 1") == [
        ("CC1001", "Ovens", "CB100"),
        ("CC1002", "Bakery Packaging", "CB100"),
        ("CC1101", "Pasteurising", "CB110"),
        ("CC1102", "Cold Chain", "CB110"),
        ("CC1201", "Bottling", "CB120"),
        ("CC2001", "Fleet Lima", "CB200"),
        ("CC2002", "Fleet South", "CB200"),
        ("CC2101", "Callao Warehouse", "CB210"),
        ("CC3001", "Finance", "CB300"),
        ("CC3002", "IT", "CB300"),
        ("CC3003", "Human Resources", "CB300"),
    ]
    groups = ask(books, "SELECT DISTINCT account_group, statement_line FROM trm_accounts")
    assert dict(groups) == members.LINES
    assert {name for (name,) in ask(books, "SELECT account_name FROM trm_accounts")} >= {"Combustible y lubricantes"}


def test_every_cost_centre_and_every_company_is_that_of_its_profit_centre(books: DomainData) -> None:
    assert ask(
        books,
        "SELECT count(*) FROM fin_actuals AS f JOIN cost_centers AS c ON c.cost_center = f.cost_center "
        "WHERE c.cebe <> f.cebe",
    ) == [(0,)]
    assert ask(books, "SELECT DISTINCT cebe, company FROM fin_actuals ORDER BY 1") == [
        ("CB100", "1000"),
        ("CB110", "1000"),
        ("CB120", "1000"),
        ("CB200", "2000"),
        ("CB210", "2000"),
        ("CB300", "1000"),
    ]


def test_a_cost_centre_is_missing_where_nobody_in_particular_spends_and_nowhere_else(books: DomainData) -> None:
    found = ask(books, f"SELECT DISTINCT t.statement_line {REPORTED} WHERE f.cost_center IS NULL")
    assert {line for (line,) in found} == WITHOUT_COST_CENTRE
    found = ask(books, f"SELECT DISTINCT t.statement_line {REPORTED} WHERE f.cost_center IS NOT NULL")
    assert {line for (line,) in found} == set(members.LINES.values()) - WITHOUT_COST_CENTRE


def test_the_sign_makes_every_amount_positive_and_headquarters_earns_nothing(books: DomainData) -> None:
    assert ask(books, f"SELECT count(*) {REPORTED} WHERE f.amount * t.sign <= 0") == [(0,)]
    assert ask(books, f"SELECT count(*) {PLANNED} WHERE p.amount * t.sign <= 0") == [(0,)]
    assert ask(books, f"SELECT count(*) {REPORTED} WHERE f.cebe = 'CB300' AND t.statement_line = 'Revenue'") == [(0,)]


def by_cebe(books: DomainData, query: str) -> dict[str, Decimal]:
    return dict(ask(books, f"{query} GROUP BY cebe"))


def test_the_group_earns_money_and_one_of_its_businesses_hardly_does(books: DomainData) -> None:
    side = "CASE WHEN t.statement_line = 'Revenue' THEN f.amount ELSE -f.amount END * t.sign"
    results = by_cebe(books, f"SELECT cebe, SUM({side}) {REPORTED} WHERE f.period >= '2026-01'")
    assert sum(results.values()) > 0
    assert min(results, key=lambda cebe: results[cebe]) == "CB300"
    assert abs(results["CB200"]) < results["CB100"] / 20


def test_the_budget_is_missed_by_some_and_beaten_by_others(books: DomainData) -> None:
    where = "WHERE statement_line = 'Revenue' AND period BETWEEN '2026-01' AND '2026-10'"
    actual = by_cebe(books, f"SELECT cebe, SUM(amount * sign) {REPORTED} {where}")
    budget = by_cebe(books, f"SELECT cebe, SUM(amount * sign) {PLANNED} {where} AND version = 0")
    shares = {cebe: actual[cebe] / budget[cebe] for cebe in budget}
    assert Decimal("0.9") < min(shares.values()) < 1 < max(shares.values()) < Decimal("1.15")


def test_a_draft_hopes_for_more_than_the_approved_budget(books: DomainData) -> None:
    revenue = f"SELECT SUM(p.amount * t.sign) {PLANNED} WHERE t.statement_line = 'Revenue' AND p.version"
    ((approved,),), ((draft,),) = ask(books, f"{revenue} = 0"), ask(books, f"{revenue} = 1")
    assert 1 < draft / approved < Decimal("1.06")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO companies VALUES ('3000', 'Mine', 'Peru')",
        "UPDATE fin_actuals SET amount = 0",
        "DELETE FROM fin_plan",
        "DROP TABLE fin_plan",
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE mine (id int)",
    ],
)
def test_the_agent_can_only_read(books: DomainData, statement: str) -> None:
    before = ("SET TRANSACTION READ WRITE",) if books.dialect == "postgres" else ()
    with pytest.raises((errors.InsufficientPrivilege, asyncmy.errors.OperationalError)) as refused:
        rows_of(books.reader_url, *before, statement)
    assert books.dialect == "postgres" or refused.value.args[0] in {1044, 1142}


def test_the_agent_cannot_see_another_database_or_the_accounts(books: DomainData) -> None:
    query = "SELECT * FROM mysql.user" if books.dialect == "mysql" else "SELECT * FROM pg_authid"
    with pytest.raises((errors.InsufficientPrivilege, asyncmy.errors.OperationalError)):
        ask(books, query)


def test_loading_again_replaces_the_books(empty_database: str, erp_finance: DomainData) -> None:
    for end_date in (END_DATE, date(2026, 9, 30)):
        load_postgres(empty_database, DemoParameters(end_date=end_date))
    assert rows_of(empty_database, "SELECT min(period), max(period) FROM fin_actuals") == [("2024-04", "2026-09")]


def test_both_engines_hold_the_same_rows(erp_finance: DomainData, erp_finance_postgres: DomainData) -> None:
    for table, columns in COLUMNS.items():
        query = f"SELECT {', '.join(columns)} FROM {table}"
        assert sorted(map(repr, ask(erp_finance, query))) == sorted(map(repr, ask(erp_finance_postgres, query)))
