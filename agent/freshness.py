"""Up to which day the sources of a query hold data."""

from dataclasses import dataclass
from datetime import date

from agent.ports import Warehouse
from agent.values.governance import CheckedQuery
from semantic_catalog.model import Domain, TimeColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDay:
    """A source's newest day (the first of the month where it is kept by month); None when it is empty."""

    source: str
    day: date | None


def dated_sources(query: CheckedQuery, domain: Domain) -> tuple[tuple[str, TimeColumn], ...]:
    """The sources that the query reads and that have a time, in the catalog's order."""
    return tuple((e.source, e.time) for e in domain.entities if e.source in query.sources and e.time is not None)


async def newest_days(query: CheckedQuery, domain: Domain, warehouse: Warehouse) -> tuple[SourceDay, ...]:
    """The newest day of each dated source, asked of the warehouse now."""
    return tuple([
        SourceDay(source=source, day=await warehouse.latest(source, time.column))
        for source, time in dated_sources(query, domain)
    ])  # fmt: skip
