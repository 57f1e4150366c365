"""The generated books and plans as rows, each table in the order of its columns. No engine is assumed."""

from collections.abc import Iterator

from bot.demo.draws import Draws
from bot.demo.erp_finance import members
from bot.demo.erp_finance.events import happened
from bot.demo.erp_finance.lines import Line, actual_lines, plan_lines
from bot.demo.parameters import MONTHS, DemoParameters, month_text
from bot.demo.tables import Row, scaled

_NOISE_STREAM, _GAPS_STREAM, _BUDGET_STREAM, _DRAFT_STREAM = 30, 31, 32, 33
_INFLATION_PER_MILLE = 3
_EXPENSES = {"GASTOS DE VENTA", "GASTOS ADMINISTRATIVOS"}
# Per mille of the amount, up and down.
_NOISE = {"DEPRECIACION": 2, "GASTOS FINANCIEROS": 8, "IMPUESTOS": 20, "COSTOS MANO DE OBRA": 12, "INGRESOS": 25}
_USUAL_NOISE = 40
_GAPS_PER_MILLE = 90
_SMALL_EXPENSE = 2_500_000
# A budget is written in tens of soles.
_BUDGET_STEP = 1_000
_YEARS = 5


def tables(parameters: DemoParameters) -> Iterator[tuple[str, Iterator[Row]]]:
    """Every table with its rows, those that others refer to first."""
    yield "companies", iter(members.COMPANIES)
    yield (
        "cebes",
        ((known.code, known.name, known.unit, known.region, known.manager) for known in members.PROFIT_CENTRES),
    )
    yield "cost_centers", ((known.code, known.name, known.cebe) for known in members.COST_CENTRES)
    yield "trm_accounts", ((known.code, known.name, known.group, known.line, known.sign) for known in members.ACCOUNTS)
    yield "fin_actuals", _by_month(actual_rows(parameters))
    yield "fin_plan", _by_month(plan_rows(parameters))


def actual_rows(parameters: DemoParameters) -> Iterator[Row]:
    """`fin_actuals` by line. A small expense may have no posting in some month; the last month ends with the data."""
    for number, line in enumerate(actual_lines()):
        for at, amount in enumerate(_actual_amounts(line, number, parameters)):
            if amount is not None:
                yield (
                    month_text(parameters.first_date, at),
                    line.centre.company,
                    line.centre.code,
                    line.cost_centre,
                    line.account.code,
                    scaled(amount * line.account.sign, 2),
                    members.CURRENCY,
                )


def plan_rows(parameters: DemoParameters) -> Iterator[Row]:
    """`fin_plan` by line: the approved budget and a draft of it, to December of the last year with data."""
    months = (parameters.end_date.year - parameters.first_date.year) * 12 + 13 - parameters.first_date.month
    for number, line in enumerate(plan_lines()):
        for at, versions in enumerate(_planned_amounts(line, number, months, parameters)):
            for version, amount in enumerate(versions):
                yield (
                    month_text(parameters.first_date, at),
                    line.centre.company,
                    line.centre.code,
                    line.account.code,
                    version,
                    scaled(amount // _BUDGET_STEP * _BUDGET_STEP * line.account.sign, 2),
                )


def _actual_amounts(line: Line, number: int, parameters: DemoParameters) -> Iterator[int | None]:
    """Céntimos month by month; None where nothing was posted."""
    noise = _NOISE.get(line.account.group, _USUAL_NOISE)
    noises = Draws(parameters.seed, _NOISE_STREAM, number).below(2 * noise + 1, MONTHS).tolist()
    gaps = Draws(parameters.seed, _GAPS_STREAM, number).below(1_000, MONTHS).tolist()
    is_small = line.account.group in _EXPENSES and line.amount < _SMALL_EXPENSE
    for at in range(MONTHS):
        usual = _usual(line, at, parameters) * happened(line, at) // 1_000
        amount = parameters.passed(usual * (1_000 - noise + noises[at]) // 1_000, at)
        yield None if is_small and gaps[at] < _GAPS_PER_MILLE else amount


def _planned_amounts(line: Line, number: int, months: int, parameters: DemoParameters) -> Iterator[tuple[int, int]]:
    """Céntimos month by month, approved and as a draft, which hopes for more sales and has not yet cut the costs."""
    views = Draws(parameters.seed, _BUDGET_STREAM, number).below(121, _YEARS).tolist()
    drafts = Draws(parameters.seed, _DRAFT_STREAM, number).below(51, _YEARS).tolist()
    for at in range(months):
        year = (parameters.first_date.month - 1 + at) // 12
        approved = _usual(line, at, parameters) * (945 + views[year]) // 1_000
        yield approved, approved * (1_000 + drafts[year]) // 1_000


def _usual(line: Line, at: int, parameters: DemoParameters) -> int:
    """Céntimos of an ordinary month `at` months after the first."""
    if not line.moves_with_sales:
        return line.amount * (1_000 + _INFLATION_PER_MILLE * at) // 1_000
    season = line.centre.season[(parameters.first_date.month - 1 + at) % 12]
    return line.amount * (1_000 + line.centre.growth * at) // 1_000 * season // 1_000


def _by_month(rows: Iterator[Row]) -> Iterator[Row]:
    return iter(sorted(rows, key=lambda row: str(row[0])))
