"""One checked thing."""

from dataclasses import dataclass

from agent.ports import Health


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One checked thing; `fix` says what to do when it is not well."""

    name: str
    health: Health
    fix: str


def well(name: str, detail: str = "") -> Finding:
    """A thing with nothing to mend."""
    return Finding(name=name, health=Health(ok=True, detail=detail), fix="")


def unwell(name: str, detail: str, fix: str) -> Finding:
    """A thing to mend."""
    return Finding(name=name, health=Health(ok=False, detail=detail), fix=fix)
