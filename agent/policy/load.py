"""A policy file to the policy in force: every fault is reported at once, with its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from yaml.nodes import MappingNode, Node, SequenceNode

from agent.policy.budgets import BudgetDefaults
from agent.policy.compose import NO_BUDGETS, compose
from agent.policy.errors import PolicyError
from agent.policy.faults import Fault, KeyPath, faults_of, readable
from agent.policy.file import PolicyPart
from agent.policy.model import Policy
from agent.policy.predicates import row_rule_faults
from agent.values.identity import Limits
from semantic_catalog.issues import Issue, Place
from semantic_catalog.model import Catalog

DEFAULTS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPolicy:
    """A policy file as read, with all its faults; `policy` is None when there are any."""

    policy: Policy | None
    issues: tuple[Issue, ...]


def load_policy(
    path: Path, defaults: Limits = DEFAULTS, catalog: Catalog | None = None, budgets: BudgetDefaults = NO_BUDGETS
) -> Policy:
    """The policy of a file; `defaults` are the caps of a role that sets none, `budgets` the day's limits where none
    are set. Row rules must fit the catalog.

    Raises `PolicyError` naming every fault with its file and line.
    """
    checked = check_policy(path, defaults, catalog, budgets)
    if checked.policy is None:
        raise PolicyError("\n".join(map(str, checked.issues)))
    return checked.policy


def check_policy(
    path: Path, defaults: Limits = DEFAULTS, catalog: Catalog | None = None, budgets: BudgetDefaults = NO_BUDGETS
) -> CheckedPolicy:
    """The policy of a file and all its faults; raises nothing for a faulty one, nor for a missing one."""
    try:
        content = path.read_bytes()
        root = yaml.compose(content, Loader=yaml.SafeLoader)
        data = yaml.safe_load(content)
    except OSError:
        return _unusable(path, 1, "the file cannot be read")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _unusable(path, mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}")
    except yaml.YAMLError:
        return _unusable(path, 1, "not YAML: not UTF-8 text")
    file = _File(
        name=path.name,
        lines=dict(_lines(root, ())) if root else {},
        version=sha256(content).hexdigest(),
        repeated=tuple(_repeated(root, ())) if root else (),
    )
    checked = _checked(file, data, catalog)
    if isinstance(checked, PolicyPart):
        return CheckedPolicy(policy=compose(checked, file.version, defaults, budgets), issues=())
    return CheckedPolicy(policy=None, issues=checked)


def warnings(policy: Policy, catalog: Catalog) -> tuple[str, ...]:
    """What the policy names and the catalog does not hold (yet): it stays without effect."""
    known = {domain.name for domain in catalog.domains}
    sources = {entity.source for domain in catalog.domains for entity in domain.entities}
    opened = [name for principal in policy.principals for name in principal.domains]
    priced = [name for name, _ in policy.budgets.prices]
    named = {name: f"domain '{name}'" for name in (*opened, *(name for name, _ in policy.domain_audience), *priced)}
    rules = {r.source: r.domain for principal in policy.principals for r in principal.row_rules if r.domain in known}
    unknown = [text for name, text in named.items() if name not in known]
    return (*unknown, *(f"source '{source}' of domain '{rules[source]}'" for source in rules if source not in sources))


def _unusable(path: Path, line: int, message: str) -> CheckedPolicy:
    return CheckedPolicy(policy=None, issues=(Issue(place=Place(file=path.name, line=line), message=message),))


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A policy file that is YAML: where each key stands, a hash of the whole, and keys that stand twice."""

    name: str
    lines: dict[KeyPath, int]
    version: str
    repeated: tuple[Fault, ...] = ()


def _checked(file: _File, data: Any, catalog: Catalog | None) -> PolicyPart | tuple[Issue, ...]:
    """The parts, or their faults. Faults of single parts do not hide those between parts: all are told at once."""
    parts, faults = _parts(data)
    read = readable(data)
    faults += [*file.repeated, *faults_of(read), *(row_rule_faults(read.roles, catalog) if catalog else ())]
    if faults or parts is None:
        return _issues(file, faults)
    return parts


def _parts(data: Any) -> tuple[PolicyPart | None, list[Fault]]:
    try:
        return PolicyPart.model_validate(data), []
    except ValidationError as error:
        return None, [(_at(item["loc"]), _said(item["msg"], item["loc"])) for item in error.errors(include_input=False)]


def _repeated(node: Node, path: KeyPath) -> Iterator[Fault]:
    """Keys that stand twice in one mapping: YAML would take the last of them without a word."""
    if isinstance(node, MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield (*path, key.value), f"'{key.value}' is written twice"
            seen.add(key.value)
            yield from _repeated(value, (*path, key.value))
    if isinstance(node, SequenceNode):
        for index, item in enumerate(node.value):
            yield from _repeated(item, (*path, index))


def _lines(node: Node, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    yield path, node.start_mark.line + 1
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield (*path, key.value), key.start_mark.line + 1
            yield from ((at, line) for at, line in _lines(value, (*path, key.value)) if at != (*path, key.value))
    if isinstance(node, SequenceNode):
        for index, item in enumerate(node.value):
            yield from _lines(item, (*path, index))


def _issues(file: _File, faults: list[Fault]) -> tuple[Issue, ...]:
    placed = [
        Issue(place=Place(file=file.name, line=_line(file.lines, path)), message=message) for path, message in faults
    ]
    return tuple(sorted(placed, key=lambda issue: issue.place.line))


def _line(lines: dict[KeyPath, int], path: KeyPath) -> int:
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _at(location: tuple[int | str, ...]) -> KeyPath:
    return tuple(part for part in location if part != "[key]")


def _said(message: str, location: tuple[int | str, ...]) -> str:
    key = ".".join(map(str, location))
    return f"{key}: {message.removeprefix('Value error, ')}" if key else message
