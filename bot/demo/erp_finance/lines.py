"""What is posted every month: which profit centre, cost centre and account, and how much in an ordinary month."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.demo.erp_finance.members import ACCOUNTS, COST_CENTRES, PROFIT_CENTRES, Account, CostCentre, ProfitCentre
from bot.demo.erp_finance.shares import HEADQUARTERS_HOMES, SHARES

_SHARED_GROUPS = {"COSTO DE VENTAS", "COSTOS MANO DE OBRA"}
_EXPENSE_GROUPS = {"GASTOS DE VENTA", "GASTOS ADMINISTRATIVOS"}
_WITH_SALES = {"INGRESOS", "COSTO DE VENTAS", "GASTOS DE VENTA"}
_WORKSHOP_ONLY = {"621200", "621300"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One posting of every month. `amount` is céntimos at the start; it moves with sales, or only with inflation."""

    centre: ProfitCentre
    cost_centre: str | None
    account: Account
    amount: int

    @property
    def moves_with_sales(self) -> bool:
        """Whether more sales cost more."""
        return self.account.group in _WITH_SALES


def actual_lines() -> tuple[Line, ...]:
    """Every posting of the books, by profit centre, account and cost centre."""
    return tuple(
        Line(centre=line.centre, cost_centre=home, account=line.account, amount=line.amount * share // 1_000)
        for line in plan_lines()
        for home, share in _homes(line)
    )


def plan_lines() -> tuple[Line, ...]:
    """Every posting of the plan, which knows no cost centres."""
    return tuple(_centre_lines())


def _centre_lines() -> Iterator[Line]:
    accounts = {account.code: account for account in ACCOUNTS}
    for centre in PROFIT_CENTRES:
        for share, weights in SHARES[centre.code].values():
            for code, weight in weights.items():
                amount = centre.size * share * weight // 1_000_000
                yield Line(centre=centre, cost_centre=None, account=accounts[code], amount=amount)


def _homes(line: Line) -> tuple[tuple[str | None, int], ...]:
    """Which cost centres share the posting, per mille; nobody in particular earns, depreciates or pays taxes."""
    centres = tuple(known for known in COST_CENTRES if known.cebe == line.centre.code)
    if line.account.group in _SHARED_GROUPS:
        workshops = [known for known in centres if known.has_workers or line.account.code not in _WORKSHOP_ONLY]
        return tuple((known.code, known.share) for known in workshops)
    if line.account.group in _EXPENSE_GROUPS:
        return ((_payer(line.account, centres), 1_000),)
    return ((None, 1_000),)


def _payer(account: Account, centres: tuple[CostCentre, ...]) -> str:
    """One cost centre pays an expense; in the plants they take turns by account."""
    if centres[0].cebe == "CB300":
        return HEADQUARTERS_HOMES.get(account.code, centres[0].code)
    return centres[int(account.code[2:4]) % len(centres)].code
