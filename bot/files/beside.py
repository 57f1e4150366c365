"""Governed answers put beside the files of a thread."""

import asyncio
import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from agent.errors import NotComparable
from agent.files.beside import adds_up, coarser, metric_beside, shared_dimension, table_of, write_rows
from agent.ports import CatalogSource, Clock
from agent.values.file import Beside, FileId, ThreadFile
from agent.values.identity import PrincipalId
from agent.values.result import ResultTable
from agent.values.spec import QuerySpec
from bot.files.loaded import FileCache
from bot.files.offering import offered
from bot.files.scope import scope_now
from bot.ports import FileStore
from semantic_catalog.model import Dimension, DimensionName, Domain, MetricName

MOST_MEMBERS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideTables:
    """Implements `ThreadTables`: the rows become a file of the thread that only their asker sees."""

    store: FileStore
    cache: FileCache
    catalog: CatalogSource
    clock: Clock

    async def put_beside(self, asker: PrincipalId, theirs: QuerySpec, ours: QuerySpec, rows: ResultTable) -> QuerySpec:
        """Keep the rows beside the file of `theirs`; the question about both. Putting them there again changes nothing.

        Raises `NotComparable`.
        """
        original = await self._original(theirs)
        file, governed = self.catalog.current().domain(theirs.domain), self.catalog.current().domain(ours.domain)
        beside = _beside(original.id, file, governed, ours, rows)
        if beside.time is None or (not beside.adds_up and coarser(theirs.grain, beside.grain) != beside.grain):
            raise NotComparable(name=original.name)
        kept = await self._keep(original, asker, beside, rows, file)
        scope = scope_now()
        assert scope is not None
        scope.offer(offered(kept, {original.id: original}, self.cache, shared=False))
        return replace(
            theirs,
            domain=kept.domain,
            metrics=(*theirs.metrics, metric_beside(file, beside)),
            dimensions=tuple(name for name, _ in beside.dimensions),
            grain=coarser(theirs.grain, beside.grain),
        )

    async def _original(self, theirs: QuerySpec) -> ThreadFile:
        file = await self.store.get(FileId(theirs.domain.split("_")[1]), self.clock.now())
        if file is None or file.domain != theirs.domain:
            raise NotComparable(name=theirs.domain)
        return file

    async def _keep(
        self, original: ThreadFile, asker: PrincipalId, beside: Beside, rows: ResultTable, file: Domain
    ) -> ThreadFile:
        renamed = await self._renamed(beside, rows, file)
        with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
            content = Path(folder) / "content"
            await asyncio.to_thread(write_rows, rows, renamed, content)
            written = await asyncio.to_thread(content.read_bytes)
            told = f"{original.id}{original.version}{asker}{beside}".encode() + written
            kept = replace(
                original,
                id=FileId(hashlib.sha256(told).hexdigest()[:16]),
                giver=asker,
                size=len(written),
                tables=(table_of(rows),),
                status="confirmed",
                changes=(),
                question="",
                given_at=self.clock.now(),
                version=1,
                beside=beside,
            )
            await self.store.add(kept, content)
        return kept

    async def _renamed(self, beside: Beside, rows: ResultTable, file: Domain) -> dict[tuple[str, str], str]:
        """Members of the answer as the file writes them, where only the case differs."""
        names = [column.name for column in rows.columns]
        found: dict[tuple[str, str], str] = {}
        for dimension, column in beside.dimensions:
            written = {name.casefold(): name for name in await self._members(file, dimension)}
            values = {str(row[names.index(column)]) for row in rows.rows if row[names.index(column)] is not None}
            found |= {(column, value): written.get(value.casefold(), value) for value in values}
        return found

    async def _members(self, file: Domain, dimension: DimensionName) -> tuple[str, ...]:
        scope = scope_now()
        warehouse = scope.warehouse(file.name) if scope else None
        homes = [(entity.source, entity.dimension(dimension)) for entity in file.entities]
        source, mapping = next((source, mapping) for source, mapping in homes if mapping is not None)
        return await warehouse.members(source, mapping.column, MOST_MEMBERS) if warehouse else ()


def _beside(original: FileId, file: Domain, governed: Domain, ours: QuerySpec, rows: ResultTable) -> Beside:
    metric = governed.metric(MetricName(ours.metrics[0]))
    time = next((column for column in rows.columns if column.role == "time"), None)
    column = next((each for each in rows.columns if each.role == "metric" and each.reference == metric.name), None)
    has_dates = any(entity.time for entity in file.entities)
    dimensions = tuple(_shared(file, governed, rows))
    if column is None or len(dimensions) < len(ours.dimensions) or (time is not None and not has_dates):
        raise NotComparable(name=file.names.in_locale(file.locale))
    return Beside(
        file=original,
        domain=governed.names,
        metric=metric,
        column=column.name,
        adds_up=adds_up(governed, metric.name),
        dimensions=dimensions,
        time=time.name if time else None,
        grain=time.grain if time else None,
    )


def _shared(file: Domain, governed: Domain, rows: ResultTable) -> list[tuple[DimensionName, str]]:
    known: dict[str, Dimension] = {dimension.name: dimension for dimension in governed.dimensions}
    asked = [(column, known.get(column.reference)) for column in rows.columns if column.role == "dimension"]
    pairs = [(column, shared_dimension(dimension, file)) for column, dimension in asked if dimension is not None]
    return [(dimension.name, column.name) for column, dimension in pairs if dimension is not None]
