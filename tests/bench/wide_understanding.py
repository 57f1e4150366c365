"""Rows: understanding and linking on a catalog of many tables whose dimensions have many members."""

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
QUESTIONS = (
    "order total 10 by branch last month",
    "invoice total 21 for Customer Norte 4711 in October",
    "shipment total 302 by month this year for Article Sol 99",
    "ticket total 4 of Custumer Lago 812 last quarter",
    "visit total 5 without zzyzx last week",
)
_SYLLABLES = ("Norte", "Sur", "Lago", "Sol", "Luna", "Rio", "Valle", "Cerro", "Mar", "Piedra")
_DIMENSIONS = (("customer", "Customer"), ("article", "Article"))
_MEGABYTE = 1_024


async def wide_rows(*, share: float, warm_up: int, repetitions: int) -> list[Row]:
    """Both rows on that share of the full size; what building took is said beside the times."""
    asker = Principal(id=PrincipalId("wide"), roles=(), domains=(WIDE,))
    members = _members(int(MEMBERS * share))
    catalog = _catalog(int(TABLES * share))
    size = f"{len(catalog.domains[0].entities):,} tables and {sum(map(len, members.values())):,} members"
    reader, linker = CatalogInterpreter(FixedCatalog(catalog), NamedMembers(members)), Linker(FixedCatalog(catalog))
    began, held = perf_counter(), _megabytes()
    await reader.interpret(_asked(QUESTIONS[4]), asker)
    understood = f"built in {perf_counter() - began:.1f} s, {_megabytes() - held:.0f} MB"
    began, held = perf_counter(), _megabytes()
    await linker.link(QUESTIONS[0], asker)
    linked = f"built in {perf_counter() - began:.1f} s, {_megabytes() - held:.0f} MB"
    times: list[float] = []
    link_times: list[float] = []
    with no_collection():
        for number in range(-warm_up, repetitions):
            own = [await milliseconds(reader.interpret(_asked(text), asker)) for text in QUESTIONS]
            found = [await milliseconds(linker.link(text, asker)) for text in QUESTIONS]
            times, link_times = (times + own, link_times + found) if number >= 0 else (times, link_times)
    return [
        Row(name="understanding, wide catalog", subject_is=f"rules, warm: {size}; {understood}", times=tuple(times)),
        Row(name="linking, wide catalog", subject_is=f"words, warm: {size}; {linked}", times=tuple(link_times)),
    ]


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
