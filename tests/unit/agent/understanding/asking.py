"""Asks the interpreter as a person does: one message or several in a thread."""

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache

from agent.understanding.interpreter import CatalogInterpreter
from agent.values.identity import Principal, PrincipalId, RoleName, RunId, ThreadKey
from agent.values.memory import Question, RememberedRun, ThreadMemory
from agent.values.spec import QuerySpec, Understanding
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, Domain, DomainName, Locale
from tests.fakes.catalog import FixedCatalog, NamedMembers

TODAY = date(2026, 11, 1)
PAYMENTS = DomainName("payments")
MERCHANTS = ("Restaurante El Tumi", "Botica San Martín", "Hotel San Martín", "Bodega La Perla")
ANALYST = Principal(id=PrincipalId("ana"), roles=(RoleName("analyst"),), domains=(PAYMENTS,))


@cache
def payments_only() -> Catalog:
    """The packaged catalog with its payments domain alone."""
    catalog = load_catalog()
    return replace(catalog, domains=(catalog.domain(PAYMENTS),))


def payments() -> Domain:
    return payments_only().domain(PAYMENTS)


@cache
def interpreter() -> CatalogInterpreter:
    return CatalogInterpreter(FixedCatalog(payments_only()), NamedMembers({"merchant": MERCHANTS}))


@cache
def everything() -> CatalogInterpreter:
    """An interpreter of all three domains."""
    members = NamedMembers({"merchant": MERCHANTS, "account": ("631100", "637100")})
    return CatalogInterpreter(FixedCatalog(load_catalog()), members)


async def ask(
    text: str,
    *,
    pinned: tuple[tuple[str, str], ...] = (),
    memory: ThreadMemory | None = None,
    locale: Locale | None = None,
    assume: bool = False,
    principal: Principal = ANALYST,
    reader: CatalogInterpreter | None = None,
) -> Understanding:
    question = Question(
        text=text,
        locale=locale,
        today=TODAY,
        memory=memory or ThreadMemory(thread=ThreadKey("console:test")),
        pinned=pinned,
        assume_defaults=assume,
    )
    return await (reader or interpreter()).interpret(question, principal)


async def ask_in_turn(texts: list[str]) -> list[Understanding]:
    """The messages of one thread; each that became a question is remembered for the next."""
    memory = ThreadMemory(thread=ThreadKey("console:test"))
    meanings = []
    for text in texts:
        meaning = await ask(text, memory=memory)
        meanings.append(meaning)
        if meaning.spec and not meaning.slots and not meaning.declined:
            memory = replace(memory, runs=(*memory.runs, remembered(text, meaning.spec)))
    return meanings


def remembered(text: str, spec: QuerySpec) -> RememberedRun:
    return RememberedRun(
        run=RunId("run"),
        asker=ANALYST.id,
        question=text,
        locale="en",
        spec=spec,
        sql="",
        headline="",
        findings=(),
        sample=None,
        result=None,
        finished_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
