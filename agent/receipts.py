"""The run's spec in words, the same on the proposal and on the answer."""

from agent.deps import Deps
from agent.reading import today_of
from agent.state import RunState, language_of, read
from agent.values.governance import CheckedQuery
from agent.values.outcome import Receipt
from agent.values.spec import QuerySpec, Understanding
from agent.wording.assumptions import assumption_texts
from agent.wording.receipt import build_receipt
from semantic_catalog.model import Entity


def receipt_of(state: RunState, deps: Deps) -> Receipt:
    """What will be, or was, read: from the spec, the checked query and what was assumed and not understood."""
    spec = read(state, "spec", QuerySpec)
    query = read(state, "query", CheckedQuery)
    language = language_of(state)
    understanding = read(state, "understanding", Understanding)
    domain = deps.catalog_now().domain(spec.domain)
    return build_receipt(
        spec,
        domain,
        row_rule_labels=query.row_rules,
        entities=read_entities(domain.entities, query),
        assumptions=assumption_texts(understanding.assumptions, language),
        unused_words=understanding.unused_words,
        locale=language,
        today=today_of(deps),
    )


def read_entities(entities: tuple[Entity, ...], query: CheckedQuery) -> tuple[Entity, ...]:
    """The catalog's entities behind a query's sources."""
    return tuple(entity for entity in entities if entity.source in query.sources)
