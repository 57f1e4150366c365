"""`python -m tests.security.row_rules [COUNT [SEED]]`: many thousands of random statements on every engine."""

import sys
import time

from semantic_catalog.model import Dialect
from tests.contract.shop_mysql import HAS_SERVER
from tests.security.row_rules.engines import books
from tests.security.row_rules.hunt import hunt
from tests.services import own_database, shared_services

COUNT = 5_000
# Hypothesis keeps a note of every statement of a run: many short runs need little memory.
_RUN = 500


def main(count: int = COUNT, start: int = 0) -> None:
    """Prints a line an engine. Ends with an `AssertionError` that holds the smallest leak, should there be one."""
    dialects: tuple[Dialect, ...] = ("postgres", "duckdb", *(("mysql",) if HAS_SERVER else ()))
    with shared_services() as services:
        for dialect in dialects:
            with own_database(services) as url, books(dialect, url) as made:
                began = time.monotonic()
                tallies = [hunt(dialect, made, min(_RUN, count), start + run) for run in range(-(-count // _RUN))]
                seconds = time.monotonic() - began
            seen, ran, full = (sum(getattr(t, n) for t in tallies) for n in ("statements", "ran", "with_rows"))
            line = f"{dialect:10} {seen:6} statements, {ran} ran, {full} gave rows, 0 leaks, {seconds:.0f} s\n"
            sys.stdout.write(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
