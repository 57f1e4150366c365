"""Buttons of an answer that go on from it: another chart of its rows, one of its rows opened up."""

from dataclasses import dataclass, replace
from typing import get_args

from agent.analysis.next_steps import drilled
from agent.reading import today_of
from agent.values.identity import Principal
from agent.values.memory import RememberedRun
from agent.values.spec import ChartKind, QuerySpec, TurnType, Understanding
from agent.values.turn import Turn
from agent.wording.receipt import spec_title
from agent.wording.texts import say
from bot.asking import Asking
from bot.driver import RunStop
from bot.run_desk import RunDesk, run_of
from cards.build.next_steps import drill_of
from cards.build.notices import stale_notice
from semantic_catalog.model import DimensionName

_KINDS = frozenset(get_args(ChartKind))


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSteps:
    """Opens the run of a chart or drill-down button. It goes on from the answer pressed on, however old that is."""

    desk: RunDesk
    asking: Asking

    async def take(self, turn: Turn, principal: Principal) -> RunStop | None:
        """The run's stop; a private notice where the answer is not remembered, or is somebody else's."""
        memory = await self.desk.deps.memory.load(turn.thread)
        pressed = next((kept for kept in memory.runs if kept.run == run_of(turn) and kept.asker == principal.id), None)
        spec = self._wanted(turn, pressed.spec) if pressed and pressed.spec else None
        if pressed is None or spec is None:
            await self.desk.notify(turn, stale_notice(principal.locale or self.desk.default_locale))
            return None
        assert turn.action is not None
        kind: TurnType = "viz_change" if turn.action.verb == "chart_type" else "drill_down"
        chosen = _meaning(pressed, spec, kind)
        own_run = replace(turn, action=replace(turn.action, run=None))
        return await self.asking.ask(own_run, principal, self._said(pressed, spec, kind), chosen, pressed.run)

    def _wanted(self, turn: Turn, spec: QuerySpec) -> QuerySpec | None:
        assert turn.action is not None
        value = turn.action.value
        if turn.action.verb == "chart_type":
            return replace(spec, chart=_kind(value)) if value in _KINDS else None
        domain = self.desk.deps.catalog_now().domain(spec.domain)
        parts = drill_of(value)
        known = {dimension.name for dimension in domain.dimensions}
        if parts is None or not {parts[0], parts[2]} <= known:
            return None
        return drilled(spec, DimensionName(parts[0]), parts[1], DimensionName(parts[2]))

    def _said(self, pressed: RememberedRun, spec: QuerySpec, kind: TurnType) -> str:
        """What the button asked, in words: it is the question of the new run."""
        if kind == "viz_change" and spec.chart is not None:
            return say(pressed.locale, f"button.chart_{spec.chart}")
        domain = self.desk.deps.catalog_now().domain(spec.domain)
        return spec_title(spec, domain, pressed.locale, today_of(self.desk.deps))


def _kind(value: str) -> ChartKind:
    return next(kind for kind in get_args(ChartKind) if kind == value)


def _meaning(pressed: RememberedRun, spec: QuerySpec, kind: TurnType) -> Understanding:
    return Understanding(
        relation="analytical_follow_up",
        turn_type=kind,
        language=pressed.locale,
        confidence=1.0,
        domain=spec.domain,
        spec=spec,
    )
