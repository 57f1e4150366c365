"""Catalog, policy and warehouses of one process, as the graphs ask for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import structlog

from agent.errors import WarehouseUnavailable
from agent.policy.load import load_policy
from agent.policy.model import Policy
from agent.ports import Warehouse
from agent.values.identity import Limits
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

    def reload(self) -> CatalogVersion:
        """Read the folder again and swap the catalog whole; its version. Raises `CatalogError`: nothing changes then.

        A domain that is new in the folder is offered after a restart, when its warehouse is opened.
        """
        known = {domain.name for domain in self._catalog.domains}
        read = _served(load_catalog(self._folder), self._dialects)
        self._catalog = replace(read, domains=tuple(domain for domain in read.domains if domain.name in known))
        return self._catalog.version


class PolicyFile:
    """The policy of a file, read again when the file changes; a faulty edit leaves the last good one in force."""

    def __init__(self, path: Path, defaults: Limits | None = None, catalog: Catalog | None = None) -> None:
        """`defaults` are the caps of roles that set none; row rules must fit `catalog`. Raises `PolicyError`."""
        self._path = path
        self._defaults = defaults or Limits()
        self._catalog = catalog
        self._seen = self._stamp()
        self._policy = load_policy(path, self._defaults, catalog)

    def current(self) -> Policy:
        """The policy in force."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            self._reload()
        return self._policy

    def reload(self, catalog: Catalog | None = None) -> str:
        """Read the file again, its row rules against `catalog` if one is given; the version in force then.

        Raises `PolicyError`: nothing changes then.
        """
        against = catalog or self._catalog
        self._policy = load_policy(self._path, self._defaults, against)
        self._catalog, self._seen = against, self._stamp()
        return self._policy.version

    def _reload(self) -> None:
        try:
            self._policy = load_policy(self._path, self._defaults, self._catalog)
        except CountersignError as error:
            log.warning("policy_not_reloaded", code=error.code, detail=str(error))

    def _stamp(self) -> tuple[int, int]:
        """When and how large the file was written; zeros while an editor has it away."""
        try:
            state = self._path.stat()
        except OSError:
            return 0, 0
        return state.st_mtime_ns, state.st_size


def _served(catalog: Catalog, dialects: Mapping[DomainName, Dialect]) -> Catalog:
    served = replace(catalog, domains=tuple(d for d in catalog.domains if d.name in dialects))
    for domain in served.domains:
        served = with_dialect(served, domain.name, dialects[domain.name])
    return served


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainWarehouses:
    """One warehouse a domain."""

    by_domain: Mapping[DomainName, Warehouse] = field(default_factory=dict)

    def of(self, domain: DomainName) -> Warehouse:
        """The domain's warehouse. Raises `WarehouseUnavailable` when none is configured."""
        found = self.by_domain.get(domain)
        if found is None:
            raise WarehouseUnavailable(f"no warehouse is configured for {domain}")
        return found
