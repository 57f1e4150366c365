"""A model's pending statement, rewritten as a person wishes."""

from dataclasses import dataclass, replace

from agent.codec import encode
from agent.deps import Deps
from agent.errors import ModelError, ModelOverBudget
from agent.modelling.sql_writer import Repair, SqlRequest, SqlWriter, is_mendable
from agent.nodes.sql_validator import check_for
from agent.objections import Objection, objection_to
from agent.reading import domain_of, today_of
from agent.receipts import title_of
from agent.spelling import as_stored
from agent.state import RunState, language_of, read, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.governance import Decision, Refused
from agent.values.identity import RunId
from agent.values.spec import FreeSql, Understanding
from agent.values.usage import NO_USAGE
from agent.wording.budgets import budget_refusal
from agent.wording.texts import say
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The update with the new statement, or what speaks against it; `cost` is the update that counts the calls."""

    update: RunState
    cost: RunState
    objection: Objection | None = None


async def rewritten(state: RunState, deps: Deps, writer: SqlWriter) -> Rewriting:
    """The statement as wished, once guard, engine and caps let it pass.

    A finding that can be mended goes back to the model, `deps.max_attempts` statements in all.
    """
    repair: Repair | None = None
    tried, cost = state, spent(state, NO_USAGE)
    for _ in range(deps.max_attempts):
        try:
            asked = writer.write(_request(state, deps, repair))
            written = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, asked)
        except ModelError as error:
            return Rewriting(update={}, cost=spent(tried, error.usage), objection=_without(error, language_of(state)))
        cost = spent(tried, written.usage)
        tried = {**state, **cost, **await as_stored(written.sql, state, deps)}
        checked = check_for(tried, deps)
        if not isinstance(checked, Refused) or not _is_mendable(checked, state, deps):
            break
        repair = Repair(sql=tried["sql"], findings=checked.findings)
    update: RunState = {"sql": tried["sql"], "columns": [], "attempts": 0, "understanding": retitled(tried, deps)}
    return Rewriting(update=update, cost=cost, objection=await objection_to(tried, deps))


def _without(error: ModelError, language: Locale) -> Objection:
    """Why no model wrote anything."""
    if isinstance(error, ModelOverBudget) and error.overrun:
        return Objection(rule=error.overrun.rule, message=budget_refusal(error.overrun, language))
    return Objection(rule=error.code, message=say(language, f"error.{error.code}"))


def retitled(state: RunState, deps: Deps) -> object:
    """The meaning with the wish in its title: the card says what the new statement is for."""
    meaning = read(state, "understanding", Understanding)
    wish = read(state, "decision", Decision).text
    title = say(language_of(state), "model.title_changed", title=title_of(state, deps), wish=wish)
    return encode(replace(meaning, free_sql=FreeSql(title=title)))


def _is_mendable(refused: Refused, state: RunState, deps: Deps) -> bool:
    domain = domain_of(state, deps)
    return all(is_mendable(finding, domain) for finding in refused.findings)


def _request(state: RunState, deps: Deps, repair: Repair | None) -> SqlRequest:
    return SqlRequest(
        question=state["text"],
        title=title_of(state, deps),
        domain=domain_of(state, deps),
        principal=deps.principal(state["asker"]),
        language=language_of(state),
        today=today_of(deps),
        earlier_sql=state["sql"],
        wish=read(state, "decision", Decision).text,
        repair=repair,
    )
