"""Everything the graphs' steps may call, put together once by the composition root."""

from dataclasses import dataclass

from agent.policy.model import Policy
from agent.ports import (
    CatalogSource,
    Clock,
    Interpreter,
    MemoryStore,
    PolicySource,
    Progress,
    ResultStore,
    Warehouses,
)
from agent.values.identity import Principal, PrincipalId
from semantic_catalog.errors import AskerError
from semantic_catalog.model import Catalog


class PrincipalGone(AskerError):
    """The policy no longer knows the person: no principal, no data."""

    code = "principal_gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """The ports of one process and the limits of its runs."""

    clock: Clock
    catalog: CatalogSource
    policy: PolicySource
    interpreter: Interpreter
    warehouses: Warehouses
    results: ResultStore
    memory: MemoryStore
    progress: Progress
    max_clarification_rounds: int = 2
    max_attempts: int = 3

    def catalog_now(self) -> Catalog:
        """The catalog in force."""
        return self.catalog.current()

    def policy_now(self) -> Policy:
        """The policy in force."""
        return self.policy.current()

    def principal(self, principal: str) -> Principal:
        """The principal as the policy knows them now. Raises `PrincipalGone`."""
        found = self.policy_now().principal(PrincipalId(principal))
        if found is None:
            raise PrincipalGone
        return found
