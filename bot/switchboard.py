"""Paused domains and wanted reloads, the same in every process within seconds."""

from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic
from types import MappingProxyType
from uuid import uuid4

import structlog

from agent.errors import StoreFailed, StoreUnavailable
from agent.ports import Clock
from bot.ports import Switches
from semantic_catalog.errors import CountersignError
from semantic_catalog.model import CatalogVersion, DomainName

LOOK_EVERY_SECONDS = 1.0
_PAUSED = "paused:"
CATALOG, POLICY, MODELS = RELOADED = ("catalog", "policy", "models")

log = structlog.get_logger()


class Switchboard:
    """What an administrator switched, as this process knows it. Implements `Pauses`.

    `reload_catalog` reads the catalog's files again and returns the version in force then, and so does each of
    `reloads` under its name (`policy`, `models`); they raise for faulty files. `known` is what was switched before the
    files were read; without it, the first look takes the files for new enough.
    """

    def __init__(
        self,
        store: Switches,
        clock: Clock,
        reload_catalog: Callable[[], CatalogVersion],
        reloads: Mapping[str, Callable[[], str]] = MappingProxyType({}),
        known: Mapping[str, str] | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._reloads: Mapping[str, Callable[[], str]] = {CATALOG: reload_catalog, **reloads}
        self._known: dict[str, str] = dict(known or {})
        self._looked_at: float | None = None
        self._has_known = known is not None
        self._is_faulty = False

    @property
    def faults(self) -> frozenset[str]:
        """`catalog`, where it was to be read again here and was faulty. Policy and models notice their own edits."""
        return frozenset({CATALOG} if self._is_faulty else ())

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
        return CatalogVersion(await self.reload(CATALOG, by))

    async def reload(self, what: str, by: str) -> str:
        """Read `catalog`, `policy` or `models` again here and, once found good, in every process; its version.

        Raises what its loader raises for faulty files: nothing changes then.
        """
        version = self._read(what)
        wanted = uuid4().hex
        self._known[_key(what)] = wanted
        await self._store.set(_key(what), wanted, by, self._clock.now())
        return version

    async def _take_over(self) -> None:
        first, known = self._looked_at is None, await self._store.all()
        changed = [what for what in self._reloads if known.get(_key(what)) != self._known.get(_key(what))]
        self._known, self._looked_at = known, monotonic()
        if self._has_known or not first:
            for what in changed:
                self._follow(what)

    def _follow(self, what: str) -> None:
        """Another process found the files good; here they may still be older or faulty."""
        try:
            log.info("reloaded", what=what, version=self._read(what))
        except CountersignError as error:
            log.warning("not_reloaded", what=what, code=error.code, detail=str(error))

    def _read(self, what: str) -> str:
        if what != CATALOG:
            return self._reloads[what]()
        # It stays so until it was read well: what is in force is not what the files say.
        self._is_faulty = True
        version = self._reloads[what]()
        self._is_faulty = False
        return version


async def want_reload(store: Switches, what: str, by: str, now: datetime) -> None:
    """Let every process read `catalog`, `policy` or `models` again, from outside of them. Raises `StoreUnavailable`."""
    await store.set(_key(what), uuid4().hex, by, now)


def _key(what: str) -> str:
    return what if what == CATALOG else f"reload:{what}"
