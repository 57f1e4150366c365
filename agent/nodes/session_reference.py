"""Questions about what was done before: answered from memory, no SQL."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, language_of, read
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.spec import Understanding
from agent.wording.dates import instant, period_with_words
from semantic_catalog.model import Domain, Locale


async def session_reference(state: RunState, deps: Deps) -> RunState:
    """The asker's last query in the thread: its SQL word for word, its period or its source, as they ask."""
    topic = read(state, "understanding", Understanding).topic
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
        case _:
            when = instant(last.finished_at, domain.timezone, language)
            signed = last.signature.by if last.signature else ""
            return reply(state, "reply.last_query", question=last.question, sql=last.sql, approved_by=signed, when=when)


def _sources(last: RememberedRun, domain: Domain, language: Locale) -> str:
    assert last.query is not None
    return ", ".join(e.names.in_locale(language) for e in domain.entities if e.source in last.query.sources)
