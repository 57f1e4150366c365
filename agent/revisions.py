"""The versions of a pending proposal: what a change replaces, and what taking it back restores."""

from typing import Any, cast

from agent.state import RunState

# What makes a version; `query` is its SQL as it was checked and shown.
_PARTS = ("understanding", "spec", "origin", "linked", "attempts", "sql", "columns", "query")
KEPT_REVISIONS = 20
NO_CHANGE = "no_change"
"""Nothing was changed, and no rule forbade it."""

Json = Any


def with_revision_kept(state: RunState) -> RunState:
    """The update that keeps the version at hand, so that the next one can be taken back."""
    kept: dict[str, Json] = {part: cast("dict[str, Json]", state).get(part) for part in _PARTS}
    return {"revisions": [*state.get("revisions", []), kept][-KEPT_REVISIONS:]}


def restored(state: RunState) -> RunState | None:
    """The update that brings the version before back; None when there is none."""
    kept: list[dict[str, Json]] = state.get("revisions", [])
    if not kept:
        return None
    return cast("RunState", {**kept[-1], "revisions": kept[:-1]})


def broken_rule(state: RunState) -> str:
    """The rule that the wanted change would have broken; empty when there is none."""
    rule = state.get("turned_down") or ""
    return "" if rule == NO_CHANGE else rule


def previous_sql(state: RunState) -> str:
    """The SQL that was shown before the one at hand; empty at first and after a change was taken back."""
    kept: list[dict[str, Json]] = state.get("revisions", [])
    if not kept or state.get("change") == "undo" or state.get("turned_down"):
        return ""
    shown = kept[-1].get("query")
    return str(shown["sql"]) if shown else ""
