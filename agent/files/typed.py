"""Text of a column as typed values."""

from typing import Literal

import pandas as pd

from agent.files.written import known_of, plain_number
from agent.values.file import FileColumn

# Beyond this a whole number does not fit 64 bits.
_TOO_LARGE = 9e18


def typed_column(values: "pd.Series[str]", column: FileColumn) -> "pd.Series":
    """The values as the column's type has them, missing where nothing is written.

    Every value fits a type that was found; of a type that a person told, those that do not are missing.
    """
    known = known_of(values)
    match column.type:
        case "text":
            return known.reindex(values.index)
        case "date" | "timestamp":
            return _days(known, column).reindex(values.index)
        case "integer" | "decimal":
            return _numbers(known, column).reindex(values.index)


def _days(known: "pd.Series[str]", column: FileColumn) -> "pd.Series[pd.Timestamp]":
    errors: Literal["raise", "coerce"] = "coerce" if column.is_told else "raise"
    is_iso = known.str.match(r"\d{4}-")
    iso = pd.to_datetime(known[is_iso].str.replace("T", " "), format="mixed", errors=errors)
    written = known[~is_iso].str.replace(r"[./]", "-", regex=True)
    if column.is_told:
        # A bare number is no day, though it could be read as one.
        written = written[written.str.contains(r"\D", regex=True)]
    other = pd.to_datetime(written, format="mixed", dayfirst=column.day_first, errors=errors)
    return pd.concat([iso, other]).sort_index()


def _numbers(known: "pd.Series[str]", column: FileColumn) -> "pd.Series[int] | pd.Series[float]":
    plain = plain_number(known)
    thousands, decimal = (".", ",") if column.decimal_comma else (",", ".")
    plain = plain.str.replace(thousands, "", regex=False).str.replace(decimal, ".", regex=False)
    if column.is_told:
        numbers = pd.to_numeric(plain, errors="coerce")
        numbers = numbers.where(numbers.abs() < _TOO_LARGE)
        if column.type == "integer":
            # A fraction is no whole number: it counts as missing.
            return numbers.where(numbers == numbers.round()).astype("Int64")
        numbers = numbers.astype("float64")
    elif column.type == "integer":
        return plain.astype("int64")
    else:
        numbers = plain.astype("float64")
    return numbers / 100 if column.percent else numbers
