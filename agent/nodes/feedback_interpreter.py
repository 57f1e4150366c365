"""What a person wants changed about the pending proposal: a typed plan of operations."""

import re
from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.feedback.lift import lift
from agent.feedback.operations import operations_between
from agent.pending import memory_of_pending
from agent.reading import domain_of, question_of
from agent.sql.read import read as read_sql
from agent.state import RunState, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.understanding.absent import said_absent
from agent.understanding.source_words import SourceWish, source_wish
from agent.understanding.taking_back import asks_to_undo
from agent.understanding.unchanged import same_question
from agent.values.feedback import Operation, QuickEdit
from agent.values.governance import Decision, Finding
from agent.values.identity import RunId
from agent.values.spec import OrderBy, QuerySpec, Understanding
from agent.wording.changes import spec_changes
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Locale

_SQL = re.compile(r"\s*\(*\s*(?:select|with)\b", re.IGNORECASE)
_ANEW = Operation(name="semantic_regeneration")


async def feedback_interpreter(state: RunState, deps: Deps) -> RunState:
    """SQL (it opens with SELECT or WITH), 'undo', or words: read against the pending spec as if it had been answered.

    Of a written statement, what the catalog knows of it stands in for the spec. 'Undo the Amex one' is words: it names
    what is to go. Nothing is taken for granted: a change that leaves something open is not made.
    """
    decision = read(state, "decision", Decision)
    wanted, spec = decision.text, spec_of(state)
    if _SQL.match(wanted):
        return {"change": "sql", "turned_down": "", "operations": []}
    if spec is None:
        return await _of_statement(state, deps, wanted)
    meaning = await _wanted(state, deps, decision, spec)
    cost = spent(state, meaning.usage)
    if asks_to_undo(wanted) and _changes_nothing(meaning, spec):
        earlier = None if state.get("revisions") else await _before(state, deps, wanted, spec)
        if earlier is None:
            return {"change": "undo", "turned_down": "", "operations": encode((Operation(name="undo"),)), **cost}
        meaning = earlier
    plan = operations_between(spec, meaning.spec) if meaning.spec else ()
    plan = (_ANEW,) if meaning.free_sql else plan
    read_as: RunState = {"change": "words", "turned_down": "", "feedback": encode(meaning), "operations": encode(plan)}
    return {**read_as, **cost}


async def _of_statement(state: RunState, deps: Deps, wanted: str) -> RunState:
    """The operations that the words ask of written SQL; to be written anew where rules do not read all of them."""
    if asks_to_undo(wanted):
        return {"change": "undo", "turned_down": "", "operations": encode((Operation(name="undo"),))}
    plan, said = await _plan(state, deps, wanted)
    return {"change": "words", "turned_down": "", "operations": encode(plan), "changes": list(said)}


async def _plan(state: RunState, deps: Deps, wanted: str) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    domain = domain_of(state, deps)
    tree = read_sql(state["sql"], domain.dialect)
    lifted = None if isinstance(tree, Finding) else lift(tree, domain)
    if lifted is None:
        return (_ANEW,), ()
    wish = source_wish(wanted, domain)
    source = (Operation(name="replace_source", source=wish.entity.name),) if wish else ()
    said_source = _said_source(wish, language_of(state))
    if wish and not wish.rest:
        return source, said_source
    quick = read(state, "decision", Decision).quick
    meaning = await _meaning(state, deps, wish.rest if wish else wanted, lifted.spec, rules_only=True)
    after = _with_quick(lifted.spec, quick, meaning) if quick else meaning.spec
    follows = quick is not None or meaning.relation == "analytical_follow_up"
    if after is None or meaning.unused_words or meaning.free_sql or not follows:
        return (_ANEW,), ()
    plan = operations_between(lifted.spec, after)
    language = language_of(state)
    lines = (*spec_changes(lifted.spec, after, domain, language), *said_source, *said_absent(meaning, language))
    return ((*plan, *source) or (_ANEW,)), lines


def _said_source(wish: SourceWish | None, language: Locale) -> tuple[str, ...]:
    return (say(language, "change.source", name=wish.entity.names.in_locale(language)),) if wish else ()


async def _wanted(state: RunState, deps: Deps, decision: Decision, spec: QuerySpec) -> Understanding:
    """The meaning of the words, or of what was chosen in a form."""
    if decision.quick is None:
        return await _meaning(state, deps, decision.text, spec)
    words = decision.quick.period or decision.text
    meaning = await _meaning(state, deps, words, spec) if words else _kept(state, spec)
    after = _with_quick(spec, decision.quick, meaning)
    return meaning if meaning.declined or after is None else replace(meaning, spec=after, slots=())


async def _before(state: RunState, deps: Deps, wanted: str, spec: QuerySpec) -> Understanding | None:
    """The question of the thread that the pending one took the place of; None where there is none."""
    question = question_of(state, deps)
    pending = memory_of_pending(
        state["thread"], state["run"], state["asker"], state["text"], spec, language_of(state), deps.clock.now()
    )
    memory = replace(question.memory, runs=(*question.memory.runs, *pending.runs))
    asked = replace(question, text=wanted, memory=memory, pinned=(), assume_defaults=False, rules_only=True)
    meaning = await deps.interpreter.interpret(asked, deps.principal(state["asker"]))
    return None if meaning.slots or _changes_nothing(meaning, spec) else meaning


def _kept(state: RunState, spec: QuerySpec) -> Understanding:
    before = read(state, "understanding", Understanding)
    return replace(before, relation="analytical_follow_up", turn_type="refine", spec=spec, assumptions=(), slots=())


def _with_quick(spec: QuerySpec, quick: QuickEdit, meaning: Understanding) -> QuerySpec | None:
    """The spec with what was chosen; None where the period chosen was not understood."""
    after = spec
    if quick.period is not None:
        if meaning.spec is None or meaning.slots:
            return None
        after = replace(after, period=meaning.spec.period, comparison=meaning.spec.comparison)
    if quick.limit is not None:
        after = replace(after, limit=quick.limit or None, order=after.order or _ranked(after, quick.limit))
    if quick.dimensions is not None:
        after = _split(after, tuple(map(DimensionName, quick.dimensions)))
    if quick.grain is not None:
        after = replace(after, grain=None if quick.grain == "none" else quick.grain)
    return replace(after, trusted_query=None)


def _ranked(spec: QuerySpec, limit: int) -> tuple[OrderBy, ...]:
    return (OrderBy(by=spec.metrics[0]),) if limit and spec.dimensions else ()


def _split(spec: QuerySpec, dimensions: tuple[DimensionName, ...]) -> QuerySpec:
    """Split by these alone; what was sorted by a dimension that is gone is no longer."""
    gone = set(spec.dimensions) - set(dimensions)
    return replace(spec, dimensions=dimensions, order=tuple(item for item in spec.order if item.by not in gone))


async def _meaning(
    state: RunState, deps: Deps, wanted: str, spec: QuerySpec, *, rules_only: bool = False
) -> Understanding:
    memory = memory_of_pending(
        state["thread"], state["run"], state["asker"], state["text"], spec, language_of(state), deps.clock.now()
    )
    question = replace(
        question_of(state, deps),
        text=wanted,
        memory=memory,
        pinned=(),
        assume_defaults=False,
        rules_only=rules_only,
    )
    asked = deps.interpreter.interpret(question, deps.principal(state["asker"]))
    return await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, asked)


def _changes_nothing(meaning: Understanding, spec: QuerySpec) -> bool:
    return meaning.spec is None or same_question(meaning.spec, spec)
