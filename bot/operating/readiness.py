"""Whether each dependency answers: asked at most every few seconds, each within a bounded time, all side by side."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic, perf_counter
from types import MappingProxyType

import structlog

from agent.ports import Health
from bot.operating.metrics import Metrics

GOOD_FOR_SECONDS = 3.0
"""An answer is given again for so long, however often anybody asks."""

PATIENCE_SECONDS = 4.0
LOOK_EVERY_SECONDS = 15.0

Check = Callable[[], Awaitable[Health]]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a dependency answered last, and after how many seconds."""

    health: Health
    seconds: float


@dataclass(slots=True, kw_only=True)
class Readiness:
    """The dependencies of one process. What changes is logged once, with its reason."""

    checks: Mapping[str, Check]
    metrics: Metrics
    patience: float = PATIENCE_SECONDS
    good_for: float = GOOD_FOR_SECONDS
    _known: Mapping[str, Standing] = field(default_factory=lambda: MappingProxyType({}))
    _asked_at: float | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> Mapping[str, Standing]:
        """Every dependency by name. Never raises, and takes no longer than its patience."""
        async with self._asking:
            if self._asked_at is None or monotonic() - self._asked_at >= self.good_for:
                found = await asyncio.gather(*(self._ask(check) for check in self.checks.values()))
                self._take_over(dict(zip(self.checks, found, strict=True)))
                self._asked_at = monotonic()
        return self._known

    async def _ask(self, check: Check) -> Standing:
        started = perf_counter()
        try:
            async with asyncio.timeout(self.patience):
                health = await check()
        except TimeoutError:
            health = Health(ok=False, detail="no answer")
        return Standing(health=health, seconds=perf_counter() - started)

    def _take_over(self, found: Mapping[str, Standing]) -> None:
        for name, standing in found.items():
            self.metrics.up.labels(name).set(int(standing.health.ok))
            self.metrics.latency.labels(name).set(standing.seconds)
            before = self._known.get(name)
            if not standing.health.ok and (before is None or before.health.ok):
                log.error("dependency_down", dependency=name, detail=standing.health.detail)
            elif standing.health.ok and before is not None and not before.health.ok:
                log.info("dependency_up", dependency=name)
        self._known = MappingProxyType(dict(found))
