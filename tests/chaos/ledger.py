"""What the deployment itself has written down, read again and again while it is being killed."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.rows import dict_row

ENDED = frozenset({"answered", "refused", "rejected", "no_data", "failed"})
Row = dict[str, Any]


@dataclass(kw_only=True)
class Ledger:
    """The control database. `runs` are their threads and statuses, as of the last look."""

    url: str
    runs: list[tuple[str, str]] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)

    def statuses_at(self, place: str) -> list[str]:
        """Of the questions that were asked there."""
        return [status for thread, status in self.runs if place and place in thread]

    async def keep_looking(self) -> None:
        """Look every half second, for ever; a database that is away is looked at again."""
        while True:
            try:
                await asyncio.to_thread(self.look)
            except psycopg.Error:
                self.left = {"unseen": 1}
            await asyncio.sleep(0.5)

    def look(self) -> None:
        """Look once."""
        runs = self.rows("SELECT thread, status FROM countersign.runs")
        jobs = self.rows("SELECT count(*) AS held FROM procrastinate_jobs WHERE queue_name = 'turns'")
        letters = self.rows("SELECT count(*) AS held FROM countersign.letters WHERE NOT is_dead")
        self.runs = [(row["thread"], row["status"]) for row in runs]
        self.left = {"jobs": jobs[0]["held"], "letters": letters[0]["held"]}

    def rows(self, query: str) -> list[Row]:
        """The rows of a query."""
        with psycopg.connect(self.url, row_factory=dict_row, connect_timeout=2) as connection:
            return connection.execute(query.encode()).fetchall()
