"""Reading a message into the run's state: shared by the first reading and by the one after a clarification."""

from dataclasses import replace
from datetime import date

from agent.codec import encode
from agent.deps import Deps
from agent.errors import SpecNotCompilable
from agent.state import RunState, encode_outcome, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.identity import RunId
from agent.values.memory import Question, ThreadMemory
from agent.values.outcome import Clarification, Outcome, Refusal
from agent.values.personal import PersonalMemory
from agent.values.spec import Declined, Slot, Understanding
from agent.wording.assumptions import assumption_texts
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale


async def read_message(state: RunState, deps: Deps) -> RunState:
    """Interpret the run's text with everything pinned so far; the update holds the meaning and, if any, its outcome.

    What was chosen with a button of an answer needs no reading: it is the meaning. What the asker confirmed in any
    thread counts as of now: they may have had it forgotten since the first reading.
    """
    principal = deps.principal(state["asker"])
    personal: RunState = {"personal": encode(await deps.personal.of(principal.id, deps.clock.now()))}
    state = {**state, **personal}
    chosen = read(state, "chosen", Understanding) if state.get("chosen") else None
    understanding = chosen
    if understanding is None:
        asked = deps.interpreter.interpret(question_of(state, deps), principal)
        understanding = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, asked)
    if understanding.remembered:
        await deps.personal.used(principal.id, understanding.remembered, deps.clock.now())
    outcome = _outcome_of(understanding, state)
    return {
        **personal,
        **spent(state, understanding.usage),
        "understanding": encode(understanding),
        "language": understanding.language,
        "outcome": encode_outcome(outcome) if outcome else None,
    }


def question_of(state: RunState, deps: Deps) -> Question:
    """The message as the interpreter takes it. After the allowed rounds it is asked to take defaults."""
    return Question(
        text=state["text"],
        locale=language_of(state) if state.get("locale") else None,
        today=today_of(deps),
        memory=read(state, "memory", ThreadMemory),
        pinned=tuple((slot, value) for slot, value in state.get("pinned", [])),
        assume_defaults=state.get("rounds", 0) >= deps.max_clarification_rounds,
        personal=read(state, "personal", tuple[PersonalMemory, ...]) if state.get("personal") else (),
    )


def domain_of(state: RunState, deps: Deps) -> Domain:
    """The domain that the run's query is about.

    Raises `SpecNotCompilable` when it is about none, and `DomainGone` for one that the catalog no longer has.
    """
    spec = spec_of(state)
    name = spec.domain if spec else read(state, "understanding", Understanding).domain
    if name is None:
        raise SpecNotCompilable("a query without a domain")
    return deps.catalog_now().domain(name)


def today_of(deps: Deps) -> date:
    """Today where the domains' data lives (all domains of one catalog share a clock)."""
    return deps.clock.today(deps.catalog_now().domains[0].timezone)


def _outcome_of(understanding: Understanding, state: RunState) -> Outcome | None:
    run = RunId(state["run"])
    if understanding.declined:
        return refusal_of(understanding.declined, run, understanding.language)
    if understanding.slots:
        asked = _clarification(understanding.slots[0], run, understanding.language, state.get("rounds", 0) + 1)
        asked = replace(asked, domain=understanding.domain)
        return _with_notices(asked, assumption_texts(understanding.assumptions, understanding.language))
    return None


def paused(domain: Domain, language: Locale) -> Declined:
    """Why nothing may be read from a domain that an administrator paused."""
    return Declined(rule="domain_paused", params=(("domain", domain.names.in_locale(language)),))


def refusal_of(declined: Declined, run: RunId, locale: Locale) -> Refusal:
    """A question that must not become SQL, in words."""
    params = dict(declined.params)
    return Refusal(
        run=run,
        locale=locale,
        rule=declined.rule,
        message=say(locale, f"refusal.{declined.rule}", **params),
        next_step=say(locale, "answer.refusal_next_step"),
    )


def _clarification(slot: Slot, run: RunId, locale: Locale, round_number: int) -> Clarification:
    key = f"clarify.{slot.name}_{slot.reason}"
    return Clarification(
        run=run,
        locale=locale,
        slot=slot.name,
        question=say(locale, f"{key}_question", words=slot.words),
        reason=say(locale, f"{key}_why", words=slot.words),
        options=slot.options,
        round=round_number,
        words=slot.words,
    )


def _with_notices(asked: Clarification, notices: tuple[str, ...]) -> Clarification:
    """What the person should know before they answer, such as that no model could be asked."""
    return replace(asked, reason=" ".join((asked.reason, *notices)), assumptions=notices)
