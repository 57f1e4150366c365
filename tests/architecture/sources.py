"""Where the product's code is, and how it is read."""

import ast
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "adapters", "cards", "agent", "semantic_catalog")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One Python file, by its path from the root."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        """The file, parsed."""
        return ast.parse(self.text)


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """Every Python file under the folders (the product's packages when none is named)."""
    found = (path for folder in folders or PACKAGES for path in sorted((ROOT / folder).rglob("*.py")))
    return tuple(Source(path=str(path.relative_to(ROOT)), text=path.read_text(encoding="utf-8")) for path in found)


def modules() -> Iterator[ModuleType]:
    """Every module of the product, imported."""
    for package in PACKAGES:
        root = import_module(package)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            yield import_module(found.name)
