"""From a heard message to its meaning: refusal, talk, chart wish, change of the last question, or a new one."""

from dataclasses import replace

from agent.sql.compile.sources import sources_for
from agent.understanding.absent import ABSENT, absent
from agent.understanding.access import members_declined, metrics_declined, rows_declined
from agent.understanding.complete import Drafted, Setting
from agent.understanding.declines import SESSION_TOPICS, declined, domain_declined, is_outside, session_topic, topic_of
from agent.understanding.domains import explains_better
from agent.understanding.earlier import before_the_last, continued, goes_back
from agent.understanding.edit import Edit
from agent.understanding.edit_metrics import unsettled_metric, with_chosen_metric
from agent.understanding.edits import edited, undone
from agent.understanding.follow_up import changes_chart_only, is_follow_up, parts_of, without_implied
from agent.understanding.future import with_history
from agent.understanding.hearing import Hearing
from agent.understanding.judge import assumed, slots_of
from agent.understanding.options import MOST_OPTIONS, OTHER_PERIOD, domain_options, metric_options, near_members
from agent.understanding.over_source import same_source
from agent.understanding.parts import Choice, Parts
from agent.understanding.pins import Answering, pinned
from agent.understanding.read_parts import read_parts
from agent.understanding.reports import redrawn, report_in, with_comparable_period
from agent.understanding.shown import asked_of_shown
from agent.understanding.templates import asked_as_written, resolve_template, with_trust
from agent.understanding.unchanged import same_question
from agent.values.memory import RememberedRun
from agent.values.spec import Assumption, Declined, QuerySpec, Relation, Slot, TurnType, Understanding
from semantic_catalog.model import MetricName

_MOST_ASSUMED = 4
_ASKING = 0.5
_AGAIN = ("same", "back_to", "back_to_first")


def refused(heard: Hearing) -> Understanding | None:
    """The refusals that need no reading of the question."""
    catalog, memory = heard.book.catalog, heard.question.memory
    reason = declined(heard.question.text, heard.best.reading, heard.requests, catalog, memory)
    outside = not heard.candidates or explains_better(heard.best, heard.candidates[0])
    if reason is None and outside:
        reason = domain_declined(heard.best.domain, heard.locale)
    if reason is None and is_outside(heard.best.reading, heard.requests):
        reason = _out_of_scope(heard)
    return _plain(heard, "general", declined=reason) if reason else None


def _out_of_scope(heard: Hearing) -> Declined:
    known = heard.book.catalog.domains
    labels = [domain.names.in_locale(heard.locale) for domain in known if domain.name in heard.principal.domains]
    return Declined(rule="out_of_scope", params=(("domains", ", ".join(labels)),))


def understood(heard: Hearing) -> Understanding:
    """The meaning of a message that may be answered."""
    return replace(_meaning(heard), report=report_in(heard.reading))


def _meaning(heard: Hearing) -> Understanding:
    session = session_topic(heard.requests, heard.reading)
    if session and heard.question.memory.runs:
        return _plain(heard, "general", relation="session_reference", topic=session)
    if len(heard.candidates) > 1:
        return _which_domain(heard)
    parts = read_parts(heard.reading, heard.lexicon, heard.domain, heard.question.today, _context(heard))
    parts = replace(parts, near=(*heard.near, *near_members(parts.blocking, heard.domain, heard.locale)))
    talk = _talk(heard, parts)
    if talk:
        return talk
    signed = asked_as_written(heard.question.text, heard.domain)
    if signed and not heard.question.pinned:
        spec = resolve_template(signed.spec, heard.domain, heard.question.today)
        return _answerable(heard, parts, Drafted(spec=replace(spec, trusted_query=signed.name)), "new_query")
    return _question(heard, parts)


def _which_domain(heard: Hearing) -> Understanding:
    options = domain_options([candidate.domain for candidate in heard.candidates], heard.locale)
    slot = Slot(name="domain", reason="ambiguous", options=options)
    return replace(_plain(heard, "new_query"), slots=(slot,), confidence=_ASKING)


def _last(heard: Hearing) -> RememberedRun | None:
    """The answered question of the thread that the message may go on from."""
    return continued(heard.reading, heard.question.memory, heard.domain.name)


def _context(heard: Hearing) -> tuple[MetricName, ...]:
    last = _last(heard)
    return last.spec.metrics if last and last.spec else ()


def _talk(heard: Hearing, parts: Parts) -> Understanding | None:
    """Messages that ask for no new numbers."""
    last, reading = _last(heard), heard.reading
    topic = topic_of(heard.requests, parts, heard.reading)
    if topic in SESSION_TOPICS:
        return _plain(heard, "general", relation="session_reference", topic=topic)
    if topic:
        subject = parts.metrics[0] if topic == "definition" else None
        return replace(_plain(heard, "general", topic=topic), subject=subject)
    if last is None or last.spec is None:
        return None
    if reading.has("why") and set(parts.metrics) <= set(last.spec.metrics):
        return _plain(heard, "discuss", relation="analytical_follow_up", topic="why")
    shown = asked_of_shown(reading, parts, last.spec, heard.domain)
    if shown is not None:
        return replace(_plain(heard, "discuss", relation="analytical_follow_up", topic="shown"), shown=shown)
    if changes_chart_only(parts, reading):
        spec = redrawn(last.spec, parts.chart, report_in(reading))
        return replace(_plain(heard, "viz_change", relation="analytical_follow_up"), spec=spec)
    if reading.has("forecast") and not parts.metrics:
        return replace(_plain(heard, "forecast", relation="analytical_follow_up"), spec=last.spec)
    return None


def _question(heard: Hearing, parts: Parts) -> Understanding:
    """A question for data: a new one, or a change of the last one."""
    last = _last(heard)
    undoes = any(request.name == "undo" for request in heard.requests) and not goes_back(heard.reading)
    if last and last.spec and undoes:
        return _undo(heard, parts, last.spec)
    if last and last.spec:
        parts = without_implied(parts, heard.reading, last.spec, heard.domain)
    if last and last.spec and (goes_back(heard.reading) or is_follow_up(parts, heard.reading, last.spec)):
        chosen = with_chosen_metric(parts, heard.question.pinned)
        if chosen is not parts:
            parts, heard = chosen, _without_pins(heard, "metric")
        edit = Edit(parts=parts, reading=heard.reading, domain=heard.domain)
        choice = unsettled_metric(edit)
        if choice is not None:
            return _which_metric(heard, choice)
        whole = replace(edited(parts_of(last.spec), edit), near=parts.near)
        turn: TurnType = "drill_down" if set(whole.dimensions) - set(last.spec.dimensions) else "refine"
        meaning = _completed(heard, whole, turn)
        meaning = same_source(meaning, last.spec, heard.domain, heard.question.today)
        meaning = _saying_what_is_absent(meaning, heard, last.spec)
        return meaning if heard.reading.has(*_AGAIN) else _unless_unchanged(meaning, heard, last.spec)
    if heard.reading.has("forecast"):
        return _completed(heard, with_history(parts, heard), "forecast")
    return _completed(heard, with_comparable_period(parts, heard.reading), "new_query")


def _without_pins(heard: Hearing, slot: str) -> Hearing:
    pinned = tuple(each for each in heard.question.pinned if each[0] != slot)
    return replace(heard, question=replace(heard.question, pinned=pinned))


def _which_metric(heard: Hearing, choice: Choice) -> Understanding:
    options = metric_options(choice.names[:MOST_OPTIONS], heard.domain, heard.locale)
    slot = Slot(name="metric", reason="ambiguous", words=choice.words, options=options)
    asked = _plain(heard, "refine", relation="analytical_follow_up")
    return replace(asked, slots=(slot,), confidence=_ASKING)


def _unless_unchanged(meaning: Understanding, heard: Hearing, last: QuerySpec) -> Understanding:
    """The meaning, unless it asks what was answered last: that is said instead of asked again."""
    if meaning.spec is None or meaning.slots or meaning.unused_words or not same_question(meaning.spec, last):
        return meaning
    missing = absent(heard.reading, last, heard.domain)
    said = _plain(heard, "general", relation="session_reference", topic="absent" if missing else "unchanged")
    return replace(said, unused_words=missing)


def _saying_what_is_absent(meaning: Understanding, heard: Hearing, last: QuerySpec) -> Understanding:
    """The change, with what it was to take out and is not there."""
    missing = absent(heard.reading, last, heard.domain) if meaning.spec else ()
    if not missing:
        return meaning
    said = Assumption(key=ABSENT, params=(("names", ", ".join(missing)),))
    return replace(meaning, assumptions=(*meaning.assumptions, said))


def _undo(heard: Hearing, parts: Parts, last: QuerySpec) -> Understanding:
    """The question before the last one, further back each time; or the last one without the filter that is named."""
    if parts.filters:
        edit = Edit(parts=parts, reading=heard.reading, domain=heard.domain)
        return _completed(heard, undone(parts_of(last), edit), "refine")
    before = before_the_last(heard.question.memory, heard.domain.name)
    if before is None:
        return _plain(heard, "general", relation="session_reference", topic="nothing_to_undo")
    return same_source(_completed(heard, parts_of(before), "refine"), before, heard.domain, heard.question.today)


def _completed(heard: Hearing, parts: Parts, turn: TurnType) -> Understanding:
    parts = pinned(parts, heard.question.pinned, _answering(heard))
    setting = _setting(heard)
    slots, draft = slots_of(parts, setting)
    taken: tuple[Assumption, ...] = ()
    for _ in range(_MOST_ASSUMED if setting.assume else 0):
        if not slots or not slots[0].options:
            break
        first = slots[0]
        taken = (*taken, assumed(first))
        parts = pinned(parts, ((first.name, first.options[0].value),), _answering(heard))
        slots, draft = slots_of(parts, setting)
    if slots or draft is None:
        # A complete question is judged where it becomes SQL, which can offer questions near it.
        refusal = metrics_declined(parts.metrics, heard.domain, heard.principal, heard.locale)
        refusal = refusal or members_declined(parts.filters, heard.domain, heard.principal)
        if refusal:
            return _plain(heard, turn, declined=refusal)
        asked = _plain(heard, turn, relation=_relation(turn))
        return replace(asked, slots=slots, confidence=_ASKING, unused_words=parts.unused)
    return _answerable(heard, parts, replace(draft, assumptions=(*taken, *draft.assumptions)), turn)


def _answerable(heard: Hearing, parts: Parts, draft: Drafted, turn: TurnType) -> Understanding:
    """A complete spec, refused after all when it is only about rows the asker may not see."""
    domain, today = heard.domain, heard.question.today
    refusal = rows_declined(draft.spec, domain, sources_for(draft.spec, domain, today), heard.principal)
    if refusal:
        return _plain(heard, turn, declined=refusal)
    # What somebody signed for has no words in it that nobody understood.
    spec = draft.spec if parts.unused else with_trust(draft.spec, domain, today)
    return replace(
        _plain(heard, turn, relation=_relation(turn)),
        spec=spec,
        assumptions=(*_corrected(heard), *draft.assumptions),
        unused_words=parts.unused,
        confidence=_confidence(heard, parts, draft),
        source="trusted" if spec.trusted_query else "rules",
    )


def _corrected(heard: Hearing) -> tuple[Assumption, ...]:
    return tuple(
        Assumption(key="corrected", params=(("typed", each.typed), ("read", each.read))) for each in heard.corrections
    )


def _confidence(heard: Hearing, parts: Parts, draft: Drafted) -> float:
    """1 for a message used to the last word; less for each word not used, corrected or taken for granted."""
    doubts = 0.15 * len(parts.unused) + 0.05 * len(heard.corrections) + 0.02 * len(draft.assumptions)
    return round(max(0.2, 1.0 - doubts), 2)


def _relation(turn: TurnType) -> Relation:
    return "analytical_follow_up" if turn in ("refine", "drill_down") else "independent_request"


def _setting(heard: Hearing) -> Setting:
    question = heard.question
    return Setting(
        domain=heard.domain,
        locale=heard.locale,
        today=question.today,
        assume=question.assume_defaults,
        other_periods=("period", OTHER_PERIOD) in question.pinned,
    )


def _answering(heard: Hearing) -> Answering:
    return Answering(domain=heard.domain, book=heard.book, locale=heard.locale, today=heard.question.today)


def _plain(
    heard: Hearing,
    turn: TurnType,
    *,
    relation: Relation = "independent_request",
    topic: str = "",
    declined: Declined | None = None,
) -> Understanding:
    return Understanding(
        relation=relation,
        turn_type=turn,
        language=heard.locale,
        confidence=1.0,
        domain=heard.domain.name if heard.candidates else None,
        topic=topic,
        declined=declined,
    )
