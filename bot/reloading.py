"""Catalog, policy and models of one process, read again while it runs: each whole, or not at all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.live_models import LiveModels
from bot.open_warehouses import OpenWarehouses
from bot.sources import LoadedCatalog, PolicyFile
from bot.switchboard import CATALOG, MODELS, POLICY
from semantic_catalog.model import CatalogVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloads:
    """What can be read again. Every method that reads raises for faulty files, and then nothing changes."""

    catalog: LoadedCatalog
    policy: PolicyFile
    models: LiveModels
    warehouses: OpenWarehouses

    def catalog_again(self) -> CatalogVersion:
        """The catalog, with the policy held against it and the warehouses of its domains; its version.

        Raises `CatalogError`, `PolicyError` for a policy that the catalog does not bear out, and `EngineNotInstalled`.
        """
        read = self.catalog.read()
        self.policy.check(read)
        self.warehouses.follow(read)
        version = self.catalog.take(read)
        self.policy.reload(read)
        return version

    def policy_again(self) -> str:
        """The policy; its version. Raises `PolicyError`."""
        return self.policy.reload(self.catalog.current())

    def others(self) -> Mapping[str, Callable[[], str]]:
        """What is read again beside the catalog, by name."""
        return {POLICY: self.policy_again, MODELS: self.models.reload}

    def versions(self) -> dict[str, str]:
        """What is in force, by name; edited files of policy and models are noticed here."""
        policy = self.policy.current().version
        self.models.current()
        return {CATALOG: self.catalog.current().version, POLICY: policy[:12], MODELS: self.models.version}

    def faults(self) -> frozenset[str]:
        """Whose file was edited and is faulty."""
        found = ((POLICY, self.policy.is_faulty), (MODELS, self.models.is_faulty))
        return frozenset(name for name, is_faulty in found if is_faulty)
