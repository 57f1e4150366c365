"""The rows as a table for people and as JSON for whoever compares runs."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rich.table import Table

from tests.bench.figures import short
from tests.bench.measuring import Row, percentile

GIGABYTE = 1024**3
_PERCENTS = (50, 95, 99)
_LIBRARIES = ("langgraph", "psycopg", "procrastinate", "sqlglot", "matplotlib", "aiohttp")


def table_of(rows: Sequence[Row]) -> Table:
    """One line a row, in the row's unit."""
    table = Table(title="Countersign: each subject beside its floor", show_lines=True)
    table.add_column("row", overflow="fold", ratio=3)
    table.add_column("n", justify="right")
    table.add_column("unit")
    for name in ("p50", "p95", "p99", "floor p50", "floor p95", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("subject, and its floor", overflow="fold", ratio=5)
    for row in rows:
        table.add_row(row.name, str(len(row.times)), row.unit, *_figures(row), _described(row))
    return table


def report_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Everything the table shows, and what it was measured on. Values are in each row's `unit`."""
    return {
        "machine": {
            "cores": os.cpu_count(),
            "gigabytes": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE),
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
        },
        "libraries": {name: version(name) for name in _LIBRARIES},
        "rows": [_row(row) for row in rows],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "subject": row.subject_is,
        "repetitions": len(row.times),
        "unit": row.unit,
        "measured": _percentiles(row.times),
        "floor": row.floor_is or None,
        "floor_measured": _percentiles(row.floor_times) if row.floor_times else None,
        "ratio": round(row.ratio, 2) if row.ratio is not None else None,
    }


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {f"p{percent}": round(percentile(times, percent), 3) for percent in _PERCENTS}


def _figures(row: Row) -> list[str]:
    own = [short(percentile(row.times, percent)) for percent in _PERCENTS]
    if row.ratio is None:
        return [*own, "", "", ""]
    floor = [short(percentile(row.floor_times, percent)) for percent in _PERCENTS[:2]]
    return [*own, *floor, f"{row.ratio:.2f} ×"]


def _described(row: Row) -> str:
    return f"{row.subject_is}\nfloor: {row.floor_is}" if row.floor_is else row.subject_is
