"""Small books, three times: with every row, with only what the finance manager may see, with the rest changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Literal

Cell = str | int | Decimal | None
Row = tuple[Cell, ...]
Variant = Literal["whole", "visible", "changed"]
VARIANTS: tuple[Variant, ...] = ("whole", "visible", "changed")
LABOUR = "COSTOS MANO DE OBRA"
SEEN_CENTRES = frozenset({"CB100", "CB110"})

TABLES = {
    "companies": "company varchar(4), company_name varchar(60), country varchar(40)",
    "cebes": "cebe varchar(10), cebe_name varchar(60), business_unit varchar(40), region varchar(40), "
    "manager_role varchar(40)",
    "cost_centers": "cost_center varchar(10), cost_center_name varchar(60), cebe varchar(10)",
    "trm_accounts": "account varchar(10), account_name varchar(80), account_group varchar(40), "
    "statement_line varchar(40), sign int",
    "fin_actuals": "period char(7), company varchar(4), cebe varchar(10), cost_center varchar(10), "
    "account varchar(10), amount decimal(18,2), currency varchar(3)",
    "fin_plan": "period char(7), company varchar(4), cebe varchar(10), account varchar(10), version int, "
    "amount decimal(18,2)",
}
_CENTRES = (
    ("CB100", "Bakery", "Consumer", "Lima", "a"),
    ("CB110", "Dairy", "Consumer", "Arequipa", "b"),
    ("CB120", "Beverages", "Consumer", "Trujillo", "c"),
    ("CB200", "Trucking", "Logistics", "Lima", "d"),
)
_ACCOUNTS = (
    ("701", "Ventas", "INGRESOS", "Revenue", -1),
    ("691", "Costo de ventas", "COSTO DE VENTAS", "Cost of Sales", 1),
    ("621", "Sueldos", LABOUR, "Labour Costs", 1),
    ("627", "Seguros de vida", LABOUR, "Labour Costs", 1),
    ("637", "Publicidad", "GASTOS DE VENTA", "Operating Expenses", 1),
)
_PERIODS = ("2026-08", "2026-09", "2026-10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table's rows as a variant has them."""

    name: str
    columns: str
    rows: tuple[Row, ...]


def tables(variant: Variant) -> tuple[Table, ...]:
    """All tables of a variant. Sums differ between the variants, so that a missing rule shows."""
    return tuple(Table(name=name, columns=text, rows=tuple(_rows(name, variant))) for name, text in TABLES.items())


def _rows(table: str, variant: Variant) -> Iterator[Row]:
    for number, row in enumerate(_EVERY[table]()):
        if _is_seen(table, row) or variant == "whole":
            yield row
        elif variant == "changed":
            # An account that is not there is nobody's labour account: those stay, others go or come twice.
            yield from (_changed(table, row),) * (1 if table == "trm_accounts" else number % 3)


def _is_seen(table: str, row: Row) -> bool:
    centre = {"cebes": 0, "cost_centers": 2, "fin_actuals": 2, "fin_plan": 2}.get(table)
    group = {account[0]: account[2] for account in _ACCOUNTS}
    account = {"trm_accounts": 0, "fin_actuals": 4, "fin_plan": 3}.get(table)
    hidden_centre = centre is not None and row[centre] not in SEEN_CENTRES
    hidden_account = account is not None and group[str(row[account])] == LABOUR
    return not hidden_centre and not hidden_account


def _changed(table: str, row: Row) -> Row:
    """The same forbidden row with other figures and texts: what makes it forbidden stays."""
    if table in ("fin_actuals", "fin_plan"):
        return ("2026-09", "1000", *row[2:-2], *_other_amount(table, row))
    if table == "trm_accounts":
        return (row[0], "otro", row[2], "Revenue", -1)
    return (row[0], "otro", *row[2:-1], row[-1] if table == "cost_centers" else "z")


def _other_amount(table: str, row: Row) -> tuple[Cell, Cell]:
    return (Decimal("777.77"), row[-1]) if table == "fin_actuals" else (0, Decimal("777.77"))


def _companies() -> Iterator[Row]:
    yield "1000", "Andina Foods", "Peru"
    yield "2000", "Andina Logistics", "Peru"


def _cost_centres() -> Iterator[Row]:
    for centre in _CENTRES:
        yield f"{centre[0]}-1", f"First of {centre[1]}", centre[0]


def _actuals() -> Iterator[Row]:
    for number, (period, centre, account) in enumerate(product(_PERIODS, _CENTRES, _ACCOUNTS)):
        company = "2000" if centre[0] == "CB200" else "1000"
        place = None if account[0] == "701" else f"{centre[0]}-1"
        yield period, company, centre[0], place, account[0], _amount(number), "PEN"


def _plan() -> Iterator[Row]:
    cells = product(_PERIODS, _CENTRES, _ACCOUNTS, (0, 1))
    for number, (period, centre, account, version) in enumerate(cells):
        company = "2000" if centre[0] == "CB200" else "1000"
        if number % 4:
            yield period, company, centre[0], account[0], version, _amount(number)


def _amount(number: int) -> Decimal:
    # Some rows hold five: expressions of the generator fail on them.
    return Decimal(5) if number % 7 == 2 else Decimal(number * 13 % 101) + Decimal("0.25")


_EVERY = {
    "companies": _companies,
    "cebes": lambda: iter(_CENTRES),
    "cost_centers": _cost_centres,
    "trm_accounts": lambda: iter(_ACCOUNTS),
    "fin_actuals": _actuals,
    "fin_plan": _plan,
}
