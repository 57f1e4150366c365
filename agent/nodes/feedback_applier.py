"""The wanted change as SQL: one revision more. What may not be proposed leaves the version at hand as it is."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.errors import SpecNotCompilable
from agent.feedback.lift import lift
from agent.feedback.rewrite import rewrite
from agent.feedback.source import columns_not_held
from agent.modelling.sql_writer import SqlWriter
from agent.nodes.schema_linker import schema_linker
from agent.nodes.sql_generator import sql_generator
from agent.objections import Objection, objection_to
from agent.reading import domain_of, refusal_of
from agent.revisions import NO_CHANGE, restored, with_revision_kept
from agent.rewriting import retitled, rewritten
from agent.sql.dialects import render
from agent.sql.read import read as read_sql
from agent.state import RunState, decode_outcome, language_of, read, spec_of
from agent.understanding import over_source
from agent.understanding.absent import ABSENT
from agent.understanding.unchanged import same_question
from agent.values.feedback import Operation
from agent.values.governance import Decision, Finding, Origin
from agent.values.identity import RunId
from agent.values.outcome import Refusal
from agent.values.spec import Slot, Understanding
from agent.wording.texts import say
from semantic_catalog.model import Locale


async def feedback_applier(state: RunState, deps: Deps) -> RunState:
    """The next revision: the changed query, the version before, or the same again with what speaks against a change.

    Every changed query has passed guard, engine and caps here; they are asked again on its way to the person.
    """
    match state["change"]:
        case "sql":
            change = await _edited(state, deps)
        case "undo":
            change = restored(state) or _nothing(say(language_of(state), "approval.nothing_to_undo"))
        case "words":
            change = await _reworded(state, deps)
    return {"changes": [], "offers": [], **change, "revision": state["revision"] + 1, "findings": []}


async def _edited(state: RunState, deps: Deps) -> RunState:
    """The person's SQL as they wrote it; its columns are those that the engine will name."""
    sql = read(state, "decision", Decision).text.strip()
    edited: RunState = {"sql": sql, "spec": None, "origin": "edited", "columns": [], "attempts": 0, "linked": []}
    objection = await objection_to({**state, **edited}, deps)
    return _against(state, objection) if objection else {**with_revision_kept(state), **edited}


async def _reworded(state: RunState, deps: Deps) -> RunState:
    before, language = spec_of(state), language_of(state)
    if before is None:
        return await _rewritten(state, deps)
    meaning = read(state, "feedback", Understanding)
    if meaning.declined:
        refusal = refusal_of(meaning.declined, RunId(state["run"]), language)
        return _against(state, Objection(rule=refusal.rule, message=refusal.message))
    if meaning.slots and meaning.relation == "analytical_follow_up":
        slot, wanted = meaning.slots[0], read(state, "decision", Decision).text
        turned_back = _nothing(say(language, "approval.turned_back", reason=_open_point(slot, language)))
        return {**turned_back, "offers": _offers(slot, wanted)}
    writer = deps.models_now().writer
    if meaning.free_sql is not None and writer is not None:
        return await _written({**state, "origin": "model", "spec": None, "columns": []}, deps, writer, state)
    if meaning.spec is None or same_question(meaning.spec, before):
        return _nothing(_why_unchanged(meaning, read(state, "decision", Decision).text, language))
    compiled = await _compiled({**state, **_changed(state, meaning)}, deps)
    return _against(state, compiled) if isinstance(compiled, Objection) else {**with_revision_kept(state), **compiled}


def _why_unchanged(meaning: Understanding, wanted: str, language: Locale) -> str:
    match meaning.topic:
        case "absent":
            return say(language, "change.absent", names=", ".join(meaning.unused_words))
        case over_source.NOT_HELD:
            source, *names = meaning.unused_words
            return say(language, "change.source_not_held", source=source, names=", ".join(names))
        case "unchanged":
            return say(language, "change.already_so", words=wanted)
        case _:
            return say(language, "change.not_understood", words=wanted)


async def _rewritten(state: RunState, deps: Deps) -> RunState:
    """Written SQL with the operations made in its tree; else a model rewrites what a model wrote."""
    changed = _operated(state, deps)
    if changed is not None and changed.get("turned_down"):
        return changed
    if changed is not None:
        objection = await objection_to({**state, **changed}, deps)
        return _against(state, objection) if objection else {**with_revision_kept(state), **changed}
    writer = deps.models_now().writer
    if state["origin"] != "model" or writer is None:
        return _nothing(_source_not_held(state, deps) or say(language_of(state), "approval.edited_stands"))
    return await _written(state, deps, writer, state)


def _source_not_held(state: RunState, deps: Deps) -> str:
    """Why the statement cannot be read from the source asked for; empty where another reason stands against it."""
    domain = domain_of(state, deps)
    tree = read_sql(state["sql"], domain.dialect)
    lifted = None if isinstance(tree, Finding) else lift(tree, domain)
    wanted = next((each.source for each in read(state, "operations", tuple[Operation, ...]) if each.source), None)
    if lifted is None or wanted is None:
        return ""
    language, entity = language_of(state), domain.entity(wanted)
    missing = columns_not_held(lifted, entity)
    label = entity.names.in_locale(language)
    return say(language, "change.source_not_held", source=label, names=", ".join(missing)) if missing else ""


def _operated(state: RunState, deps: Deps) -> RunState | None:
    """The statement with the plan's operations made; None where its shape does not let them."""
    dialect = domain_of(state, deps).dialect
    tree = read_sql(state["sql"], dialect)
    operations = read(state, "operations", tuple[Operation, ...])
    if isinstance(tree, Finding):
        return None
    made = rewrite(tree, operations, domain_of(state, deps))
    if made is None:
        return None
    if made == tree:
        return _nothing(say(language_of(state), "change.already_so", words=read(state, "decision", Decision).text))
    sql = render(made, dialect, pretty=True)
    written: RunState = {"sql": sql, "columns": [], "attempts": 0, "changes": state["changes"]}
    return {**written, "understanding": retitled(state, deps)} if state["origin"] == "model" else written


async def _written(state: RunState, deps: Deps, writer: SqlWriter, shown: RunState) -> RunState:
    """A model's statement for what is wanted; `shown` is the version it takes the place of."""
    found = await rewritten(state, deps, writer)
    if found.objection:
        return {**_against(shown, found.objection), **found.cost}
    written: RunState = {"origin": "model", "spec": None, "linked": []}
    return {**with_revision_kept(shown), **written, **found.update, **found.cost}


def _open_point(slot: Slot, language: Locale) -> str:
    """What the change leaves open, and what it may be: to be said in the next change."""
    question = say(language, f"clarify.{slot.name}_{slot.reason}_question", words=slot.words)
    choices = ", ".join(option.label for option in slot.options)
    return f"{question} ({choices})" if choices else question


def _offers(slot: Slot, wanted: str) -> list[list[str]]:
    """The same change with each choice in the place of the words that left it open."""
    if slot.reason != "ambiguous" or not slot.words or slot.words not in wanted:
        return []
    return [[option.label, wanted.replace(slot.words, option.label)] for option in slot.options]


def _changed(state: RunState, meaning: Understanding) -> RunState:
    """The meaning with what was assumed of the question before, as far as it was not said now."""
    before = read(state, "understanding", Understanding)
    said = {item.key for item in meaning.assumptions}
    assumptions = (*(item for item in before.assumptions if item.key not in said), *meaning.assumptions)
    # What was not there is a line of this revision, and of no later one.
    assumptions = tuple(item for item in assumptions if item.key != ABSENT)
    unused = tuple(dict.fromkeys((*before.unused_words, *meaning.unused_words)))
    report = meaning.report or before.report
    merged = replace(meaning, language=before.language, assumptions=assumptions, unused_words=unused, report=report)
    origin: Origin = "trusted" if meaning.spec and meaning.spec.trusted_query else "compiled"
    return {"understanding": encode(merged), "spec": encode(meaning.spec), "origin": origin}


async def _compiled(state: RunState, deps: Deps) -> RunState | Objection:
    """Over the cheapest source that the guard lets pass."""
    try:
        linked = await schema_linker(state, deps)
    except SpecNotCompilable as error:
        return Objection(rule=error.code, message=say(language_of(state), "error.spec_not_compilable"))
    if linked.get("outcome"):
        refusal = decode_outcome(linked["outcome"])
        assert isinstance(refusal, Refusal)
        return Objection(rule=refusal.rule, message=refusal.message)
    return await _over_a_source({**state, **linked}, deps)


async def _over_a_source(state: RunState, deps: Deps) -> RunState | Objection:
    first: Objection | None = None
    for attempt in range(min(deps.max_attempts, len(state["linked"]))):
        tried: RunState = {**state, "attempts": attempt}
        tried = {**tried, **await sql_generator(tried, deps)}
        objection = await objection_to(tried, deps)
        if objection is None:
            return _version(tried)
        first = first or objection
        if objection.security:
            break
    assert first is not None
    return first


def _version(state: RunState) -> RunState:
    return {
        "understanding": state["understanding"],
        "spec": state["spec"],
        "origin": state["origin"],
        "linked": state["linked"],
        "attempts": state["attempts"],
        "sql": state["sql"],
        "columns": state["columns"],
    }


def _against(state: RunState, objection: Objection) -> RunState:
    return _nothing(say(language_of(state), "approval.turned_back", reason=objection.message), objection.rule)


def _nothing(why: str, rule: str = NO_CHANGE) -> RunState:
    return {"changes": [why], "turned_down": rule}
