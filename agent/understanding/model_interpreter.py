"""The interpreter that asks a language model, and takes nothing of its answer that the catalog does not bear out."""

import re
from dataclasses import dataclass, replace

from agent.codec import encode
from agent.linking.linker import Linker
from agent.modelling.asking import ask, schema_of
from agent.modelling.catalog_text import Part, meaning_part
from agent.modelling.meaning import MeaningOutput
from agent.modelling.prompts import material, rules_of, tokens_of
from agent.modelling.resolution import Lookup, filtered_dimensions, resolved
from agent.ports import CatalogSource, Members, Model
from agent.sql.compile.sources import sources_for
from agent.understanding.access import metrics_declined, rows_declined, visible_members
from agent.understanding.book import Book, open_book
from agent.understanding.complete import Drafted, Setting
from agent.understanding.declines import domain_declined
from agent.understanding.judge import assumed, slots_of
from agent.understanding.parts import Parts
from agent.understanding.pins import Answering, pinned
from agent.understanding.templates import with_trust
from agent.values.completion import Prompt
from agent.values.identity import Principal
from agent.values.memory import Question
from agent.values.spec import Assumption, FreeSql, Slot, TurnType, Understanding
from semantic_catalog.model import Catalog, DimensionName, Domain, Locale

_MOST_ASSUMED = 4
_SPARE_TOKENS = 500
_LONGEST_TITLE = 140
_SUREST = 0.95
LEAST_SURE = 0.5
"""Below this the model's own reading counts as not understood."""


class ModelInterpreter:
    """Implements `Interpreter` with one call of a model. Raises `agent.errors.ModelError`.

    A meaning without spec, free SQL, slots and refusal says that the model found no question about the data.
    """

    def __init__(self, model: Model, catalog: CatalogSource, members: Members, linker: Linker) -> None:
        self._model = model
        self._catalog = catalog
        self._members = members
        self._linker = linker
        self._book: Book | None = None

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning; its `usage` is what it cost."""
        asked = await ask(self._model, await self._prompt(question, principal), MeaningOutput)
        meaning = await self._meaning(asked.output, question, principal)
        return replace(meaning, usage=asked.usage)

    async def _prompt(self, question: Question, principal: Principal) -> Prompt:
        rules, schema = rules_of("understanding"), schema_of(MeaningOutput)
        said = _said(question, principal)
        taken = tokens_of(rules) + tokens_of(str(schema)) + tokens_of(str(said)) + _SPARE_TOKENS
        catalog = await self._catalog_parts(question, principal, self._model.prompt_tokens - taken)
        return Prompt(
            agent="understanding",
            rules=rules,
            material=material(**said, catalog=catalog),
            name="meaning",
            schema=schema,
        )

    async def _catalog_parts(self, question: Question, principal: Principal, budget: int) -> list[Part]:
        """The permitted domains, those that the words point to first, each with its share of the budget."""
        links = await self._linker.link(question.text, principal)
        pointed = list(dict.fromkeys(each.domain for each in links))
        permitted = [each for each in self._catalog.current().domains if each.name in principal.domains]
        ordered = sorted(permitted, key=lambda each: pointed.index(each.name) if each.name in pointed else len(pointed))
        locale = question.locale or principal.locale or "en"
        share = budget // max(1, len(ordered))
        return [
            meaning_part(domain, [each for each in links if each.domain == domain.name], principal, locale, share)
            for domain in ordered
        ]

    async def _meaning(self, output: MeaningOutput, question: Question, principal: Principal) -> Understanding:
        catalog = self._catalog.current()
        domain = _domain(output, catalog, principal)
        plain = _plain(output)
        if domain is None or output.kind == "none" or output.confidence < LEAST_SURE:
            return plain
        plain = replace(plain, domain=domain.name)
        if domain.name not in principal.domains:
            refusal = domain_declined(domain, output.language)
            return replace(plain, domain=None, declined=refusal)
        lookup = await self._lookup(output, domain, question, principal)
        case = _Case(question=question, principal=principal, domain=domain)
        return self._completed(plain, resolved(output, lookup), output, case)

    async def _lookup(self, output: MeaningOutput, domain: Domain, question: Question, principal: Principal) -> Lookup:
        members: dict[DimensionName, tuple[str, ...]] = {}
        for each in filtered_dimensions(output, domain):
            listed = tuple(member.value for member in each.members)
            asks = each.members_from == "warehouse"
            stored = await self._members.of(domain.name, each.name, principal) if asks else ()
            values = tuple(dict.fromkeys((*listed, *stored)))
            members[each.name] = visible_members(values, each.name, domain, principal)
        return Lookup(domain=domain, locale=output.language, today=question.today, members=members)

    def _completed(self, plain: Understanding, parts: Parts, output: MeaningOutput, case: "_Case") -> Understanding:
        answering = self._answering(case, plain.language)
        parts = pinned(parts, case.question.pinned, answering)
        refusal = metrics_declined(parts.metrics, case.domain, case.principal, plain.language)
        if refusal:
            return replace(plain, declined=refusal)
        slots, draft, taken = _settled(parts, case, answering)
        spec = None
        if not slots and draft is not None:
            sources = sources_for(draft.spec, case.domain, case.question.today)
            refusal = rows_declined(draft.spec, case.domain, sources, case.principal)
            spec = draft.spec if parts.unused else with_trust(draft.spec, case.domain, case.question.today)
        if refusal:
            return replace(plain, declined=refusal)
        if output.kind == "free_sql":
            return _free(plain, output, case, replace(plain, spec=spec, unused_words=parts.unused))
        if spec is None or draft is None:
            return replace(plain, slots=slots, confidence=LEAST_SURE, unused_words=parts.unused)
        return replace(
            plain, spec=spec, assumptions=(*taken, *draft.assumptions), unused_words=parts.unused,
            source="trusted" if spec.trusted_query else "llm",
        )  # fmt: skip

    def _answering(self, case: "_Case", locale: Locale) -> Answering:
        catalog = self._catalog.current()
        if self._book is None or self._book.catalog.version != catalog.version:
            self._book = open_book(catalog)
        return Answering(domain=case.domain, book=self._book, locale=locale, today=case.question.today)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A question, who asks it, and the domain it is about."""

    question: Question
    principal: Principal
    domain: Domain


def _said(question: Question, principal: Principal) -> dict[str, object]:
    """What people said: the message, answers to questions back, and the asker's own last question."""
    last = question.memory.last
    own = last if last and last.asker == principal.id else None
    return {
        "question": question.text,
        "today": question.today.isoformat(),
        "settled": [{"asked": slot, "answer": value} for slot, value in question.pinned],
        "last": {"question": own.question, "meaning": encode(own.spec), "sql": "" if own.spec else own.sql}
        if own
        else None,
    }


def _domain(output: MeaningOutput, catalog: Catalog, principal: Principal) -> Domain | None:
    """The claimed domain; without a claim the asker's only one."""
    own = [each for each in catalog.domains if each.name in principal.domains]
    if output.domain is None:
        return own[0] if len(own) == 1 else None
    return next((each for each in catalog.domains if each.name == output.domain), None)


def _plain(output: MeaningOutput) -> Understanding:
    turn: TurnType = "refine" if output.follow_up else "new_query"
    return Understanding(
        relation="analytical_follow_up" if output.follow_up else "independent_request",
        turn_type=turn,
        language=output.language,
        confidence=min(output.confidence, _SUREST),
        source="llm",
    )


def _settled(
    parts: Parts, case: _Case, answering: Answering
) -> tuple[tuple[Slot, ...], Drafted | None, tuple[Assumption, ...]]:
    """What has to be asked, or the draft; when nothing more may be asked, first options are taken and said."""
    question = case.question
    setting = Setting(
        domain=case.domain, locale=answering.locale, today=question.today, assume=question.assume_defaults
    )
    slots, draft = slots_of(parts, setting)
    taken: tuple[Assumption, ...] = ()
    for _ in range(_MOST_ASSUMED if question.assume_defaults else 0):
        if not slots or not slots[0].options:
            break
        taken = (*taken, assumed(slots[0]))
        parts = pinned(parts, ((slots[0].name, slots[0].options[0].value),), answering)
        slots, draft = slots_of(parts, setting)
    return slots, draft, taken


def _free(plain: Understanding, output: MeaningOutput, case: _Case, nearest: Understanding) -> Understanding:
    """SQL is written for it. Where metrics are hidden from the asker nothing may compute them from columns anew."""
    metrics = tuple(metric.name for metric in case.domain.metrics)
    refusal = metrics_declined(metrics, case.domain, case.principal, plain.language)
    if refusal:
        return replace(plain, declined=refusal)
    said = Assumption(key="model_wrote_sql")
    free = FreeSql(title=_title(output.title, case.question.text))
    return replace(nearest, free_sql=free, assumptions=(said,))


def _title(claimed: str, asked: str) -> str:
    """The model's restatement as one short line; the question itself when that is empty or has figures of its own."""
    line = " ".join(claimed.split())
    invented = set(re.findall(r"\d+", line)) - set(re.findall(r"\d+", asked))
    if not line or invented or len(line) > _LONGEST_TITLE:
        return " ".join(asked.split())[:_LONGEST_TITLE]
    return line
