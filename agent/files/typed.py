"""Text of a column as typed values."""

import pandas as pd

from agent.files.written import known_of, plain_number
from agent.values.file import FileColumn


def typed_column(values: "pd.Series[str]", column: FileColumn) -> "pd.Series":
    """The values as the column's type has them, missing where nothing is written. Every value fits the type."""
    known = known_of(values)
    match column.type:
        case "text":
            return known.reindex(values.index)
        case "date" | "timestamp":
            return _days(known, column).reindex(values.index)
        case "integer" | "decimal":
            return _numbers(known, column).reindex(values.index)


def _days(known: "pd.Series[str]", column: FileColumn) -> "pd.Series[pd.Timestamp]":
    is_iso = known.str.match(r"\d{4}-")
    iso = pd.to_datetime(known[is_iso].str.replace("T", " "), format="mixed")
    other = pd.to_datetime(
        known[~is_iso].str.replace(r"[./]", "-", regex=True), format="mixed", dayfirst=column.day_first
    )
    return pd.concat([iso, other]).sort_index()


def _numbers(known: "pd.Series[str]", column: FileColumn) -> "pd.Series[int] | pd.Series[float]":
    plain = plain_number(known)
    thousands, decimal = (".", ",") if column.decimal_comma else (",", ".")
    plain = plain.str.replace(thousands, "", regex=False).str.replace(decimal, ".", regex=False)
    if column.type == "integer":
        return plain.astype("int64")
    numbers = plain.astype("float64")
    return numbers / 100 if column.percent else numbers
