"""Who reads a question: rules, a model, or rules first and a model where they end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import structlog

from agent.errors import ModelError, ModelOverBudget
from agent.ports import Interpreter
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.spec import Assumption, Slot, Understanding
from agent.wording.budgets import model_left_out

log = structlog.get_logger()

PlannerMode = Literal["auto", "rules", "llm"]
_SURE = 0.8
# What the asker alone can tell: no model may guess it for them.
_ASKED_ON_PURPOSE = ("ambiguous", "missing", "not_offered")


class Planner:
    """Implements `Interpreter`. Refusals and signed questions are the rules' in every mode.

    `auto`: the rules' reading stands when it covers the whole message; else the model reads it. A model that fails, or
    finds nothing the catalog bears out, leaves the rules' reading, with a notice where it failed.
    """

    def __init__(self, rules: Interpreter, model: Interpreter | None, mode: PlannerMode) -> None:
        self._rules = rules
        self._model = model
        self._mode = mode

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning. Raises `agent.errors.WarehouseUnavailable`."""
        by_rules = await self._rules.interpret(question, principal)
        if self._model is None or self._mode == "rules" or question.rules_only or _is_settled(by_rules):
            return by_rules
        if self._mode == "auto" and covers(by_rules):
            return by_rules
        try:
            by_model = await self._model.interpret(question, principal)
        except ModelError as error:
            log.warning("read_by_rules", code=error.code)
            return replace(_noticed(by_rules, error), usage=error.usage)
        return replace(_better(by_model, by_rules), report=by_rules.report)


def covers(meaning: Understanding) -> bool:
    """Whether the rules' reading explains the whole message, or asks what only the asker can tell."""
    if meaning.unused_words:
        return False
    if meaning.slots:
        return all(slot.reason in _ASKED_ON_PURPOSE for slot in meaning.slots) and not _is_blank(meaning.slots)
    return meaning.confidence >= _SURE


def _is_blank(slots: Sequence[Slot]) -> bool:
    """Whether not even a metric was found, so that everything is asked."""
    return any(slot.name == "metric" and slot.reason == "missing" for slot in slots)


def _is_settled(meaning: Understanding) -> bool:
    return meaning.declined is not None or meaning.source == "trusted" or meaning.relation == "session_reference"


def _better(by_model: Understanding, by_rules: Understanding) -> Understanding:
    answers = by_model.spec is not None or by_model.free_sql is not None or by_model.declined is not None
    asks = bool(by_model.slots) and all(slot.name != "metric" for slot in by_model.slots)
    return by_model if answers or asks else replace(by_rules, usage=by_model.usage)


def _noticed(meaning: Understanding, error: ModelError) -> Understanding:
    """The rules' reading, saying that the model could not help, or why it was not asked."""
    over = error.overrun if isinstance(error, ModelOverBudget) else None
    said = model_left_out(over, meaning.language) if over else Assumption(key="model_away")
    return replace(meaning, assumptions=(*meaning.assumptions, said))
