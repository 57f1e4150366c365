"""SQL for the questions that no spec expresses: written by a model, mended with the guard's exact findings."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from agent.errors import ModelRefused
from agent.linking.linker import Linker
from agent.modelling.asking import Output, ask, schema_of
from agent.modelling.catalog_text import tables_part
from agent.modelling.prompts import material, rules_of, tokens_of
from agent.ports import Model
from agent.values.completion import Prompt
from agent.values.governance import Finding, RuleId
from agent.values.identity import Principal
from agent.values.usage import Usage
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale

_SPARE_TOKENS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A statement that was turned down, and why."""

    sql: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlRequest:
    """What SQL is wanted for. `earlier_sql` answered the asker's last question of the thread, if any.

    `wish` is what a person wants changed about the pending statement `earlier_sql`.
    """

    question: str
    title: str
    domain: Domain
    principal: Principal
    language: Locale
    today: date
    earlier_sql: str = ""
    repair: Repair | None = None
    wish: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSql:
    """A model's statement, checked by nobody yet, and what it cost."""

    sql: str
    usage: Usage


class SqlOutput(Output):
    """The statement; empty when the tables cannot answer."""

    sql: str


class SqlWriter:
    """Asks the SQL agent, one call a statement."""

    def __init__(self, model: Model, linker: Linker) -> None:
        self._model = model
        self._linker = linker

    async def write(self, request: SqlRequest) -> WrittenSql:
        """The statement as the model wrote it: only the guard says whether it may run.

        Raises `agent.errors.ModelError`; `ModelRefused` when the model says that the tables cannot answer.
        """
        asked = await ask(self._model, await self._prompt(request), SqlOutput)
        sql = asked.output.sql.strip().rstrip(";")
        if not sql:
            raise ModelRefused("sql: the tables cannot answer", asked.usage)
        return WrittenSql(sql=sql, usage=asked.usage)

    async def _prompt(self, request: SqlRequest) -> Prompt:
        rules, schema = rules_of("sql"), schema_of(SqlOutput)
        said = _said(request)
        budget = self._model.prompt_tokens - tokens_of(rules) - tokens_of(str(schema)) - tokens_of(str(said))
        words = f"{request.question} {request.title}"
        links = await self._linker.link(words, request.principal, request.domain)
        part = tables_part(request.domain, links, request.principal, budget - _SPARE_TOKENS)
        return Prompt(agent="sql", rules=rules, material=material(**said, **part), name="statement", schema=schema)


def _said(request: SqlRequest) -> dict[str, Any]:
    repair = request.repair
    return {
        "question": request.question,
        "title": request.title,
        "wanted_change": request.wish,
        "today": request.today.isoformat(),
        "dialect": request.domain.dialect,
        "timezone": request.domain.timezone,
        "last_sql": request.earlier_sql,
        "failed_sql": repair.sql if repair else "",
        "findings": [_finding(each) for each in repair.findings] if repair else [],
    }


def _finding(finding: Finding) -> str:
    """The finding as a person would read it: it names only what the asker may see."""
    return f"{finding.rule.value}: {say('en', f'refusal.{finding.rule.value}', **dict(finding.params))}"


def is_mendable(finding: Finding, domain: Domain) -> bool:
    """Whether the model may try again. Security findings are final, but for a column that nobody could have meant.

    A made-up column and a denied one are refused alike; only the name of no column of the catalog can be a slip.
    """
    if not finding.security:
        return True
    if finding.rule != RuleId.COLUMN_NOT_ALLOWED:
        return False
    named = dict(finding.params).get("column", "").rpartition(".")[2].strip('"`').lower()
    return named not in {column.name.lower() for entity in domain.entities for column in entity.columns}
