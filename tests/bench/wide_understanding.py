"""Rows: understanding and linking on a catalog of a thousand tables and many members, beside one of ten tables."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

from agent.linking.linker import Linker
from agent.understanding.interpreter import CatalogInterpreter
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from semantic_catalog.model import Catalog, Dimension, DimensionName, Domain, EntityDimension, Names
from tests.bench.measuring import Row, milliseconds, no_collection
from tests.fakes.catalog import FixedCatalog, NamedMembers
from tests.unit.agent.linking.wide import WIDE, wide_catalog

TABLES, MEMBERS = 1_000, 200_000
NARROW_TABLES, NARROW_MEMBERS = 10, 2_000
QUESTIONS = (
    "order total 0 by branch last month",
    "invoice total 1 for Customer Norte 470 in October",
    "shipment total 2 by month this year for Article Sol 93",
    "ticket total 4 of Custumer Lago 812 last quarter",
    "visit total 5 without zzyzx last week",
)
"""About tables and members that both catalogs have."""

_ASKER = Principal(id=PrincipalId("wide"), roles=(), domains=(WIDE,))
_SYLLABLES = ("Norte", "Sur", "Lago", "Sol", "Luna", "Rio", "Valle", "Cerro", "Mar", "Piedra")
_DIMENSIONS = (("customer", "Customer"), ("article", "Article"))
_MEGABYTE = 1_024
Read = Callable[[str], Awaitable[object]]


class Width:
    """What reads a catalog of so many tables and members."""

    def __init__(self, tables: int, members: int) -> None:
        catalog = FixedCatalog(_catalog(tables))
        self.size = f"{tables:,} tables and {members:,} members"
        self._interpreter = CatalogInterpreter(catalog, NamedMembers(_members(members)))
        self._linker = Linker(catalog)

    async def understand(self, text: str) -> object:
        """By rules."""
        return await self._interpreter.interpret(_asked(text), _ASKER)

    async def link(self, text: str) -> object:
        """By words."""
        return await self._linker.link(text, _ASKER)


async def wide_rows(*, share: float, warm_up: int, repetitions: int) -> list[Row]:
    """Both rows on that share of the full size; what building took is said beside the times."""
    wide = Width(max(int(TABLES * share), NARROW_TABLES), max(int(MEMBERS * share), NARROW_MEMBERS))
    narrow = Width(NARROW_TABLES, NARROW_MEMBERS)
    pairs = (
        ("understanding", "rules, warm", wide.understand, narrow.understand),
        ("linking", "words, warm", wide.link, narrow.link),
    )
    rows = []
    for name, how, read, floor in pairs:
        built = await _built(read)
        times, floor_times = await _times(read, floor, warm_up, repetitions)
        rows.append(
            Row(
                name=f"{name}, wide catalog",
                subject_is=f"{how}: {wide.size}; {built}",
                times=tuple(times),
                floor_is=f"the same questions on {narrow.size}",
                floor_times=tuple(floor_times),
            )
        )
    return rows


async def _built(read: Read) -> str:
    """What the first question took, which everything is made ready with."""
    began, held = perf_counter(), _megabytes()
    await read(QUESTIONS[4])
    return f"built in {perf_counter() - began:.1f} s, {_megabytes() - held:.0f} MB"


async def _times(read: Read, floor: Read, warm_up: int, repetitions: int) -> tuple[list[float], list[float]]:
    """Each question on either side, repetition by repetition."""
    times: list[float] = []
    floor_times: list[float] = []
    with no_collection():
        for number in range(-warm_up, repetitions):
            own = [await milliseconds(read(text)) for text in QUESTIONS]
            narrow = [await milliseconds(floor(text)) for text in QUESTIONS]
            if number >= 0:
                times, floor_times = times + own, floor_times + narrow
    return times, floor_times


def _catalog(tables: int) -> Catalog:
    """The wide catalog with two dimensions whose members the warehouse knows."""
    wide = wide_catalog(tables)
    return replace(wide, domains=(_with_dimensions(wide.domains[0]),))


def _with_dimensions(domain: Domain) -> Domain:
    added = tuple(
        Dimension(name=DimensionName(name), names=Names(label={"en": label}), members_from="warehouse")
        for name, label in _DIMENSIONS
    )
    homes = tuple(EntityDimension(dimension=each.name, column=each.name) for each in added)
    entities = tuple(replace(entity, dimensions=(*entity.dimensions, *homes)) for entity in domain.entities)
    return replace(domain, dimensions=(*domain.dimensions, *added), entities=entities)


def _members(count: int) -> dict[str, tuple[str, ...]]:
    """As many names of three words, half of them in each dimension."""
    return {
        name: tuple(f"{label} {_SYLLABLES[n % 10]} {n}" for n in range(count // len(_DIMENSIONS)))
        for name, label in _DIMENSIONS
    }


def _asked(text: str) -> Question:
    return Question(text=text, locale="en", today=date(2026, 11, 1), memory=ThreadMemory(thread=ThreadKey("console:w")))


def _megabytes() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss / _MEGABYTE
