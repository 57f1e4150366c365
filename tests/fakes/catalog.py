"""A catalog that never changes, and members that the test names."""

from dataclasses import dataclass, field

from agent.values.identity import Principal
from semantic_catalog.model import Catalog, DimensionName, DomainName


@dataclass(frozen=True, slots=True)
class FixedCatalog:
    """Implements `CatalogSource`."""

    catalog: Catalog

    def current(self) -> Catalog:
        return self.catalog


@dataclass(slots=True)
class NamedMembers:
    """Implements `Members`; `asked` lists the dimensions that were looked up."""

    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def of(
        self,
        domain: DomainName,
        dimension: DimensionName,
        principal: Principal | None = None,  # noqa: ARG002
    ) -> tuple[str, ...]:
        self.asked.append(f"{domain}.{dimension}")
        return self.members.get(dimension, ())
