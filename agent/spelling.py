"""Members in written SQL as the warehouse spells them: 'Ecommerce' finds no row where 'ecommerce' is stored."""

from collections.abc import Mapping
from dataclasses import replace

from agent.analysis.sought import respelled, sought_members
from agent.codec import encode
from agent.deps import Deps
from agent.reading import domain_of
from agent.state import RunState, read
from agent.understanding.access import visible_members
from agent.understanding.tokens import fold
from agent.values.spec import Assumption, Understanding
from semantic_catalog.model import LOCALES, Dimension, DimensionName

Spellings = Mapping[tuple[DimensionName, str], str]
KEY = "spelled_as_stored"


async def as_stored(sql: str, state: RunState, deps: Deps) -> RunState:
    """The statement with such members corrected where only one can be meant; each correction is an assumption."""
    domain = domain_of(state, deps)
    spellings = await _spellings(sql, state, deps)
    said = tuple(
        Assumption(key=KEY, params=(("typed", typed), ("stored", stored))) for (_, typed), stored in spellings.items()
    )
    meaning = read(state, "understanding", Understanding)
    kept = tuple(each for each in meaning.assumptions if each.key != KEY)
    corrected = respelled(sql, domain, spellings) if spellings else sql
    return {"sql": corrected, "understanding": encode(replace(meaning, assumptions=(*kept, *said)))}


async def _spellings(sql: str, state: RunState, deps: Deps) -> Spellings:
    domain, principal = domain_of(state, deps), deps.principal(state["asker"])
    found: dict[tuple[DimensionName, str], str] = {}
    for each in sought_members(None, sql, domain):
        stored = await deps.members.of(domain.name, each.dimension)
        seen = visible_members(stored, each.dimension, domain, principal)
        for value in (value for value in each.values if value not in stored):
            meant = _meant(value, domain.dimension(each.dimension), seen)
            if len(meant) == 1:
                found[each.dimension, value] = meant[0]
    return found


def _meant(value: str, dimension: Dimension, seen: tuple[str, ...]) -> tuple[str, ...]:
    """Stored members of that name or label, whatever its case, accents, hyphens and spaces."""
    labels = {
        member.value: {plain_name(member.names.label.get(locale, "")) for locale in LOCALES}
        for member in dimension.members
    }
    wanted = plain_name(value)
    return tuple(each for each in seen if wanted and wanted in {plain_name(each), *labels.get(each, ())})


def plain_name(name: str) -> str:
    """A name without what people write differently: case, accents, hyphens and spaces."""
    return "".join(letter for letter in fold(name) if letter.isalnum())
