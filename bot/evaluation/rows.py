"""Whether an answer's rows are a gold query's rows. Names, order and extra columns are free."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice, product
from typing import Any

_RELATIVE = 1e-4
_NEAR_ZERO = 1e-9
_MOST_ARRANGEMENTS = 2_000
_SCALES = (1.0, 100.0, 0.01)
# A code and its description: one of the two is enough.
_PAIRS = {
    "mcc": "mcc_description",
    "response_code": "response_reason",
    "reason_code": "reason",
    "merchant_id": "merchant_name",
    "cebe": "cebe_name",
    "company": "company_name",
    "account": "account_name",
    "cost_center": "cost_center_name",
}

Value = str | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Column names and rows; cells are normalised by `table_of`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def column(self, at: int) -> tuple[Value, ...]:
        """The values of one column."""
        return tuple(row[at] for row in self.rows)


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """The rows with every cell in one form: numbers as floats, days as `2026-10-31`, months and quarters as their first
    day."""
    return Table(columns=tuple(columns), rows=tuple(tuple(map(_cell, row)) for row in rows))


def _cell(value: Any) -> Value:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if not (value.hour or value.minute or value.second) else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return _text(str(value))


def _text(text: str) -> str:
    if re.fullmatch(r"\d{4}-\d{2}", text):
        return f"{text}-01"
    quarter = re.fullmatch(r"(\d{4})-?Q([1-4])", text)
    if quarter:
        return f"{quarter[1]}-{int(quarter[2]) * 3 - 2:02}-01"
    return text[:10] if re.fullmatch(r"\d{4}-\d{2}-\d{2}T00:00:00.*", text) else text


def is_equal(gold: Table, answer: Table, *, keys: Sequence[str] | None, ordered: bool, leading: bool = False) -> bool:
    """Whether the answer holds, row by row, the key columns and every numeric column of gold.

    `leading` lets an ordered answer stop early, after three rows or more. Where `keys` are not known (None) every
    column is required.
    """
    if leading and 3 <= len(answer.rows) < len(gold.rows):
        gold = Table(columns=gold.columns, rows=gold.rows[: len(answer.rows)])
    if len(gold.rows) != len(answer.rows):
        return False
    if not gold.rows:
        return True
    wanted = [_candidates(gold, answer, choice) for choice in _required(gold, keys)]
    if not all(wanted):
        return False
    return any(_agree(each, ordered=ordered) for each in islice(product(*wanted), _MOST_ARRANGEMENTS))


def _required(gold: Table, keys: Sequence[str] | None) -> list[tuple[int, ...]]:
    """The columns that must be there; of a pair either one."""
    required: list[tuple[int, ...]] = []
    for at, name in enumerate(gold.columns):
        if not _is_needed(gold, at, keys):
            continue
        pair = next(((code, text) for code, text in _PAIRS.items() if name in (code, text)), (name,))
        choice = tuple(gold.columns.index(each) for each in pair if each in gold.columns)
        if choice not in required:
            required.append(choice)
    return required


def _is_needed(gold: Table, at: int, keys: Sequence[str] | None) -> bool:
    values = [value for value in gold.column(at) if value is not None]
    numeric = bool(values) and all(isinstance(value, float) for value in values)
    return numeric or (bool(values) if keys is None else gold.columns[at] in keys)


_Shown = tuple[Value, float]


@dataclass(frozen=True, slots=True)
class _Match:
    """A gold column and an answer's column that may hold it, in gold's scale, each value with what it leaves open."""

    gold: tuple[Value, ...]
    answer: tuple[_Shown, ...]


def _candidates(gold: Table, answer: Table, choice: tuple[int, ...]) -> list[_Match]:
    found = []
    for wanted in (gold.column(at) for at in choice):
        for at in range(len(answer.columns)):
            shown = _same_values(wanted, answer.column(at))
            if shown is not None:
                found.append(_Match(wanted, shown))
    return found


def _same_values(wanted: tuple[Value, ...], given: tuple[Value, ...]) -> tuple[_Shown, ...] | None:
    """The given values in gold's scale when they are, in some order, the wanted ones; a ratio may be a percentage."""
    numeric = all(isinstance(value, float) or value is None for value in wanted)
    for scale in _SCALES if numeric else (1.0,):
        shown = tuple(_scaled(value, scale) for value in given)
        if _is_permutation(wanted, shown):
            return shown
    return None


def _scaled(value: Value, scale: float) -> _Shown:
    return (value * scale if isinstance(value, float) else value), _open(value) * scale


def _open(value: Value) -> float:
    """Half of the last decimal that the value shows; none for a whole number."""
    if not isinstance(value, float):
        return 0.0
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return 0.5 * 10.0**exponent if isinstance(exponent, int) and exponent < 0 else 0.0


def _is_permutation(wanted: tuple[Value, ...], given: tuple[_Shown, ...]) -> bool:
    pairs = zip(sorted(wanted, key=_rank), sorted(given, key=lambda shown: _rank(shown[0])), strict=True)
    return all(_is_same(value, shown) for value, shown in pairs)


def _rank(value: Value) -> tuple[int, float, str]:
    if isinstance(value, float):
        return 1, value, ""
    return (0, 0.0, "") if value is None else (2, 0.0, str(value).strip().casefold())


def _is_same(wanted: Value, shown: _Shown) -> bool:
    given, open_by = shown
    if isinstance(wanted, float) and isinstance(given, float):
        return abs(wanted - given) <= max(_RELATIVE * abs(wanted), open_by, 2 * _open(wanted), _NEAR_ZERO)
    if isinstance(wanted, str) and isinstance(given, str):
        return wanted.strip().casefold() == given.strip().casefold()
    return wanted == given and isinstance(wanted, bool) == isinstance(given, bool)


def _agree(matches: Sequence[_Match], *, ordered: bool) -> bool:
    """Whether the columns belong together row by row."""
    gold_rows = list(zip(*(match.gold for match in matches), strict=True))
    given_rows = list(zip(*(match.answer for match in matches), strict=True))
    if ordered:
        return all(_is_same_row(wanted, given) for wanted, given in zip(gold_rows, given_rows, strict=True))
    return _pair_up(gold_rows, given_rows)


def _pair_up(gold_rows: list[tuple[Value, ...]], given_rows: list[tuple[_Shown, ...]]) -> bool:
    """Whether the rows are the same ones; a row is looked for among those with the same texts."""
    waiting: dict[tuple[str, ...], list[tuple[_Shown, ...]]] = {}
    for row in given_rows:
        waiting.setdefault(_texts(value for value, _ in row), []).append(row)
    for wanted in gold_rows:
        near = waiting.get(_texts(wanted), [])
        at = next((at for at, row in enumerate(near) if _is_same_row(wanted, row)), None)
        if at is None:
            return False
        del near[at]
    return True


def _texts(row: Iterable[Value]) -> tuple[str, ...]:
    return tuple(value.strip().casefold() for value in row if isinstance(value, str))


def _is_same_row(wanted: tuple[Value, ...], given: tuple[_Shown, ...]) -> bool:
    return all(_is_same(one, other) for one, other in zip(wanted, given, strict=True))
