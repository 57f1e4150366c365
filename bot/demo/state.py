"""What the demo in a data folder consists of: where its services are and which data they hold."""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bot.demo.parameters import DemoParameters
from bot.embedded import DEFAULT_FOLDER
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import Dialect


class DemoNotReady(OperatorError):
    """The demo has not been set up in this folder."""

    code = "demo_not_ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainData:
    """A loaded domain: what the agent reads with, what its owner writes with, and the SQL its server speaks."""

    name: str
    reader_url: str
    owner_url: str
    dialect: Dialect = "postgres"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoState:
    """The demo of one data folder. `generator` names the version of the code that made the data."""

    control_url: str
    cache_url: str
    domains: tuple[DomainData, ...]
    parameters: DemoParameters
    generator: str

    @property
    def end_date(self) -> date:
        """The last day with data; today is the day after it."""
        return self.parameters.end_date

    def domain(self, name: str) -> DomainData:
        """The domain of that name. Raises DemoNotReady."""
        for found in self.domains:
            if found.name == name:
                return found
        raise DemoNotReady(f"the demo holds no domain {name}")


def demo_state(folder: Path = DEFAULT_FOLDER) -> DemoState:
    """What was last set up in the folder, whether or not its servers run now. Raises DemoNotReady."""
    state = read_state(folder)
    if state is None:
        raise DemoNotReady(f"no demo in {folder}: run 'countersign demo up' first")
    return state


def read_state(folder: Path) -> DemoState | None:
    """As `demo_state`; None where there is none, or one of another version of this program."""
    try:
        fields = json.loads(_file(folder).read_text(encoding="utf-8"))
        return DemoState(
            control_url=fields["control_url"],
            cache_url=fields["cache_url"],
            domains=tuple(DomainData(**domain) for domain in fields["domains"]),
            parameters=DemoParameters(
                end_date=date.fromisoformat(fields["end_date"]), seed=fields["seed"], scale=fields["scale"]
            ),
            generator=fields["generator"],
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_state(folder: Path, state: DemoState) -> None:
    """Remember the state; a reader sees the old one or the new one, never half of it."""
    fields = {
        "control_url": state.control_url,
        "cache_url": state.cache_url,
        "domains": [
            {
                "name": domain.name,
                "reader_url": domain.reader_url,
                "owner_url": domain.owner_url,
                "dialect": domain.dialect,
            }
            for domain in state.domains
        ],
        "end_date": state.parameters.end_date.isoformat(),
        "seed": state.parameters.seed,
        "scale": state.parameters.scale,
        "generator": state.generator,
    }
    draft = _file(folder).with_suffix(".draft")
    draft.write_text(json.dumps(fields, indent=2), encoding="utf-8")
    draft.replace(_file(folder))


def forget_state(folder: Path) -> None:
    """Claim nothing about the data while it changes."""
    _file(folder).unlink(missing_ok=True)


def _file(folder: Path) -> Path:
    return folder / "demo.json"
