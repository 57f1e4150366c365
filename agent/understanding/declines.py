"""Messages that must not become SQL, told before anything else is read."""

import re
from collections.abc import Sequence

from agent.understanding.mentions import Reading, all_small_words
from agent.understanding.parts import Parts
from agent.understanding.patterns import Found
from agent.values.memory import ThreadMemory
from agent.values.spec import Declined
from semantic_catalog.model import Catalog, Domain, Locale

_SYSTEM_SCHEMAS = ("pg_catalog", "information_schema", "mysql", "performance_schema", "pg_temp", "sys")


def declined(
    text: str, reading: Reading, requests: Sequence[Found], catalog: Catalog, memory: ThreadMemory
) -> Declined | None:
    """The reason to refuse the message outright, or None."""
    asked = {request.name for request in requests}
    if "injection" in asked or _names_hidden_schema(text, catalog):
        return Declined(rule="raw_sql_hidden")
    if "write" in asked and _means_data(reading, asked, memory):
        return Declined(rule="write_request")
    secret = _sensitive(reading, requests)
    return Declined(rule="not_in_catalog", params=(("words", secret),)) if secret else None


def is_outside(reading: Reading, requests: Sequence[Found]) -> bool:
    """Whether the message is about something that no data here tells: the weather, a poem, who won."""
    measured = any(m.of_kind("metric") or m.of_kind("dimension") for m in reading.mentions)
    return not measured and any(request.name == "outside" for request in requests)


def _names_hidden_schema(text: str, catalog: Catalog) -> bool:
    schemas = {*_SYSTEM_SCHEMAS, *(schema for domain in catalog.domains for schema in domain.hidden_schemas)}
    names = "|".join(map(re.escape, sorted(schemas)))
    unmistakable = any(name in text.casefold() for name in ("pg_catalog", "information_schema"))
    return unmistakable or re.search(rf"\b({names})\s*\.\s*\w", text, re.IGNORECASE) is not None


def _means_data(reading: Reading, asked: set[str], memory: ThreadMemory) -> bool:
    """Whether the command is about stored data, and not about the filter, limit or columns of an answer."""
    if reading.has("filter_word", "limit_word", "chart"):
        return False
    named = {term.name for mention in reading.mentions for term in mention.of_kind("metric")}
    shown = set(memory.last.spec.metrics) if memory.last and memory.last.spec else set()
    timed = any(mention.kind == "time" for mention in reading.mentions)
    if "record" in asked or timed or (named and not named & shown):
        return True
    return memory.last is None


def _sensitive(reading: Reading, requests: Sequence[Found]) -> str:
    """Words for things about people that no governed source holds, unless they are part of a catalog's name."""
    for request in (each for each in requests if each.name == "sensitive"):
        inside = any(m.start <= request.start and request.end <= m.end and m.terms for m in reading.mentions)
        if not inside:
            return reading.text_of(request.start, request.end)
    return ""


def topic_of(requests: Sequence[Found], parts: Parts, reading: Reading) -> str:
    """What a message without a question is about; empty when it asks for data."""
    asked = {request.name for request in requests}
    if "session_sql" in asked and not (parts.period or parts.grain or parts.having):
        return "first_sql" if "first_sql" in asked else "sql"
    about_run = next((topic for name, topic in _ABOUT_RUN if name in asked), "")
    if about_run and not (parts.period or parts.grain or parts.having or parts.dimensions):
        return about_run
    if parts.metrics or parts.metric_choice:
        alone = not (parts.period or parts.dimensions or parts.filters or parts.grain)
        defines = "definition" in asked or _asks_what_is(requests, reading)
        return "definition" if defines and alone and parts.metrics else ""
    for name, topic in _TOPICS:
        if name in asked and not parts.dimensions and not parts.filters and not parts.rank:
            return topic if topic in _STRONG_TOPICS or not parts.blocking else ""
    return ""


def session_topic(requests: Sequence[Found], reading: Reading) -> str:
    """What of the last run a message asks that says nothing else: 'what did that query cost?' names no costs."""
    small = all_small_words()
    said = {at for at, token in enumerate(reading.tokens) if token.word not in small}
    about = (each for each in requests if each.name in _RUN_TOPICS)
    whole = (each for each in about if said <= {*range(each.start, each.end)})
    return next((_RUN_TOPICS[each.name] for each in whole), "")


def _asks_what_is(requests: Sequence[Found], reading: Reading) -> bool:
    """'What is take rate?', without an article; 'what is the take rate?' asks for the figure."""
    ends = {request.end for request in requests if request.name == "what_is" and request.start == 0}
    return any(mention.start in ends and mention.of_kind("metric") for mention in reading.mentions)


_ABOUT_RUN = (
    ("session_cost", "cost"),
    ("session_tokens", "tokens"),
    ("session_filters", "filters"),
    ("session_signature", "signature"),
)
_RUN_TOPICS = dict((*_ABOUT_RUN, ("session_period", "period"), ("session_source", "source")))
_TOPICS = (
    ("session_period", "period"),
    ("session_source", "source"),
    ("capabilities", "capabilities"),
    ("thanks", "thanks"),
    ("greeting", "greeting"),
)
_STRONG_TOPICS = frozenset({"period", "source", "capabilities", "cost", "tokens", "filters", "signature"})
SESSION_TOPICS = frozenset({"sql", "first_sql", "period", "source", "cost", "tokens", "filters", "signature"})


def domain_declined(domain: Domain, locale: Locale) -> Declined:
    """The question belongs to a domain that the asker may not see."""
    return Declined(rule="domain_not_permitted", params=(("domain", domain.names.in_locale(locale)),))
