"""What one turn sees beside the catalog: the files of its thread. Every port that speaks of domains sees them too."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from hashlib import sha256

from agent.policy.model import Policy
from agent.ports import CatalogSource, PolicySource, Warehouse, Warehouses
from agent.values.identity import Principal, PrincipalId, ThreadKey
from semantic_catalog.model import Catalog, CatalogVersion, Domain, DomainName, EntityName


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFile:
    """A file as a domain, what answers for it, and who may ask (None: everybody of the thread)."""

    domain: Domain
    warehouse: Warehouse
    only_for: PrincipalId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadScope:
    """The files offered in a thread; a turn may offer one more. Catalogs and policies with them are made once each."""

    files: list[OfferedFile] = field(default_factory=list)
    _catalogs: dict[tuple[CatalogVersion, int], Catalog] = field(default_factory=dict)
    _policies: dict[int, tuple[Policy, int, Policy]] = field(default_factory=dict)

    def offer(self, file: OfferedFile) -> None:
        """One more file from now on, for every step of the turn; offering it again changes nothing."""
        if all(known.domain.name != file.domain.name for known in self.files):
            self.files.append(file)

    def catalog(self, base: Catalog) -> Catalog:
        """`base` with the files' domains; its version tells them from all others."""
        key = (base.version, len(self.files))
        if key not in self._catalogs:
            domains = tuple(sorted((file.domain for file in self.files), key=lambda domain: domain.name))
            names = sha256(repr(domains).encode()).hexdigest()[:12]
            version = CatalogVersion(f"{base.version}+{names}")
            self._catalogs[key] = replace(base, version=version, domains=(*base.domains, *domains))
        return self._catalogs[key]

    def policy(self, base: Policy) -> Policy:
        """`base` with each file opened for those who may ask about it."""
        known = self._policies.get(id(base))
        if known is None or known[0] is not base or known[1] != len(self.files):
            people = tuple(replace(person, principal=self._opened(person.principal)) for person in base.people)
            known = (base, len(self.files), replace(base, people=people))
            self._policies[id(base)] = known
        return known[2]

    def warehouse(self, domain: DomainName) -> Warehouse | None:
        """What answers for a file's domain; None for any other."""
        return next((file.warehouse for file in self.files if file.domain.name == domain), None)

    def _opened(self, principal: Principal) -> Principal:
        mine = [file.domain for file in self.files if file.only_for in (None, principal.id)]
        entities = principal.entities
        if entities is not None:
            entities = (*entities, *(EntityName(entity.name) for domain in mine for entity in domain.entities))
        return replace(principal, domains=(*principal.domains, *(domain.name for domain in mine)), entities=entities)


async def no_files(thread: ThreadKey, person: PrincipalId) -> ThreadScope:  # noqa: ARG001  # as any scope is asked for
    """The scope of a thread without files."""
    return ThreadScope()


_current: ContextVar[ThreadScope | None] = ContextVar("thread_scope", default=None)


def scope_now() -> ThreadScope | None:
    """The scope of the turn that is being served; None for a thread without files."""
    return _current.get()


@contextmanager
def in_scope(scope: ThreadScope) -> Iterator[None]:
    """While inside, whatever this task and its children ask sees the scope's files."""
    token = _current.set(scope if scope.files else None)
    try:
        yield
    finally:
        _current.reset(token)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedCatalog:
    """Implements `CatalogSource`: the catalog in force with the files of the thread that is being served."""

    base: CatalogSource

    def current(self) -> Catalog:
        """The newest valid catalog, with the thread's files."""
        scope = _current.get()
        return scope.catalog(self.base.current()) if scope else self.base.current()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedPolicy:
    """Implements `PolicySource`: the policy in force, which says who may ask about the thread's files."""

    base: PolicySource

    def current(self) -> Policy:
        """The newest valid policy, with the thread's files opened."""
        scope = _current.get()
        return scope.policy(self.base.current()) if scope else self.base.current()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedWarehouses:
    """Implements `Warehouses`: the domains' engines, and what answers for the thread's files."""

    base: Warehouses

    def of(self, domain: DomainName) -> Warehouse:
        """The domain's warehouse. Raises `WarehouseUnavailable` when none is configured."""
        scope = _current.get()
        found = scope.warehouse(domain) if scope else None
        return found or self.base.of(domain)
