"""The words of an answer by a model, where every number of them is the result's; the rules' words otherwise."""

from dataclasses import dataclass

from agent.analysis.check_numbers import unsupported_numbers
from agent.analysis.members import with_member_labels
from agent.errors import ModelError
from agent.modelling.asking import Output, ask, schema_of
from agent.modelling.prompts import material, rules_of
from agent.ports import Model
from agent.values.completion import Prompt
from agent.values.result import Kpi, Narrative, ResultTable
from agent.values.spec import QuerySpec
from agent.values.usage import Usage
from agent.wording.numbers import write_cell
from semantic_catalog.model import Domain, Locale

_ROWS = 40
_LONGEST = 300
_MOST_HIGHLIGHTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The narrative to post, and what asking for it cost."""

    narrative: Narrative
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer to be put into words, and the words that rules found for it. `most_lines` of highlights are wanted."""

    question: str
    table: ResultTable
    spec: QuerySpec | None
    kpis: tuple[Kpi, ...]
    row_count: int
    domain: Domain
    language: Locale
    draft: Narrative
    most_lines: int = _MOST_HIGHLIGHTS


class ExplanationOutput(Output):
    """The sentence that answers, and what else matters."""

    lead: str
    highlights: list[str]


class Explainer:
    """Asks the explanation agent, once an answer."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def explain(self, told: Told) -> Explained:
        """The model's words, without each highlight that has a number the result does not bear out.

        A lead with such a number, an overlong one or none, and any failure of the model leave the rules' words.
        """
        try:
            asked = await ask(self._model, _prompt(told), ExplanationOutput)
        except ModelError as error:
            return Explained(narrative=told.draft, usage=error.usage)
        return Explained(narrative=_checked(asked.output, told), usage=asked.usage)


def _prompt(told: Told) -> Prompt:
    draft = told.draft
    said = material(
        question=told.question,
        language=told.language,
        columns=[column.label for column in told.table.columns],
        rows=_rows(told),
        most_lines=told.most_lines,
        draft={"lead": f"{draft.lead} {draft.rest}".strip(), "highlights": list(draft.highlights)},
    )
    return Prompt(
        agent="explanation",
        rules=rules_of("explanation"),
        material=said,
        name="explanation",
        schema=schema_of(ExplanationOutput),
    )


def _rows(told: Told) -> list[list[str]]:
    table = with_member_labels(told.table, told.domain, told.language)
    return [
        [write_cell(cell, column, told.language) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows[:_ROWS]
    ]


def _checked(output: ExplanationOutput, told: Told) -> Narrative:
    lead = _line(output.lead)
    if not lead or not _is_borne_out(lead, told):
        return told.draft
    lines = tuple(line for each in output.highlights if (line := _line(each)) and _is_borne_out(line, told))
    return Narrative(lead=lead, highlights=lines[: told.most_lines], written_by="model")


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else ""


def _is_borne_out(text: str, told: Told) -> bool:
    return not unsupported_numbers(text, told.table, told.kpis, told.spec, told.language, told.row_count)
