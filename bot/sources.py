"""Catalog and policy of one process, as the graphs ask for them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import structlog

from agent.policy.budgets import BudgetDefaults
from agent.policy.compose import NO_BUDGETS
from agent.policy.load import load_policy
from agent.policy.model import Policy
from agent.values.identity import Limits
from bot.stamps import stamp_of
from semantic_catalog.dialects import with_dialect
from semantic_catalog.errors import CountersignError
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, CatalogVersion, Dialect, DomainName

log = structlog.get_logger()


class LoadedCatalog:
    """The catalog of a folder (the packaged one if None), read when asked to.

    Only domains with a warehouse are offered, each in the dialect of its engine.
    """

    def __init__(self, folder: Path | None, dialects: Mapping[DomainName, Dialect]) -> None:
        self._folder = folder
        self._dialects = dialects
        self._catalog = _served(load_catalog(folder), dialects)

    def current(self) -> Catalog:
        """The catalog in force."""
        return self._catalog

    def read(self) -> Catalog:
        """The folder as it is now, which is not in force yet. Raises `CatalogError`."""
        return _served(load_catalog(self._folder), self._dialects)

    def take(self, catalog: Catalog) -> CatalogVersion:
        """Put what was read in force, whole; its version."""
        self._catalog = catalog
        return catalog.version


class PolicyFile:
    """The policy of a file, read again when the file changes; a faulty edit leaves the last good one in force.

    `is_faulty` says that it does.
    """

    def __init__(
        self,
        path: Path,
        defaults: Limits | None = None,
        catalog: Catalog | None = None,
        budgets: BudgetDefaults = NO_BUDGETS,
    ) -> None:
        """`defaults` are the caps of roles that set none, `budgets` the day's limits where none are set; row rules
        must fit `catalog`. Raises `PolicyError`.
        """
        self._path = path
        self._defaults = defaults or Limits()
        self._catalog = catalog
        self._budgets = budgets
        self._seen = stamp_of(path)
        self.is_faulty = False
        self._policy = self._read(catalog)

    def current(self) -> Policy:
        """The policy in force."""
        stamp = stamp_of(self._path)
        if stamp != self._seen:
            self._seen = stamp
            self._reload()
        return self._policy

    def check(self, catalog: Catalog) -> None:
        """Hold the file as it is now against a catalog. Raises `PolicyError`."""
        self._read(catalog)

    def reload(self, catalog: Catalog | None = None) -> str:
        """Read the file again, its row rules against `catalog` if one is given; the version in force then.

        Raises `PolicyError`: nothing changes then.
        """
        against, seen = catalog or self._catalog, stamp_of(self._path)
        self._policy = self._read(against)
        self._catalog, self._seen, self.is_faulty = against, seen, False
        return self._policy.version

    def _reload(self) -> None:
        try:
            self._policy = self._read(self._catalog)
            self.is_faulty = False
        except CountersignError as error:
            self.is_faulty = True
            log.warning("not_reloaded", what="policy", code=error.code, detail=str(error))

    def _read(self, catalog: Catalog | None) -> Policy:
        return load_policy(self._path, self._defaults, catalog, self._budgets)


def _served(catalog: Catalog, dialects: Mapping[DomainName, Dialect]) -> Catalog:
    served = replace(catalog, domains=tuple(d for d in catalog.domains if d.name in dialects))
    for domain in served.domains:
        served = with_dialect(served, domain.name, dialects[domain.name])
    return served
