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
class _Dependency:
    """One of them: what is known of it, since when, and whether somebody is asking it right now."""

    check: Check
    standing: Standing | None = None
    asked_at: float = 0.0
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


class Readiness:
    """The dependencies of one process. What changes is logged once, with its reason."""

    def __init__(
        self,
        checks: Mapping[str, Check],
        metrics: Metrics,
        *,
        coming_and_going: Callable[[], Mapping[str, Check]] = dict,
        patience: float = PATIENCE_SECONDS,
        good_for: float = GOOD_FOR_SECONDS,
    ) -> None:
        """A dependency that takes longer than `patience` seconds is down; what it said holds for `good_for`.

        Beside `checks` there are at each look those of `coming_and_going`.
        """
        self._lasting = checks
        self._coming_and_going = coming_and_going
        self._dependencies: dict[str, _Dependency] = {}
        self._metrics = metrics
        self._patience = patience
        self.good_for = good_for

    async def look(self) -> Mapping[str, Standing]:
        """Every dependency by name. Never raises, and takes no longer than its patience."""
        names = self._known()
        found = await asyncio.gather(*(self._standing(name) for name in names))
        return MappingProxyType(dict(zip(names, found, strict=True)))

    async def look_at(self, name: str) -> Standing | None:
        """One dependency alone, without waiting for another; None where there is none of that name."""
        return await self._standing(name) if name in self._known() else None

    def _known(self) -> tuple[str, ...]:
        """Their names now; of those that went nothing is kept."""
        checks = {**self._lasting, **self._coming_and_going()}
        for name in [name for name in self._dependencies if name not in checks]:
            if self._dependencies.pop(name).standing is not None:
                self._metrics.up.remove(name)
                self._metrics.latency.remove(name)
        for name, check in checks.items():
            self._dependencies.setdefault(name, _Dependency(check=check)).check = check
        return tuple(checks)

    async def _standing(self, name: str) -> Standing:
        dependency = self._dependencies[name]
        async with dependency.asking:
            known = dependency.standing
            if known is not None and monotonic() - dependency.asked_at < self.good_for:
                return known
            standing = await self._ask(dependency.check)
            dependency.standing, dependency.asked_at = standing, monotonic()
        self._tell(name, known, standing)
        return standing

    async def _ask(self, check: Check) -> Standing:
        started = perf_counter()
        try:
            async with asyncio.timeout(self._patience):
                health = await check()
        except TimeoutError:
            health = Health(ok=False, detail="no answer")
        return Standing(health=health, seconds=perf_counter() - started)

    def _tell(self, name: str, before: Standing | None, now: Standing) -> None:
        self._metrics.up.labels(name).set(int(now.health.ok))
        self._metrics.latency.labels(name).set(now.seconds)
        was_ok = before is None or before.health.ok
        if was_ok and not now.health.ok:
            log.error("dependency_down", dependency=name, detail=now.health.detail)
        elif now.health.ok and not was_ok:
            log.info("dependency_up", dependency=name)
