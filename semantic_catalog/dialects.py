"""A domain on another engine than its catalog names."""

import hashlib
from dataclasses import replace

from semantic_catalog.model import Catalog, CatalogVersion, Dialect, DomainName


def with_dialect(catalog: Catalog, domain: DomainName, dialect: Dialect) -> Catalog:
    """The catalog with that domain's SQL in `dialect`, under a version of its own: approvals are for one engine's SQL.

    The catalog itself where the domain speaks it already. `KeyError` when there is no such domain.
    """
    if catalog.domain(domain).dialect == dialect:
        return catalog
    domains = tuple(replace(known, dialect=dialect) if known.name == domain else known for known in catalog.domains)
    digest = hashlib.sha256(f"{catalog.version}\0{domain}\0{dialect}".encode())
    return Catalog(version=CatalogVersion(digest.hexdigest()[:16]), domains=domains)
