"""Folders of YAML to the catalog in force: every fault of every file is reported at once."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from semantic_catalog.decode import Decoder
from semantic_catalog.documents import DomainFiles
from semantic_catalog.errors import CatalogError
from semantic_catalog.issues import Issue, Place, Places
from semantic_catalog.model import Catalog, CatalogVersion, Domain
from semantic_catalog.plan import with_plan_views
from semantic_catalog.validate.rule import DomainSource
from semantic_catalog.validate.rules import validate

PACKAGED = Path(__file__).parent / "domains"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCatalog:
    """A catalog as read, with all its issues. `catalog` holds only the domains that could be decoded."""

    catalog: Catalog
    issues: tuple[Issue, ...]

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The issues that keep it from being used."""
        return tuple(issue for issue in self.issues if issue.severity == "error")


def load_catalog(folder: Path | None = None) -> Catalog:
    """The catalog of a folder of domains (None: the packaged ones).

    Raises `CatalogError` naming every fault with its file and line.
    """
    checked = check_catalog(folder)
    if checked.errors:
        raise CatalogError("\n".join(map(str, checked.errors)))
    return checked.catalog


def check_catalog(folder: Path | None = None) -> CheckedCatalog:
    """The catalog of a folder of domains and all its issues, warnings among them; raises nothing for a faulty one."""
    root = folder or PACKAGED
    return _checked(root, _version(root))


# The same files are the same catalog, and nobody can change one: it is read once a version.
@lru_cache(maxsize=2)
def _checked(root: Path, version: CatalogVersion) -> CheckedCatalog:
    names = sorted(path.parent for path in root.glob("*/domain.yaml"))
    if not names:
        nothing = Issue(place=Place(file=str(root), line=1), message="no domain: no */domain.yaml in the folder")
        return CheckedCatalog(catalog=Catalog(version=version, domains=()), issues=(nothing,))
    read = [_read_domain(path) for path in names]
    domains = tuple(domain for domain, _ in read if domain is not None)
    issues = tuple(sorted((issue for _, found in read for issue in found), key=_in_reading_order))
    return CheckedCatalog(catalog=Catalog(version=version, domains=domains), issues=issues)


def _read_domain(folder: Path) -> tuple[Domain | None, tuple[Issue, ...]]:
    files = DomainFiles(folder)
    tree = files.tree()
    if tree is None:
        return None, tuple(files.issues)
    decoder = Decoder(files.place)
    domain = decoder.domain(folder.name, tree)
    found = (*files.issues, *decoder.issues)
    if domain is None:
        return None, found
    whole = with_plan_views(domain)
    return whole, found + validate(DomainSource(domain=whole, places=Places(by_path=decoder.places)))


def _in_reading_order(issue: Issue) -> tuple[str, int]:
    return issue.place.file, issue.place.line


def _version(root: Path) -> CatalogVersion:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.yaml")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return CatalogVersion(digest.hexdigest()[:16])
