"""Rows: a result of 500 rows and one of a million, from the question to the delivered answer with its workbook."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import psycopg
from psycopg import sql

from tests.bench.measuring import Row
from tests.bench.stage import TODAY, Stage
from tests.services import own_database, shared_services

MERCHANTS, DAYS = 1_000, 1_000
FEW_MERCHANTS, FEW_DAYS = 5, 100
QUESTION = (
    "processed amount, transactions, approval rate, average ticket, fees and declined transactions"
    " by merchant by day from {first} to {last}"
)
POLICY = """
version: 1
name: bench
roles:
  analyst:
    domains: [payments]
    may_approve: any
    limits:
      max_result_rows: 1000000
      max_plan_rows: 100000000
      max_plan_cost: 100000000
      max_relation_bytes: 10000000000
      max_result_bytes: 1000000000
      sql_timeout_seconds: 300
    budgets: {queries_per_day: 0, rows_per_day: 0}
people:
  - {id: ana, name: Ana, roles: [analyst], console: ana}
approval: {expires_after_hours: 24}
audience: {answers: open, external: allow}
"""
_TABLE = """
    CREATE SCHEMA semantic;
    CREATE TABLE semantic.v_merchant_performance AS
    SELECT DATE {last} - day AS payment_date, merchant AS merchant_id, 'Comercio ' || merchant AS merchant_name,
           '5411' AS mcc, 'Supermercados' AS mcc_description, 'retail' AS segment, 'Lima' AS region,
           (100 + (day * 31 + merchant * 17) % 900)::bigint AS transactions_count,
           (90 + (day * 31 + merchant * 17) % 800)::bigint AS approved_count,
           (10 + (day + merchant) % 100)::bigint AS declined_count,
           ((1000 + (day * 7919 + merchant * 104729) % 90000) / 7.0 + 500)::numeric(14, 2) AS attempted_amount,
           ((1000 + (day * 7919 + merchant * 104729) % 90000) / 7.0)::numeric(14, 2) AS processed_amount,
           ((1000 + (day * 7919 + merchant * 104729) % 90000) / 333.0)::numeric(14, 4) AS fee_amount
    FROM generate_series(0, {days} - 1) AS days (day), generate_series(1, {merchants}) AS merchants (merchant);
    ANALYZE semantic.v_merchant_performance;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What one answer took, in a process of its own. Times in seconds and milliseconds, memory in MB."""

    rows: int
    columns: int
    seconds: float
    peak_mb: float
    workbook: Path
    has_chart: bool
    loop_ms: float
    latest_loop_ms: float


async def export_rows(on: Stage, share: float = 1.0) -> list[Row]:
    """Time and peak memory of the long result beside those of the short one; a share of a million rows."""
    few = await asyncio.to_thread(exported, on, FEW_MERCHANTS, FEW_DAYS)
    many = await asyncio.to_thread(exported, on, MERCHANTS, max(round(DAYS * share), 21))
    said = f"{many.rows:,} rows of {many.columns} columns, question to delivered answer, chart and workbook"
    lag = f"event loop late by {many.loop_ms:.0f} ms (p99), {many.latest_loop_ms:.0f} ms at most"
    floor = f"the same question with {few.rows} rows"
    return [
        Row(
            name="a long result",
            subject_is=f"{said}; {lag}",
            times=(many.seconds * 1_000,),
            floor_is=floor,
            floor_times=(few.seconds * 1_000,),
        ),
        Row(
            name="a long result, memory",
            subject_is=f"{said}; peak of the whole process",
            times=(many.peak_mb,),
            floor_is=floor,
            floor_times=(few.peak_mb,),
            unit="MB",
        ),
    ]


def exported(on: Stage, merchants: int, days: int) -> Exported:
    """Ask about so many merchants and days in a process of its own. Blocking."""
    folder = on.out / "export"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
    last = TODAY - timedelta(days=1)
    question = QUESTION.format(first=last - timedelta(days=days - 1), last=last)
    with _warehouse(merchants, days) as payments:
        told = {
            "control": on.control,
            "cache": on.cache,
            "payments": payments,
            "out": str(folder),
            "policy": str(folder / "policy.yaml"),
            "question": question,
        }
        program = [sys.executable, "-m", "tests.bench.one_answer", json.dumps(told)]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return Exported(
        rows=found["rows"],
        columns=found["columns"],
        seconds=found["seconds"],
        peak_mb=found["peak_kb"] / 1_024,
        workbook=Path(found["workbook"]),
        has_chart=bool(found["chart"]),
        loop_ms=found["loop_ms"],
        latest_loop_ms=found["latest_loop_ms"],
    )


@contextmanager
def _warehouse(merchants: int, days: int) -> Iterator[str]:
    """A warehouse that holds a row for each merchant and day."""
    with shared_services() as services, own_database(services) as url:
        last = (TODAY - timedelta(days=1)).isoformat()
        made = sql.SQL(_TABLE).format(last=sql.Literal(last), days=sql.Literal(days), merchants=sql.Literal(merchants))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(made)
        yield url
