"""Greetings, thanks, 'what can you do?' and 'what does this mean?'."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, language_of, read
from agent.values.spec import Understanding
from semantic_catalog.model import Domain, Locale

_OFFERED_METRICS = 6


async def general_respond(state: RunState, deps: Deps) -> RunState:
    """Answers in words, naming only domains and metrics this person may see, in their language."""
    principal = deps.principal(state["asker"])
    visible = tuple(domain for domain in deps.catalog_now().domains if domain.name in principal.domains)
    if not visible:
        return reply(state, "reply.no_domain")
    understanding = read(state, "understanding", Understanding)
    language = language_of(state)
    match understanding.topic:
        case "thanks":
            return reply(state, "general.thanks")
        case "greeting":
            return reply(state, "general.greeting", example=_example(visible, language))
        case "definition":
            return _definition(state, understanding, visible)
        case _:
            return reply(state, "general.capabilities", offers="\n".join(_offer(d, language) for d in visible))


def _offer(domain: Domain, language: Locale) -> str:
    metrics = ", ".join(metric.names.in_locale(language) for metric in domain.metrics[:_OFFERED_METRICS])
    return f"{domain.names.in_locale(language)}: {metrics}"


def _example(visible: tuple[Domain, ...], language: Locale) -> str:
    examples = (example for domain in visible for example in domain.examples if example.locale == language)
    first = next(examples, None)
    return first.question if first else visible[0].metrics[0].names.in_locale(language)


def _definition(state: RunState, understanding: Understanding, visible: tuple[Domain, ...]) -> RunState:
    language = language_of(state)
    named = (m for domain in visible for m in domain.metrics if m.name == understanding.subject)
    metric = next(named, None)
    if metric is None:
        return reply(state, "general.capabilities", offers="\n".join(_offer(d, language) for d in visible))
    description = metric.names.description.get(language) or metric.names.description.get("en", "")
    return reply(state, "general.definition", metric=metric.names.in_locale(language), description=description)
