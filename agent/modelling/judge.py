"""A second reading of results whose SQL a model wrote: rules cannot tell whether such SQL says what was asked."""

from dataclasses import dataclass, replace

from pydantic import Field

from agent.analysis.check_numbers import unsupported_numbers
from agent.codec import encode
from agent.errors import ModelError
from agent.modelling.asking import Asked, Output, ask, schema_of
from agent.modelling.prompts import material, rules_of
from agent.ports import Model
from agent.values.completion import Prompt
from agent.values.result import Doubt, ResultSample, ResultTable, Verification
from agent.values.usage import NO_USAGE, Usage, added
from semantic_catalog.model import Locale

_ATTEMPTS = 3
_LONGEST_REASON = 200
_LEAST_SURE = 0.6
UNJUDGED = 0.75
"""How sure a result is that passed every check by rules and that no model could judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A result and what it is meant to answer. `table` is what a number in the model's reason is checked against."""

    question: str
    title: str
    sql: str
    sample: ResultSample
    table: ResultTable
    language: Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verification after the second reading, and what that cost."""

    verification: Verification
    usage: Usage


class JudgementOutput(Output):
    """Whether the result answers the question."""

    answers: bool
    confidence: float = Field(ge=0, le=1)
    reason: str


class ResultJudge:
    """Asks the verifier agent. Its doubt lowers the confidence of a result and never raises it."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def judge(self, case: Case, verification: Verification) -> Judged:
        """The verification with the judgement in it. A doubt is asked about once more before it is shown.

        Never raises for the model: without a judgement the checks by rules stand, at the confidence `UNJUDGED`.
        """
        usage = NO_USAGE
        try:
            first = await self._asked(case)
            usage = first.usage
            if _is_sure(first.output):
                return Judged(verification=replace(verification, confidence=first.output.confidence), usage=usage)
            again = await self._asked(case)
            usage = added(usage, again.usage)
        except ModelError as error:
            return Judged(verification=replace(verification, confidence=UNJUDGED), usage=added(usage, error.usage))
        if _is_sure(again.output):
            return Judged(verification=replace(verification, confidence=again.output.confidence), usage=usage)
        return Judged(verification=_doubted(verification, again.output, case), usage=usage)

    async def _asked(self, case: Case) -> Asked[JudgementOutput]:
        said = material(
            question=case.question,
            title=case.title,
            language=case.language,
            sql=case.sql,
            columns=[column.name for column in case.sample.columns],
            rows=encode(case.sample)["rows"],
        )
        prompt = Prompt(
            agent="verifier",
            rules=rules_of("verifier"),
            material=said,
            name="judgement",
            schema=schema_of(JudgementOutput),
        )
        return await ask(self._model, prompt, JudgementOutput, attempts=_ATTEMPTS)


def _is_sure(output: JudgementOutput) -> bool:
    return output.answers and output.confidence >= _LEAST_SURE


def _doubted(verification: Verification, output: JudgementOutput, case: Case) -> Verification:
    doubt = Doubt(key="model_doubts", params=(("reason", _reason(output, case)),))
    return replace(
        verification,
        status="low_confidence" if verification.status == "success" else verification.status,
        confidence=min(verification.confidence, output.confidence),
        doubts=(*verification.doubts, doubt),
    )


def _reason(output: JudgementOutput, case: Case) -> str:
    """The model's reason as one line; nothing when a number in it is not the result's."""
    line = " ".join(output.reason.split())[:_LONGEST_REASON]
    wrong = unsupported_numbers(line, case.table, (), None, case.language, len(case.table.rows))
    return "" if wrong else line
