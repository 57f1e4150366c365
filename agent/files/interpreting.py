"""Questions about the files of a thread, before anything else is read into them."""

import re
from dataclasses import dataclass, replace

from agent.files.beside import adds_up, grain_to_read, shared_dimension
from agent.files.changes import says, ways
from agent.files.domain import COUNT
from agent.ports import CatalogSource, Interpreter
from agent.values.file import is_beside, is_file
from agent.values.identity import Principal
from agent.values.memory import Question, ThreadMemory
from agent.values.spec import Declined, Option, QuerySpec, Slot, Understanding
from semantic_catalog.model import Catalog, Domain, DomainName, Metric, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInterpreter:
    """Implements `Interpreter` over another one: what is in a file, and a file compared with governed numbers.

    All else is the other's. A file with governed numbers beside it is read only where a comparison is gone on with, so
    that no name stands in both.
    """

    reader: Interpreter
    catalog: CatalogSource

    async def interpret(self, question: Question, principal: Principal) -> Understanding:
        """The meaning. Raises `agent.errors.WarehouseUnavailable`."""
        asker = _only_files_themselves(principal)
        if says("describe", question.text.strip("¿? ")):
            return await self._described(question, asker)
        parts = _comparison(question.text)
        if parts and any(map(is_file, principal.domains)):
            compared = await self._compared(question, _only_files_themselves(principal), *parts)
            if compared is not None:
                return compared
        talked = _talked_beside(principal, question.memory)
        if talked is not None:
            about_both = await self.reader.interpret(question, _with_beside(principal, talked))
            if self._needs_both(about_both, talked):
                return about_both
        return await self.reader.interpret(question, asker)

    def _needs_both(self, meaning: Understanding, beside: DomainName) -> bool:
        """Whether the message goes on with the comparison: about the governed number in it, or about no number."""
        if meaning.spec is None:
            return not meaning.slots and meaning.domain in (None, beside)
        governed = self.catalog.current().domain(beside).metrics[-1].name
        return meaning.spec.domain == beside and governed in meaning.spec.metrics

    async def _described(self, question: Question, asker: Principal) -> Understanding:
        plain = await self.reader.interpret(replace(question, rules_only=True), asker)
        return replace(
            plain, relation="independent_request", turn_type="file_analysis", confidence=1.0, spec=None, slots=(),
            declined=None, unused_words=(), free_sql=None,
        )  # fmt: skip

    async def _compared(self, question: Question, asker: Principal, before: str, after: str) -> Understanding | None:
        """The governed question with the file's beside it; None where the message names no governed number."""
        catalog = self.catalog.current()
        file = _file_of(question.memory, asker, catalog)
        governed = replace(asker, domains=tuple(name for name in asker.domains if not is_file(name)))
        alone = ThreadMemory(thread=question.memory.thread)
        pins = tuple(pin for pin in question.pinned if not _is_metric_of(file, pin))
        ours = await self.reader.interpret(replace(question, text=after, memory=alone, pinned=pins), governed)
        if ours.declined or any(slot.name != "metric" for slot in ours.slots):
            return ours
        if ours.spec is None or len(ours.spec.metrics) != 1 or ours.spec.having or ours.spec.calculation:
            return None
        metric = await self._metric(question, asker, file, before)
        if metric is None:
            return replace(ours, spec=None, slots=(_which(file, question),), turn_type="file_analysis")
        theirs = _theirs(ours.spec, file, metric, catalog)
        is_additive = adds_up(catalog.domain(ours.spec.domain), ours.spec.metrics[0])
        grain = grain_to_read(ours.spec.grain, ours.spec.period, is_additive=is_additive)
        if not _shares(file, ours.spec, theirs) or grain is None:
            name = file.names.in_locale(ours.language)
            return replace(ours, spec=None, declined=Declined(rule="not_comparable", params=(("name", name),)))
        spec = replace(ours.spec, grain=grain, order=(), limit=None, comparison=None, chart=None)
        return replace(ours, turn_type="file_analysis", spec=spec, beside=theirs)

    async def _metric(self, question: Question, asker: Principal, file: Domain, before: str) -> MetricName | None:
        """The file's number: the one chosen, named, talked about last, or its only one."""
        chosen = [value for slot, value in question.pinned if _is_metric_of(file, (slot, value))]
        if chosen:
            return MetricName(chosen[-1])
        last = question.memory.last
        if before:
            only = replace(asker, domains=(file.name,))
            named = await self.reader.interpret(replace(question, text=before, pinned=(), rules_only=True), only)
            # A missing period is the governed question's to tell.
            if named.spec and named.spec.metrics:
                return named.spec.metrics[0]
        if last and last.spec and last.spec.domain == file.name and last.spec.metrics:
            return last.spec.metrics[0]
        measured = _measured(file)
        named_in = [each for each in measured if before and _is_named(each, before)]
        single = named_in or measured
        return single[0].name if len(single) == 1 else None


def _comparison(text: str) -> tuple[str, str] | None:
    """What stands before and after the words of a comparison; None without them."""
    known = sorted(ways("beside"), key=len, reverse=True)
    found = re.search(rf"\b(?:{'|'.join(map(re.escape, known))})\s+", text, re.IGNORECASE)
    if found is None:
        return None
    before = text[: found.start()].strip(" ,;:¿¡")
    return before, text[found.end() :].strip(" ?.!")


def _talked_beside(principal: Principal, memory: ThreadMemory) -> DomainName | None:
    """The comparison that was talked about last."""
    last = memory.last.spec.domain if memory.last and memory.last.spec else None
    return last if last and is_beside(last) and last in principal.domains else None


def _with_beside(principal: Principal, beside: DomainName) -> Principal:
    """With that comparison in the place of every file."""
    others = [name for name in principal.domains if not is_file(name) and not is_beside(name)]
    return replace(principal, domains=(*others, beside))


def _only_files_themselves(principal: Principal) -> Principal:
    return replace(principal, domains=tuple(name for name in principal.domains if not is_beside(name)))


def _file_of(memory: ThreadMemory, asker: Principal, catalog: Catalog) -> Domain:
    """The file that was talked about last, else the newest."""
    files = [name for name in asker.domains if is_file(name)]
    talked = [run.spec.domain for run in memory.runs if run.spec and run.spec.domain in files]
    return catalog.domain(talked[-1] if talked else files[-1])


def _theirs(ours: QuerySpec, file: Domain, metric: MetricName, catalog: Catalog) -> QuerySpec:
    governed = {dimension.name: dimension for dimension in catalog.domain(ours.domain).dimensions}
    shared = [shared_dimension(governed[name], file) for name in ours.dimensions]
    dimensions = tuple(dimension.name for dimension in shared if dimension is not None)
    return QuerySpec(domain=file.name, metrics=(metric,), dimensions=dimensions, grain=ours.grain, period=ours.period)


def _shares(file: Domain, ours: QuerySpec, theirs: QuerySpec) -> bool:
    """Whether the file has dates and every dimension that was asked for."""
    return len(theirs.dimensions) == len(ours.dimensions) and any(entity.time for entity in file.entities)


def _measured(file: Domain) -> tuple[Metric, ...]:
    return tuple(metric for metric in file.metrics if not metric.name.endswith(COUNT))


def _is_named(metric: Metric, text: str) -> bool:
    return any(label.casefold() in text.casefold() for label in metric.names.label.values())


def _is_metric_of(file: Domain, pin: tuple[str, str]) -> bool:
    return pin[0] == "metric" and any(metric.name == pin[1] for metric in file.metrics)


def _which(file: Domain, question: Question) -> Slot:
    locale = question.locale or file.locale
    options = tuple(Option(label=each.names.in_locale(locale), value=each.name) for each in _measured(file)[:5])
    return Slot(name="metric", reason="ambiguous", options=options, words=file.names.in_locale(locale))
