"""Row: how long a large CSV takes from bytes to a DuckDB table, and how much memory the process that reads it needs."""

import random
import subprocess
import sys
from pathlib import Path

from tests.bench.measuring import Row

_PROGRAM = """
import sys, time
from pathlib import Path
from adapters.warehouses.duckdb.filling import write_tables
from agent.files.read import read_file
started = time.perf_counter()
sheets = read_file(Path(sys.argv[1]), "big.csv")
write_tables(Path(sys.argv[2]), sheets)
spent = time.perf_counter() - started
# What getrusage tells begins with the peak of the process that started this one.
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(spent, peak, sheets[0].table.row_count)
"""


def file_row(folder: Path, *, megabytes: int) -> Row:
    """A made-up CSV of that size, with dates and numbers as Spanish text, read in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path, database = folder / "big.csv", folder / "big.duckdb"
    rows = write_csv(path, megabytes)
    told = subprocess.run([sys.executable, "-c", _PROGRAM, str(path), str(database)], capture_output=True, check=True)
    seconds, kilobytes, read = told.stdout.split()
    assert int(read) == rows
    path.unlink()
    database.unlink()
    return Row(
        name="a CSV becomes a table",
        subject_is=f"{megabytes} MB, {rows} rows: sniffed, typed over all rows, loaded into DuckDB;"
        f" at most {int(kilobytes) // 1024} MB of memory",
        times=(float(seconds) * 1000,),
    )


def write_csv(path: Path, megabytes: int) -> int:
    """Rows of six columns up to that size; returns how many."""
    draw = random.Random(7)  # noqa: S311  # made-up data
    rows = 0
    with path.open("w", encoding="utf-8") as opened:
        opened.write("fecha;comercio;region;monto;cantidad;nota\n")
        while opened.tell() < megabytes * 1024 * 1024:
            opened.write("".join(_line(draw) for _ in range(1000)))
            rows += 1000
    return rows


def _line(draw: random.Random) -> str:
    day, month, region = draw.randint(1, 28), draw.randint(1, 12), draw.choice(("Lima", "Cusco", "Arequipa"))
    amount = f"{draw.randint(1, 999)}.{draw.randint(100, 999)},{draw.randint(10, 99)}"
    shop, note = draw.randint(1, 2000), draw.randint(1, 10**6)
    return f"{day:02}/{month:02}/2026;Comercio {shop:04};{region};{amount};{draw.randint(1, 50)};pedido {note}\n"
