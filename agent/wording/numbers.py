"""Numbers as the reader's locale writes them, with their unit and scale. Halves round away from zero.

A minus is U+2212 and stands before the unit; number and unit are held together by no-break spaces.
"""

from datetime import date, datetime
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from babel.numbers import format_decimal

from agent.values.result import Cell, ResultColumn
from agent.wording.dates import bucket, moment
from agent.wording.texts import has, say
from semantic_catalog.model import Locale

Number = Decimal | int | float
EMPTY = "—"
MINUS = "−"


# Below this a figure is short enough to be written out.
_SCALED_FROM = 10_000
_SCALES = (("thousand", Decimal(10**3)), ("million", Decimal(10**6)), ("billion", Decimal(10**9)))


def percent(fraction: Number, locale: Locale, decimals: int = 1, signed: bool = False) -> str:
    """A fraction as a percentage: 0.8692 → '86.9 %'. `signed` writes a plus before an increase."""
    return _with_sign(_exact(fraction) * 100, decimals, locale, "numbers.percent", signed)


def points(diff_fraction: Number, locale: Locale, signed: bool = True) -> str:
    """A difference of two fractions in percentage points: −0.041 → '−4.1 points'."""
    return _with_sign(_exact(diff_fraction) * 100, 1, locale, "numbers.points", signed)


def amount(value: Number, unit: str | None, locale: Locale, compact: bool = False, signed: bool = False) -> str:
    """A quantity of `unit` ('PEN', 'USD', 'RUB', 'RUB/t', 't'): 'S/ 12,435,231.50', or compact 'S/ 12.4 M'."""
    exact = _exact(value)
    number = _scaled(abs(exact), locale, decimals=2, compact=compact)
    return _sign(exact, 2, signed) + _in_unit(number, unit, locale)


def count(value: Number, locale: Locale, compact: bool = False, signed: bool = False) -> str:
    """A number of things, whole and grouped: '1,240'; compact '12.4 K'."""
    exact = _exact(value)
    return _sign(exact, 0, signed) + _scaled(abs(exact), locale, decimals=0, compact=compact)


def decimal(value: Number, locale: Locale, decimals: int = 2, signed: bool = False) -> str:
    """A plain number with exactly `decimals` places: '1,234.50'."""
    exact = _exact(value)
    return _sign(exact, decimals, signed) + _grouped(abs(exact), decimals, locale)


def write_cell(cell: Cell, column: ResultColumn, locale: Locale, compact: bool = False) -> str:
    """Any cell as its column is written; '—' where there is no value."""
    match cell:
        case None:
            return EMPTY
        case bool():
            return say(locale, "numbers.is_true" if cell else "numbers.is_false")
        case datetime() if column.grain is None:
            return moment(cell, locale)
        case date():
            return bucket(cell, column.grain or "day", locale)
        case str():
            return cell
        case _:
            return _write_number(_exact(cell), column, locale, compact)


def _write_number(value: Decimal, column: ResultColumn, locale: Locale, compact: bool) -> str:
    signed = column.role == "change"
    if not value.is_finite():
        return EMPTY
    if column.points:
        return points(value, locale, signed)
    match column.format:
        case "percent":
            return percent(value, locale, signed=signed)
        case "amount":
            return amount(value, column.unit, locale, compact, signed)
        case "count":
            return count(value, locale, compact, signed)
        case "decimal":
            return _sign(value, 2, signed) + _in_unit(_grouped(abs(value), 2, locale), column.unit, locale)
        case None:
            whole = column.type == "integer" or value == value.to_integral_value()
            return count(value, locale, signed=signed) if whole else decimal(value, locale, signed=signed)


def _exact(value: Number) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP, context=_room(value, decimals))


def _room(value: Decimal, decimals: int) -> Context:
    """The usual 28 digits are not enough for what engines may return."""
    return Context(prec=max(28, value.adjusted() + decimals + 2))


def _sign(value: Decimal, decimals: int, signed: bool) -> str:
    shown = _rounded(value, decimals)
    if shown < 0:
        return MINUS
    return "+" if signed and shown > 0 else ""


def _with_sign(value: Decimal, decimals: int, locale: Locale, key: str, signed: bool) -> str:
    return _sign(value, decimals, signed) + say(locale, key, number=_grouped(abs(value), decimals, locale))


def _grouped(value: Decimal, decimals: int, locale: Locale) -> str:
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    with localcontext(_room(value, decimals)):
        return format_decimal(_rounded(value, decimals), format=pattern, locale=locale)


def _scaled(value: Decimal, locale: Locale, decimals: int, compact: bool) -> str:
    if not compact or _rounded(value, decimals) < _SCALED_FROM:
        return _grouped(value, decimals, locale)
    # The figure is rounded first, so that 999 960 is '1.0 M' and never '1,000.0 K'.
    shown = [(name, _rounded(value / divisor, 1)) for name, divisor in _SCALES]
    name, figure = next((item for item in shown if item[1] < 1000), shown[-1])
    return say(locale, f"numbers.{name}", number=_grouped(figure, 1, locale))


def _in_unit(number: str, unit: str | None, locale: Locale) -> str:
    if unit is None:
        return number
    key = "numbers.unit_" + unit.lower().replace("/", "_per_")
    if has(key):
        return say(locale, key, number=number)
    return say(locale, "numbers.unit_other", number=number, unit=unit)
