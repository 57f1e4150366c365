"""The interpreter that works by rules: the catalog's words and each language's grammar, no model and no guess."""

from dataclasses import replace

from agent.ports import CatalogSource, Members
from agent.understanding.access import visible_members
from agent.understanding.book import Book, open_book
from agent.understanding.future import heard_as_forecast
from agent.understanding.hearing import Hearing, hear
from agent.understanding.leftover import stretches, unused_positions
from agent.understanding.member_parts import with_member_parts
from agent.understanding.options import member_option
from agent.understanding.over_source import over_source
from agent.understanding.source_words import source_wish
from agent.understanding.understood import refused, understood
from agent.understanding.warehouse_names import NameIndex, index_names, near_names, with_names
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.spec import Option, Understanding
from semantic_catalog.model import CatalogVersion, Dimension

_BOOKS = 8


class CatalogInterpreter:
    """Implements `Interpreter`. What it prepares is kept for the catalogs asked about last: threads with files of their
    own see one each.
    """

    def __init__(self, catalog: CatalogSource, members: Members) -> None:
        self._catalog = catalog
        self._members = members
        self._books: dict[CatalogVersion, Book] = {}

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning of the message. Raises `agent.errors.WarehouseUnavailable` when a name had to be looked up."""
        over = await self._over_source(question, principal)
        return over or await self._understood(question, principal)

    async def _over_source(self, question: Question, principal: Principal) -> Understanding | None:
        """The last question read from the source that the message asks for; None where it asks for none."""
        specs = [run.spec for run in question.memory.runs if run.spec and run.spec.domain in principal.domains]
        if not specs:
            return None
        domain = self._catalog.current().domain(specs[-1].domain)
        wish = source_wish(question.text, domain)
        if wish is None:
            return None
        rest = await self._understood(replace(question, text=wish.rest), principal) if wish.rest else None
        locale = hear(question, principal, self._book()).locale
        return over_source(wish, specs[-1], rest, domain, locale, question.today)

    async def _understood(self, question: Question, principal: Principal) -> Understanding:
        heard = heard_as_forecast(hear(question, principal, self._book()))
        refusal = refused(heard)
        return refusal or understood(await self._with_warehouse_names(heard))

    def _book(self) -> Book:
        catalog = self._catalog.current()
        book = self._books.pop(catalog.version, None) or open_book(catalog, self._books.values())
        self._books = dict([*self._books.items()][1 - _BOOKS :]) | {catalog.version: book}
        return book

    async def _with_warehouse_names(self, heard: Hearing) -> Hearing:
        """The hearing with parts of names, then names that only the warehouse knows: asked only for words left over."""
        heard = replace(heard, reading=with_member_parts(heard.reading, heard.lexicon))
        for dimension in heard.domain.dimensions:
            left = unused_positions(heard.reading)
            if not left or dimension.members_from != "warehouse":
                continue
            index = await self._index(heard, dimension)
            reading = with_names(heard.reading, dimension.name, index, left)
            near = _near(heard, dimension, index, stretches(reading, unused_positions(reading)))
            heard = replace(heard, reading=reading, near=(*heard.near, *near))
        return heard

    async def _index(self, heard: Hearing, dimension: Dimension) -> NameIndex:
        values = await self._members.of(heard.domain.name, dimension.name, heard.principal)
        return index_names(visible_members(values, dimension.name, heard.domain, heard.principal))


def _near(heard: Hearing, dimension: Dimension, index: NameIndex, words: tuple[str, ...]) -> tuple[Option, ...]:
    names = dict.fromkeys(name for stretch in words for name in near_names(stretch, index))
    return tuple(member_option(dimension.name, name, heard.domain, heard.locale) for name in names)
