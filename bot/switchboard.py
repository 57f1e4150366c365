"""Paused domains and the wanted catalog, the same in every process within seconds."""

from collections.abc import Callable
from time import monotonic
from uuid import uuid4

import structlog

from agent.errors import StoreFailed, StoreUnavailable
from agent.ports import Clock
from bot.ports import Switches
from semantic_catalog.errors import CountersignError
from semantic_catalog.model import CatalogVersion, DomainName

LOOK_EVERY_SECONDS = 1.0
_PAUSED = "paused:"
_CATALOG = "catalog"

log = structlog.get_logger()


class Switchboard:
    """What an administrator switched, as this process knows it. Implements `Pauses`.

    `reload_catalog` reads the catalog's files again and returns the version in force then; it raises for faulty files.
    """

    def __init__(self, store: Switches, clock: Clock, reload_catalog: Callable[[], CatalogVersion]) -> None:
        self._store = store
        self._clock = clock
        self._reload = reload_catalog
        self._known: dict[str, str] = {}
        self._looked_at: float | None = None

    def is_paused(self, domain: DomainName) -> bool:
        """Whether nothing may be read from the domain now."""
        return f"{_PAUSED}{domain}" in self._known

    async def look(self, *, at_once: bool = False) -> None:
        """Take over what was switched since, at most once a second unless `at_once`.

        Without the database what is known stays.
        """
        if not at_once and self._looked_at is not None and monotonic() - self._looked_at < LOOK_EVERY_SECONDS:
            return
        try:
            await self._take_over()
        except (StoreUnavailable, StoreFailed) as error:
            log.warning("switches_unseen", code=error.code, detail=error.detail)

    async def pause(self, domain: DomainName, by: str) -> None:
        """Read nothing from the domain any more, in every process."""
        await self._store.set(f"{_PAUSED}{domain}", "paused", by, self._clock.now())
        await self._take_over()

    async def resume(self, domain: DomainName) -> None:
        """Read from the domain again."""
        await self._store.clear(f"{_PAUSED}{domain}")
        await self._take_over()

    async def reload_catalog(self, by: str) -> CatalogVersion:
        """Read the catalog's files again here and, once they are found good, in every process; its version.

        Raises what the catalog's loader raises for faulty files: nothing changes then.
        """
        version = self._reload()
        wanted = uuid4().hex
        self._known[_CATALOG] = wanted
        await self._store.set(_CATALOG, wanted, by, self._clock.now())
        return version

    async def _take_over(self) -> None:
        first, known = self._looked_at is None, await self._store.all()
        changed = known.get(_CATALOG) != self._known.get(_CATALOG)
        self._known, self._looked_at = known, monotonic()
        if changed and not first:
            self._follow()

    def _follow(self) -> None:
        """Another process found the files good; here they may still be older or faulty."""
        try:
            log.info("catalog_reloaded", version=self._reload())
        except CountersignError as error:
            log.warning("catalog_not_reloaded", code=error.code, detail=str(error))
