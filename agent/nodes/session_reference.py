"""Questions about what was done before: answered from memory, no SQL."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, language_of, read
from agent.understanding.over_source import NOT_HELD
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.spec import QuerySpec, Understanding
from agent.values.usage import Usage
from agent.wording.dates import instant, period_with_words
from agent.wording.numbers import count, decimal
from agent.wording.spec_words import filters_said, ordering_said, thresholds_said
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale

_OF_CHANGES = ("unchanged", "absent", "nothing_to_undo")


async def session_reference(state: RunState, deps: Deps) -> RunState:
    """The asker's last query in the thread, as they ask: its SQL word for word, its period, source, filters, cost, who
    signed for it or the tokens it took; or why the change that they ask for would change nothing.
    """
    meaning = read(state, "understanding", Understanding)
    topic = meaning.topic
    if topic == NOT_HELD:
        source, *names = meaning.unused_words
        return reply(state, "reply.source_not_held", source=source, names=", ".join(names))
    if topic in _OF_CHANGES:
        return reply(state, f"reply.{topic}", names=", ".join(meaning.unused_words))
    own = [run for run in read(state, "memory", ThreadMemory).runs if run.query and run.asker == state["asker"]]
    if not own:
        return reply(state, "reply.nothing_ran")
    last = own[0] if topic == "first_sql" else own[-1]
    assert last.query is not None
    language = language_of(state)
    domain = deps.catalog_now().domain(last.query.domain)
    match topic:
        case "period" if last.spec is not None and last.spec.period is not None:
            return reply(state, "reply.last_period", period=period_with_words(last.spec.period, language))
        case "source":
            return reply(state, "reply.last_source", source=_sources(last, domain, language), until=last.data_until)
        case "filters" if last.spec is not None:
            filters = _filters(last.spec, domain, language) or say(language, "reply.no_filters")
            return reply(state, "reply.last_filters", filters=filters)
        case "cost":
            return reply(state, "reply.last_cost", **_cost(last, language))
        case "signature" if last.signature is not None:
            return reply(
                state,
                "reply.last_signature",
                approved_by=last.signature.by,
                when=instant(last.signature.at, domain.timezone, language),
            )
        case "tokens":
            return _tokens(state, last.usage, language)
        case _:
            when = instant(last.finished_at, domain.timezone, language)
            signed = last.signature.by if last.signature else ""
            return reply(state, "reply.last_query", question=last.question, sql=last.sql, approved_by=signed, when=when)


def _filters(spec: QuerySpec, domain: Domain, language: Locale) -> str:
    """Members kept and left out, conditions, and the order with its number of rows, as the receipt has them."""
    said = (*filters_said(spec, domain, language), *thresholds_said(spec, domain, language))
    return "; ".join(part for part in (*said, ordering_said(spec, domain, language)) if part)


def _cost(last: RememberedRun, language: Locale) -> dict[str, str]:
    estimate, rows = last.estimate, last.result.row_count if last.result else 0
    return {
        "cost": count(round(estimate.plan_cost), language) if estimate else "0",
        "seconds": decimal(last.seconds, language, decimals=1),
        "rows": count(rows, language),
    }


def _tokens(state: RunState, usage: Usage, language: Locale) -> RunState:
    if not usage.llm_calls:
        return reply(state, "reply.no_tokens")
    spent, calls = count(usage.tokens_in + usage.tokens_out, language), count(usage.llm_calls, language)
    return reply(state, "reply.last_tokens", tokens=spent, calls=calls)


def _sources(last: RememberedRun, domain: Domain, language: Locale) -> str:
    assert last.query is not None
    return ", ".join(e.names.in_locale(language) for e in domain.entities if e.source in last.query.sources)
