"""The run's spec in words, the same on the proposal and on the answer."""

from agent.deps import Deps
from agent.reading import domain_of, today_of
from agent.state import RunState, language_of, read, spec_of
from agent.values.governance import CheckedQuery
from agent.values.memory import RememberedRun
from agent.values.outcome import Receipt
from agent.values.spec import QuerySpec, Understanding
from agent.wording.assumptions import assumption_texts
from agent.wording.receipt import build_receipt, spec_title
from agent.wording.texts import say
from semantic_catalog.model import Entity


def receipt_of(state: RunState, deps: Deps) -> Receipt:
    """What will be, or was, read: from the spec, the checked query and what was assumed and not understood."""
    query = read(state, "query", CheckedQuery)
    language = language_of(state)
    understanding = read(state, "understanding", Understanding)
    spec, domain = spec_of(state), domain_of(state, deps)
    return build_receipt(
        spec or QuerySpec(domain=domain.name, metrics=()),
        domain,
        row_rule_labels=query.row_rules,
        entities=read_entities(domain.entities, query),
        assumptions=assumption_texts(understanding.assumptions, language),
        unused_words=understanding.unused_words,
        locale=language,
        today=today_of(deps),
        title="" if spec else title_of(state, deps),
    )


def title_of(state: RunState, deps: Deps) -> str:
    """The question restated: from the spec, else in the model's words, else as it was typed."""
    spec = spec_of(state)
    if spec is not None:
        return spec_title(spec, domain_of(state, deps), language_of(state), today_of(deps))
    if state.get("origin") == "edited":
        return say(language_of(state), "approval.title_edited", question=state["text"])
    free = read(state, "understanding", Understanding).free_sql
    return free.title if free else state["text"]


def read_entities(entities: tuple[Entity, ...], query: CheckedQuery) -> tuple[Entity, ...]:
    """The catalog's entities behind a query's sources."""
    return tuple(entity for entity in entities if entity.source in query.sources)


def receipt_of_run(run: RememberedRun, spec: QuerySpec, deps: Deps) -> Receipt:
    """What an answered run of the thread read, as its card said it."""
    domain = deps.catalog_now().domain(spec.domain)
    return build_receipt(
        spec,
        domain,
        row_rule_labels=run.query.row_rules if run.query else (),
        entities=read_entities(domain.entities, run.query) if run.query else (),
        assumptions=run.assumptions,
        unused_words=(),
        locale=run.locale,
        today=today_of(deps),
    )
